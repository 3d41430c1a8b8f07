// A game of a PDN text as a tree of positions, and its drawing: the main line in two columns, with what was said and
// tried between its rows.

import { fromFen, legalMoves, moveText, play } from "./rules.js";
import { h } from "./dom.js";

/** @import {GameRead, NodeRead, Position, Style, Twig} from "./types" */

const SIGNS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };

/** The tree of a game: its root is the start, and the first of the `kids` of each goes on with the line it is in. @param {GameRead} game @returns {Twig} */
export function grow({ start, moves }) {
  const root = { id: 0, parent: null, ply: 0, move: null, text: "", position: fromFen(start), kids: [], signs: "", before: [], comments: [], aside: false };
  let count = 0;
  /** @param {Twig} parent @param {NodeRead[]} line @param {boolean} aside */
  const sprout = (parent, line, aside) => {
    for (const written of line) {
      const twig = branch(parent, written.move ?? written.text, aside);
      if (twig.id < 0) twig.id = ++count;
      twig.signs ||= written.strength + written.nags.map((nag) => SIGNS[nag] ?? "").join("");
      twig.before = [...twig.before, ...written.before];
      twig.comments = [...twig.comments, ...written.comments];
      for (const variation of written.variations) sprout(parent, variation, true);
      parent = twig;
    }
  };
  sprout(root, moves, false);
  return root;
}

/** Adds a move to a tree, or gives it where it is there already. @param {Twig} parent @param {string} text @param {boolean} aside @returns {Twig} */
export function branch(parent, text, aside) {
  const { position, kids, ply } = parent;
  const move = position && legalMoves(position).find((legal) => legal.text === text);
  const there = move && aside && kids.find((kid) => kid.text === text);
  if (there) return there;
  const twig = { id: -1, parent, ply: ply + 1, move: move ?? null, text, position: move ? play(position, move) : null, kids: [], signs: "", before: [], comments: [], aside };
  kids.push(twig);
  return twig;
}

/** Follows moves from a place in a tree, aside of what was played, and gives the places they lead to. @param {Twig} from @param {string[]} texts */
export function follow(from, texts) {
  let at = from;
  return texts.map((text) => (at = branch(at, text, true)));
}

/** The main line as far as it is known, the start first. @param {Twig} root */
export function mainLine(root) {
  const line = [root];
  for (let at = root.kids[0]; at?.position && !at.aside; at = at.kids[0]) line.push(at);
  return line;
}

/** The number that stands before a move: "12." or "12…". @param {Twig} twig */
export function numberOf({ ply, parent }) {
  let root = parent;
  while (root.parent) root = root.parent;
  const late = ply - 1 + (root.position.turn === "W");
  return `${(late >> 1) + 1}${late % 2 ? "…" : "."}`;
}

/** A move with its signs, as it is written. @param {Twig} twig @param {Style} style */
export const textOf = ({ move, text }, style) => (move ? moveText(move, style) : text);

const button = (twig, style) => h("button", { type: "button", "data-id": twig.id, tabindex: -1, disabled: !twig.position },
  h("span", {}, textOf(twig, style)), h("span", { class: "sign" }, twig.signs));

const remark = (text) => h("span", { class: "remark" }, text);

/** A line in words: its moves as buttons, with what branches off in brackets. @param {Twig} first @param {Style} style */
function* told(first, style) {
  let numbered = true;
  for (let twig = first; twig; [twig] = twig.kids) {
    if (twig.id < 0) return;
    if (numbered || !numberOf(twig).endsWith("…")) yield h("span", { class: "number" }, numberOf(twig));
    yield* twig.before.map(remark);
    yield button(twig, style);
    yield* twig.comments.map(remark);
    const others = siblings(twig);
    for (const other of others) yield h("span", { class: "variation" }, "(", ...told(other, style), ")");
    numbered = !!(twig.comments.length || others.length);
  }
}

/** What was written in the place of a move. @param {Twig} twig */
const siblings = (twig) => (twig.parent.kids[0] === twig ? twig.parent.kids.filter((kid) => kid !== twig && kid.id > 0) : []);

/** Draws a tree. @param {HTMLElement} host @param {Twig} root @param {string[]} comments those before the first move @param {Style} style */
export function drawTree(host, root, comments, style) {
  const rows = comments.map((text) => h("li", { class: "said" }, remark(text)));
  let row = null;
  for (let [twig] = root.kids; twig && twig.id > 0; [twig] = twig.kids) {
    const number = numberOf(twig);
    const second = number.endsWith("…");
    if (twig.before.length) {
      rows.push(h("li", { class: "said" }, ...twig.before.map(remark)));
      row = null;
    }
    if (!row) {
      row = h("li", {}, h("span", { class: "number" }, number.replace("…", ".")), second && h("span", { class: "gap" }, "…"));
      rows.push(row);
    }
    row.append(button(twig, style));
    const others = siblings(twig);
    if (second) row = null;
    if (twig.comments.length) rows.push(h("li", { class: "said" }, ...twig.comments.map(remark)));
    for (const other of others) rows.push(h("li", { class: "said" }, h("span", { class: "variation" }, ...told(other, style))));
    if (twig.comments.length || others.length) row = null;
  }
  host.replaceChildren(...rows);
}
