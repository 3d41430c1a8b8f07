// How a game comes to the review: pasted, from a file, dropped, or named by the address; and which one of several.

import { $, h, post } from "./dom.js";
import { own } from "./own.js";
import { plainGame } from "./plainly.js";

/** @import {GameRead} from "./types" */

/** Characters that the server reads at once. */
const LONGEST = 1000000;

/** What is said of all else where the server cannot be reached. */
const AWAY = "There is no connection, and without the server plain games alone can be read: legal moves, no comments, no variations. Your text stays here: try again when there is one.";

/** A game to look at for whoever has none at hand. */
const EXAMPLE = `[Event "Manchester 1841"]
[Date "1841.??.??"]
[Black "Moorhead, W."]
[White "Wyllie, J."]
[Result "0-1"]

1. 11-15 24-20 2. 8-11 28-24 3. 9-13 22-18 4. 15x22 25x18 5. 4-8 26-22 6. 10-14 18x9 7. 5x14 22-18 8. 1-5 18x9
9. 5x14 29-25 10. 11-15 24-19 11. 15x24 25-22 12. 24-28 22-18 13. 6-9 27-24 14. 8-11 24-19 15. 7-10 20-16
16. 11x20 18-15 17. 2-6 15-11 18. 12-16 19x12 19. 10-15 11-8 20. 15-18 21-17 21. 13x22 30-26 22. 18x27 26x17x10x1 0-1
`;

/** A text of a file, whatever it was written in. @param {ArrayBuffer} data */
function decoded(data) {
  const [a, b] = new Uint8Array(data);
  if (a === 0xff && b === 0xfe) return new TextDecoder("utf-16le").decode(data);
  if (a === 0xfe && b === 0xff) return new TextDecoder("utf-16be").decode(data);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(data);
  } catch {
    return new TextDecoder("windows-1252").decode(data);
  }
}

/** The name of a game in a list of them. @param {GameRead} game @param {number} [number] */
export function titleOf({ tags, result, line }, number) {
  const tag = Object.fromEntries(tags.toReversed());
  const known = (name) => (/^\s*\??\s*$/.test(tag[name] ?? "") ? "" : tag[name]);
  const players = known("Black") || known("White") ? `${known("Black") || "?"} – ${known("White") || "?"}` : "";
  const year = (tag.Date ?? "").replace(/[.-]?\?\?/g, "").replace(/^\?+$/, "");
  const date = known("Event").includes(year) ? "" : year;
  const words = [players, known("Event"), date, result === "*" ? "" : result].filter(Boolean);
  return (number ? `${number}. ` : "") + (words.join(", ") || `Game in line ${line}`);
}

/** Reads games; `chosen` hears of the one to be shown. @param {(game: GameRead) => void} chosen */
export function makeReading(chosen) {
  const main = $("main");
  const text = /** @type {HTMLTextAreaElement} */ ($("text"));
  const list = /** @type {HTMLSelectElement} */ ($("games"));
  let from = ""; // the text that is open
  /** @type {GameRead[]} */ let games = [];
  let more = false; // whether others are left out
  let lasting = false; // whether the text is kept with the page; an address that names a game need not

  const refuse = (message) => {
    $("wrong").textContent = message;
    if (main.dataset.state === "entry") text.focus();
  };

  /** Keeps what is open at its place in the history of this tab, where it is after a reload or on the way back. */
  function keep(state) {
    try {
      if (lasting) history.replaceState(state, "", "/review");
    } catch { /* too much for this browser: it is open as long as the page */ }
  }

  /** Opens what a person brings. @param {string} words @param {number} [offset] of the game that was chosen, where one was */
  function bring(words, offset) {
    lasting = true;
    return read(words, offset);
  }

  async function read(words, offset) {
    refuse("");
    if (!words.trim()) return refuse("Paste the moves of a game first, such as 1. 11-15 23-19 2. 8-11 22-17.");
    if (words.length > LONGEST) return refuse("This text is longer than a million characters. Cut it into smaller files first: kingme pdn split does that.");
    try {
      ({ games, more } = await post("/api/pdn", { text: words }));
    } catch ({ message, away }) {
      const plain = away && plainGame(words);
      if (!plain) {
        text.value ||= words; // to be tried again
        return show("entry", away ? AWAY : message);
      }
      [games, more] = [[plain], false];
    }
    from = words;
    keep({ text: words });
    $("others").hidden = games.length < 2 && !more;
    if (games.length < 2 && !more) return take(games[0]);
    list.replaceChildren(...games.map((game, i) => h("option", { value: i, selected: offset === undefined ? !i : game.offset === offset }, titleOf(game, i + 1))));
    $("many").textContent = more ? `The first ${games.length} games of this text, and there are more: cut it into smaller files to see them` : `${games.length} games are in this text`;
    const before = games.find((game) => game.offset === offset);
    if (before) return take(before);
    show("choice");
    list.focus();
  }

  function show(state, message = "") {
    main.dataset.state = state;
    refuse(message);
  }

  /** @param {GameRead} game */
  async function take(game) {
    try {
      if (!game.moves) [game] = (await post("/api/pdn", { text: from, offset: game.offset })).games;
    } catch ({ message, away }) {
      return show("entry", away ? AWAY : message);
    }
    if (game.variant !== "english") return show("entry", "This game is of another kind of draughts. A review is of American checkers (English draughts).");
    if (!game.moves[0]?.move) {
      return show("entry", game.unread ? `No move could be read. ${game.unread}` : "This game has no moves to review.");
    }
    keep({ text: from, offset: game.offset });
    main.dataset.state = "game";
    chosen(game);
  }

  async function open(file) {
    if (!file) return;
    if (file.size > 2 * LONGEST) return refuse("This file is larger than a million characters. Cut it into smaller files first: kingme pdn split does that.");
    await bring(decoded(await file.arrayBuffer()));
  }

  const file = /** @type {HTMLInputElement} */ ($("file"));
  $("entry").addEventListener("submit", (event) => {
    event.preventDefault();
    bring(text.value);
  });
  $("open").addEventListener("click", () => file.click());
  file.addEventListener("change", async () => {
    await open(file.files[0]);
    file.value = "";
  });
  $("example").addEventListener("click", () => bring(EXAMPLE));
  $("choice").addEventListener("submit", (event) => {
    event.preventDefault();
    take(games[+list.value]);
  });
  list.addEventListener("dblclick", () => take(games[+list.value]));
  list.addEventListener("keydown", ({ key }) => key === "Enter" && take(games[+list.value]));
  for (const id of ["elsewhere", "again"]) $(id).addEventListener("click", () => {
    lasting = true;
    keep(null);
    show("entry");
    text.focus();
  });
  $("others").addEventListener("click", () => {
    show("choice");
    list.focus();
  });
  addEventListener("dragover", (event) => {
    event.preventDefault();
    main.dataset.dropping = "";
  });
  addEventListener("dragleave", ({ relatedTarget }) => relatedTarget || delete main.dataset.dropping);
  addEventListener("drop", (event) => {
    event.preventDefault();
    delete main.dataset.dropping;
    const { files } = event.dataTransfer;
    if (files[0]) open(files[0]);
    else bring(event.dataTransfer.getData("text"));
  });

  const sorry = (message) => show("entry", message);
  const kept = history.state;
  if (kept?.text) return void bring(kept.text, kept.offset);
  try {
    named(own(new URLSearchParams(location.search)), read, sorry);
  } catch ({ message }) {
    sorry(message);
  }
}

/** Opens the game that an address names: game=ID of a game played here, or fen= and moves=. @param {URLSearchParams} query */
async function named(query, read, refuse) {
  const game = query.get("game");
  if (game) {
    const answer = await fetch(`/game/${encodeURIComponent(game)}.pdn`).catch(() => null);
    if (answer?.ok) return read(await answer.text());
    return refuse(answer ? "There is no such game, or it is a private one." : "There is no connection, and this game is on the server. Try again when there is one.");
  }
  const said = query.get("moves") ?? "";
  const moves = said.startsWith("[") ? said : said.replace(/[,_]/g, " ");
  const fen = (query.get("fen") ?? "").replace(/["\\]/g, "");
  const start = fen && !moves.startsWith("[") ? `[FEN "${fen}"]\n\n` : "";
  if (moves || fen) await read(start + moves);
}
