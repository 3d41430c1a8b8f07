// What the two players say to each other: fixed phrases, texts where both want to chat, muting and reporting.
import { $, h, post } from "./dom.js";
import { FIELD } from "./match.js";
import { other } from "./rules.js";

/** @import {ChatLine, GameView} from "./types" */

/** The phrases that fit a time of the game. */
const FITTING = {
  begin: ["hello", "good_luck", "have_fun", "thanks"],
  play: ["good_move", "well_played", "thanks", "oops", "sorry"],
  end: ["good_game", "well_played", "thanks", "goodbye"],
};

const phase = ({ status, moves }) => (status !== "playing" ? "end" : moves.length < 4 ? "begin" : "play");

/** The talk of a player's page; act sends a command, tell shows a message.
 *  @param {{phrases: Object<string, string>, muted: boolean}} data @param {(what: string, more: object) => Promise<boolean>} act @param {(text: string) => void} tell */
export function makeTalk(data, act, tell) {
  let shown = null; // the phase whose phrases are there
  let muted = data.muted;
  let wish = null; // the chat as it is being switched

  /** What a line says. @param {ChatLine} line */
  const words = ({ phrase, text }) => data.phrases[phrase] ?? text;

  $("chat").addEventListener("submit", async (event) => {
    event.preventDefault();
    const field = $("text");
    const text = field.value.trim();
    if (text && await act("say", { text })) field.value = "";
  });
  $("chat-on").addEventListener("change", async ({ target: { checked } }) => {
    wish = checked;
    if (!await act("set_chat", { on: checked })) $("chat-on").checked = !checked;
    wish = null;
  });
  $("chat").parentNode.querySelector(".phrases").addEventListener("click", ({ target }) => {
    const { phrase } = target.dataset;
    if (phrase) act("say", { phrase });
  });

  const conduct = (id, send) => $(id).addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await send();
    } catch (error) {
      $(id).querySelector(".hint").textContent = error.message;
    }
  });

  return {
    words,
    /** Draws the talk as it stands. @param {GameView} game */
    draw(game) {
      const rival = game[FIELD[other(game.you)]];
      const [mine, theirs] = [game.chat[FIELD[game.you]], game.chat[FIELD[other(game.you)]]];
      const open = mine && theirs;
      const now = phase(game);
      if (shown !== now) {
        shown = now;
        document.querySelector(".phrases").replaceChildren(...FITTING[now].map((name) => h("button", { type: "button", "data-phrase": name }, data.phrases[name])));
      }
      $("chat-on").checked = wish ?? mine;
      for (const id of ["text", "send"]) $(id).hidden = !open;
      $("chat-note").textContent = open ? "" : theirs ? `${rival.name} would like to chat.` : mine ? `Open when ${rival.name} switches it on too.` : "";
      const list = $("lines");
      list.replaceChildren(...game.chat.lines.map((line) => h("li", { class: line.side === game.you ? "own" : null },
        h("b", {}, line.side === game.you ? "You" : game[FIELD[line.side]].name), ` ${words(line)}`)));
      list.scrollTop = list.scrollHeight;
    },
    /** Begins to take mutes and reports. @param {GameView} game */
    begin(game) {
      const { name } = game[FIELD[other(game.you)]];
      const button = $("mute").querySelector("button");
      const label = () => { button.textContent = muted ? `Unmute ${name}` : `Mute ${name}`; };
      label();
      conduct("mute", async () => {
        await post("/api/mute", { name, on: !muted });
        muted = !muted;
        label();
        tell(muted ? `${name} is muted.` : `${name} is heard again.`);
      });
      conduct("report", async () => {
        await post("/api/report", { name, text: $("reason").value, game: game.id });
        $("report").reset();
        $("report").querySelector(".hint").textContent = "Thank you. The operator will read it.";
      });
    },
  };
}
