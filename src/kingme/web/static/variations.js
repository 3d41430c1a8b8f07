// The moves of a game with its variations, as text to walk through: one tab stop through which arrows lead.

import { START, moveText } from "./rules.js";
import { h } from "./dom.js";

/** @import {TreeNode} from "./tree.js" */
/** @import {Style} from "./types" */

/** Makes the list; visit is called with a node that is chosen. Gives what draws it. @param {HTMLElement} host @param {(node: TreeNode) => void} visit */
export function variationList(host, visit) {
  /** @type {Map<HTMLElement, TreeNode>} */ let nodes = new Map();
  /** @type {TreeNode} */ let current;
  host.addEventListener("click", ({ target }) => nodes.has(target) && visit(nodes.get(target)));
  host.addEventListener("keydown", (event) => {
    const go = { ArrowLeft: () => current.parent, ArrowRight: () => current.children[0], Home: () => upTo(current, 1), End: () => lastOf(current),
      ArrowUp: () => beside(current, -1), ArrowDown: () => beside(current, 1) }[event.key];
    if (!go) return;
    event.preventDefault();
    const to = go();
    if (to) visit(to);
  });
  /** Draws the game of a first node, with another marked. @param {TreeNode} first @param {TreeNode} here @param {Style} style */
  return (first, here, style) => {
    const focused = host.contains(document.activeElement);
    current = here;
    nodes = new Map();
    const later = first.position.turn === START[0] ? 0 : 1; // half-moves before the first one
    const button = (node) => {
      const at = node === here;
      const made = h("button", { type: "button", tabindex: at || (!here.move && node === first.children[0]) ? 0 : -1, "aria-current": at && "true" }, moveText(node.move, style));
      nodes.set(made, node);
      return made;
    };
    host.replaceChildren(...line(first, later, button, true));
    const marked = host.querySelector("[tabindex='0']");
    if (marked) host.scrollTop = marked.offsetTop - host.clientHeight / 2;
    if (focused) marked?.focus({ preventScroll: true });
  };
}

/** What stands after a node: the first move, the others in its place, and so on; broken: the number of the move is said in any case. */
function line(node, later, button, broken) {
  const made = [];
  for (; node.children.length; [node] = node.children) {
    const [first, ...others] = node.children;
    made.push(numbered(first, later, broken, button));
    broken = others.length > 0;
    for (const other of others) {
      made.push(h("div", { class: "variation" }, h("b", { class: "unseen" }, "Variation: "), numbered(other, later, true, button), ...line(other, later, button, false)));
    }
  }
  return made;
}

function numbered(node, later, broken, button) {
  const half = node.ply - 1 + later;
  const number = half % 2 ? broken && `${(half + 1) / 2}…` : `${half / 2 + 1}.`;
  return h("span", {}, number && h("i", {}, number), button(node));
}

const upTo = (node, ply) => (node.ply > ply ? upTo(node.parent, ply) : node);
const lastOf = (node) => (node.children[0] ? lastOf(node.children[0]) : node);

/** The move before or behind this one among those that could be played here. */
function beside(node, step) {
  const { children } = node.parent ?? node;
  return children[children.indexOf(node) + step];
}
