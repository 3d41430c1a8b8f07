// The openings: what people played in a position, how it went, and what the engine holds of each move.

import { h } from "./dom.js";
import { SIDES } from "./speech.js";
import { figure } from "./worth.js";

/** @import {Explored, ExploredMove} from "./types" */

/** The least share of a bar, in percent, that has room for its number. */
const ROOM = 14;
const SOURCES = {
  package: "Games of the Open Checkers Archive, 1841 to 2004.",
  collection: "Games of this server's collection.",
};
const AWAY = "The openings come from the server, which cannot be reached just now.";

export class Explorer {
  #host;
  #play;
  #fen = "";
  /** @type {Map<string, Explored>} */
  #known = new Map();
  /** @type {AbortController | null} */
  #asking = null;

  /** Fills a section of the page; a chosen move is given to `play` as its text. @param {HTMLElement} host @param {(text: string) => void} play */
  constructor(host, play) {
    this.#host = host;
    this.#play = play;
    this.title = h("p", { class: "soft" });
    this.body = h("div", { class: "openings waiting" });
    host.append(h("h2", {}, "Openings"), this.title, this.body);
  }

  /** Shows the openings of a position; what stood there stays until they are there. @param {string} fen */
  async show(fen) {
    if (this.#fen === fen) return undefined;
    this.#fen = fen;
    this.#asking?.abort();
    const known = this.#known.get(fen);
    if (known) return this.#draw(known);
    const asking = this.#asking = new AbortController();
    this.#host.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(`/api/explorer?fen=${encodeURIComponent(fen)}`, { signal: asking.signal });
      if (!answer.ok) throw Error(`${answer.status}`);
      const found = await answer.json();
      this.#known.set(fen, found);
      if (this.#fen === fen) this.#draw(found);
    } catch {
      if (asking.signal.aborted) return undefined;
      this.#fen = ""; // asked again when the position is shown again
      this.#say("", AWAY);
    }
    return undefined;
  }

  #say(title, words) {
    this.#host.removeAttribute("aria-busy");
    this.title.textContent = title;
    this.body.classList.remove("waiting");
    this.body.replaceChildren(h("p", { class: "soft" }, words));
  }

  /** @param {Explored} found */
  #draw(found) {
    const games = found.games && `${found.games.toLocaleString("en")} game${found.games > 1 ? "s" : ""}`;
    const title = [found.opening?.text, games].filter(Boolean).join(" · ");
    if (!found.moves.length) return this.#say(title, "Too few games came to this position to tell.");
    this.#host.removeAttribute("aria-busy");
    this.title.textContent = title;
    this.body.classList.remove("waiting");
    this.body.replaceChildren(
      h("table", {},
        h("caption", { class: "unseen" }, "Moves that were played here"),
        h("thead", {}, h("tr", {},
          h("th", { scope: "col" }, "Move"), h("th", { scope: "col", class: "n" }, "Games"),
          h("th", { scope: "col" }, `% ${SIDES.B}, draw, ${SIDES.W}`), h("th", { scope: "col", class: "n" }, "Engine"))),
        h("tbody", {}, ...found.moves.map((move) => this.#row(move)))),
      h("p", { class: "soft" }, `${SOURCES[found.source]} Engine: what the move is worth to the side that makes it, in men.`));
  }

  /** @param {ExploredMove} move */
  #row(move) {
    const button = h("button", { type: "button", "aria-label": `Play ${move.move}` }, move.move);
    const row = h("tr", {},
      h("th", { scope: "row" }, button),
      h("td", { class: "n" }, move.games.toLocaleString("en")),
      h("td", {}, bar(move)),
      h("td", { class: "n" }, move.value === null ? "" : figure({ score: move.value })));
    row.addEventListener("click", () => this.#play(move.move));
    return row;
  }
}

/** How games went, as three parts of a line. @param {ExploredMove} move */
function bar({ games, black, white, draws }) {
  if (!games) return "";
  const parts = [["dark", black, `${SIDES.B} won`], ["even", draws, "drawn"], ["light", white, `${SIDES.W} won`]];
  const percent = (count) => Math.round(100 * count / games);
  const told = parts.map(([, count, words]) => `${words} ${percent(count)} %`).join(", ");
  return h("div", { class: "bar", role: "img", "aria-label": told }, ...parts.map(([kind, count]) => {
    const share = percent(count);
    const part = h("span", { class: kind }, share >= ROOM && `${share}`);
    part.style.flexGrow = `${count}`;
    return part;
  }));
}
