// A game with variations, as it is analysed: each node is a position and the move that led to it.

import { legalMoves, play } from "./rules.js";

/** @import {Move, NodeSaid, Position} from "./types" */

/** said: what a PDN text says of the move; of the first node, what it says before the first move. Position and move are
 *  null where the text has a move that could not be read.
 *  @typedef {{position: ?Position, move: ?Move, parent: ?TreeNode, children: TreeNode[], ply: number, said?: NodeSaid}} TreeNode */

/** The node that a game begins with. @param {Position} position @returns {TreeNode} */
export const root = (position) => ({ position, move: null, parent: null, children: [], ply: 0 });

/** The node after a move, a new variation where it was not played there before; undefined where it is not legal. @param {TreeNode} node @param {string} text @returns {TreeNode|undefined} */
export function grow(node, text) {
  const known = node.children.find(({ move }) => move.text === text);
  const move = known ? null : legalMoves(node.position).find((legal) => legal.text === text);
  return move ? add(node, move, play(node.position, move)) : known;
}

function add(parent, move, position) {
  const child = { position, move, parent, children: [], ply: parent.ply + 1 };
  parent.children.push(child);
  return child;
}

/** The nodes from the first to this one. @param {TreeNode} node @returns {TreeNode[]} */
export const trail = (node) => (node.parent ? [...trail(node.parent), node] : [node]);

/** The nodes after this one, on the first line of each. @param {TreeNode} node @returns {TreeNode[]} */
export const rest = ({ children: [next] }) => (next ? [next, ...rest(next)] : []);

/** The texts of moves. @param {TreeNode[]} nodes */
export const texts = (nodes) => nodes.filter(({ move }) => move).map(({ move }) => move.text);

/** Plays moves one after the other from a node; gives the last node, and how many of them were legal. @param {TreeNode} node @param {string[]} moves @returns {[TreeNode, number]} */
export function follow(node, moves) {
  for (let i = 0; i < moves.length; i++) {
    const next = grow(node, moves[i]);
    if (!next) return [node, i];
    node = next;
  }
  return [node, moves.length];
}

/** Makes the line through a node the first one wherever it branches off. @param {TreeNode} node */
export function promote(node) {
  for (const one of trail(node).slice(1)) {
    const { children } = one.parent;
    children.unshift(...children.splice(children.indexOf(one), 1));
  }
}

/** Takes a node and all after it away; gives the one before. @param {TreeNode} node @returns {TreeNode} */
export function prune(node) {
  node.parent.children.splice(node.parent.children.indexOf(node), 1);
  return node.parent;
}

/** Whether a node is on the first line of its game. @param {TreeNode} node */
export const isMain = (node) => trail(node).every((one) => !one.parent || one.parent.children[0] === one);

/** Plays the line of a PDN text, then its variations. A move that could not be read ends its line, unless that is wanted
 *  whole. @param {TreeNode} node @param {NodeSaid[]} line @param {boolean} [whole] */
export function plant(node, line, whole) {
  const begun = [];
  for (const said of line) {
    const next = (said.move && grow(node, said.move)) || (whole && add(node, null, null));
    if (!next) break;
    next.said ??= said;
    begun.push([node, said.variations]);
    node = next;
  }
  for (const [from, variations] of begun) for (const variation of variations) plant(from, variation, whole);
}

const noted = ({ said, move }, variations = []) => ({ ...said, move: move.text, variations });

/** The line after a node with its variations, as plant takes it. @param {TreeNode} node @returns {NodeSaid[]} */
export function packed(node) {
  const line = [];
  for (; node.children.length; [node] = node.children) {
    const [first, ...others] = node.children;
    line.push(noted(first, others.map((other) => [noted(other), ...packed(other)])));
  }
  return line;
}
