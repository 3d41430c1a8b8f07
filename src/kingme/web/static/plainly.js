// A game of tags and plain moves, read without the server: for when there is no connection.

import { START, fromFen, legalMoves, play } from "./rules.js";

/** @import {GameRead, Move, NodeRead} from "./types" */

const NUMBER = /^\d+\.+/;
const RESULT = /^(?:1-0|0-1|1\/2-1\/2|\*)$/;

/** Whether a text names a move: as it is written in full, or by its first and last square. @param {Move} move @param {string} text */
const named = ({ path, text: whole }, text) => [whole, `${path[0]}${whole.match(/[-x]/)}${path.at(-1)}`].includes(text);

/** The game of a text: tags and moves; null where anything else stands in it, such as comments, or a move that is not
 *  legal or may be one of several. @param {string} text @returns {?GameRead} */
export function plainGame(text) {
  const [, head, words] = /^\s*((?:\[\w+ "[^"\\]*"\]\s*)*)([^[\]{}()]*)$/.exec(text) ?? [];
  if (!words?.trim()) return null;
  /** @type {[string, string][]} */ const tags = [...head.matchAll(/\[(\w+) "(.*?)"\]/g)].map(([, name, value]) => [name, value]);
  const end = words.trim().split(/\s+/).at(-1);
  const { FEN: start = START, GameType: kind = "21", Result: result = RESULT.test(end) ? end : "*" } = Object.fromEntries(tags);
  if (!/^[BW]:W[^:]*:B[^:]*$/.test(start) || !/^21\b/.test(kind)) return null;
  /** @type {NodeRead[]} */ const moves = [];
  let position = fromFen(start);
  for (const word of words.trim().split(/\s+/).map((each) => each.replace(NUMBER, "")).filter((each) => each && !RESULT.test(each))) {
    const [move, another] = legalMoves(position).filter((legal) => named(legal, word));
    if (!move || another) return null;
    moves.push({ move: move.text, text: word, path: move.path, captures: move.captures, nags: [], strength: "", before: [], comments: [], variations: [] });
    position = play(position, move);
  }
  return { offset: 0, line: 1, tags, variant: "english", start, result, opening: null, comments: [], moves, notes: [], unread: "" };
}
