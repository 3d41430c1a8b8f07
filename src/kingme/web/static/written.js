// A game as PDN below its tags, with variations and what was said of the moves: as kingme.rules.pdn.write has it.

/** @import {NodeSaid} from "./types" */

const comment = (text) => `{${text.replaceAll("}", ")")}}`;

/** The words of a line. @param {NodeSaid[]} line @param {number} half half-moves before it @returns {Generator<string>} */
function* words(line, half) {
  let alone = true; // nothing stands before the move that would tell its number
  for (const { move, text, before = [], strength = "", nags = [], comments = [], variations } of line) {
    if (alone || before.length || half % 2 === 0) yield `${(half >> 1) + 1}.${half % 2 ? ".." : ""}`;
    yield* before.map(comment);
    yield (move ?? text) + strength;
    yield* nags.map((nag) => `$${nag}`);
    yield* comments.map(comment);
    for (const other of variations) yield `(${[...words(other, half)].join(" ")})`;
    alone = comments.length + variations.length > 0;
    half++;
  }
}

/** The lines of a game, none longer than 78 and none that begins with a mark of its own. @param {{comments?: string[], moves: NodeSaid[], result?: string}} game @param {number} half half-moves before the first one */
export function pdnText({ comments = [], moves, result = "*" }, half) {
  const text = [...comments.map(comment), ...words(moves, half), result].join(" ");
  return text.replace(/\s+/g, " ").replace(/ (?=[%[])/g, "\0").replace(/(\S.{0,77})(\s|$)/g, "$1\n").replaceAll("\0", " ");
}
