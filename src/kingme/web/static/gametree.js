// A game of a PDN text as a tree of positions, and its drawing: the main line in two columns, with what was said and
// tried between its rows.

import { fromFen, moveText } from "./rules.js";
import { h } from "./dom.js";
import { plant, rest, root } from "./tree.js";

/** @import {TreeNode} from "./tree.js" */
/** @import {GameRead, NodeSaid, Style} from "./types" */

const SIGNS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };

/** The tree of a game, all that stands in its text. @param {Pick<GameRead, "start" | "moves">} game @returns {TreeNode} */
export function treeOf({ start, moves }) {
  const first = root(fromFen(start));
  plant(first, moves, true);
  return first;
}

/** The main line as far as it is known, the start first. @param {TreeNode} first */
export function mainLine(first) {
  const line = [first, ...rest(first)];
  const unread = line.findIndex(({ position }) => !position);
  return unread < 0 ? line : line.slice(0, unread);
}

/** The number that stands before a move: "12." or "12…". @param {TreeNode} node */
export function numberOf({ ply, parent }) {
  let root = parent;
  while (root.parent) root = root.parent;
  const late = ply - 1 + (root.position.turn === "W");
  return `${(late >> 1) + 1}${late % 2 ? "…" : "."}`;
}

/** A move as it is written. @param {TreeNode} node @param {Style} style */
export const textOf = ({ move, said }, style) => (move ? moveText(move, style) : said.text);

/** @param {NodeSaid} said */
const signs = ({ strength, nags }) => strength + nags.map((nag) => SIGNS[nag] ?? "").join("");

const remark = (text) => h("span", { class: "remark" }, text);

/** A line in words: its moves as buttons, with what branches off in brackets. @param {TreeNode} first @param {Style} style @param {(node: TreeNode) => HTMLElement} button */
function* told(first, style, button) {
  let numbered = true;
  for (let node = first; node?.said; [node] = node.children) {
    if (numbered || !numberOf(node).endsWith("…")) yield h("span", { class: "number" }, numberOf(node));
    yield* node.said.before.map(remark);
    yield button(node);
    yield* node.said.comments.map(remark);
    const others = siblings(node);
    for (const other of others) yield h("span", { class: "variation" }, "(", ...told(other, style, button), ")");
    numbered = !!(node.said.comments.length || others.length);
  }
}

/** What was written in the place of a move. @param {TreeNode} node */
const siblings = (node) => (node.parent.children[0] === node ? node.parent.children.filter((other) => other !== node && other.said) : []);

/** Draws a tree; gives the buttons of what was written in it. @param {HTMLElement} host @param {TreeNode} first @param {string[]} comments those before the first move @param {Style} style @returns {Map<TreeNode, HTMLElement>} */
export function drawTree(host, first, comments, style) {
  const buttons = new Map();
  const button = (node) => {
    const made = h("button", { type: "button", tabindex: -1, disabled: !node.position },
      h("span", {}, textOf(node, style)), h("span", { class: "sign" }, signs(node.said)));
    buttons.set(node, made);
    return made;
  };
  const rows = comments.map((text) => h("li", { class: "said" }, remark(text)));
  let row = null;
  for (let [node] = first.children; node?.said; [node] = node.children) {
    const number = numberOf(node);
    const second = number.endsWith("…");
    const { before, comments: behind } = node.said;
    if (before.length) {
      rows.push(h("li", { class: "said" }, ...before.map(remark)));
      row = null;
    }
    if (!row) {
      row = h("li", {}, h("span", { class: "number" }, number.replace("…", ".")), second && h("span", { class: "gap" }, "…"));
      rows.push(row);
    }
    row.append(button(node));
    const others = siblings(node);
    if (second) row = null;
    if (behind.length) rows.push(h("li", { class: "said" }, ...behind.map(remark)));
    for (const other of others) rows.push(h("li", { class: "said" }, h("span", { class: "variation" }, ...told(other, style, button))));
    if (behind.length || others.length) row = null;
  }
  host.replaceChildren(...rows);
  return buttons;
}
