// A puzzle being solved, as a value: where one is in its line, and what comes of a move. No DOM, no state.
import { fromFen, legalMoves, play, toFen } from "./rules.js";

/** @import {Line, Move, Position, PuzzleData} from "./types" */

/** The legal move of a text. @param {Position} position @param {string} text @returns {Move} */
export const moveOf = (position, text) => legalMoves(position).find((move) => move.text === text);

/** The whole line of a puzzle: at even places the positions of the solver. @param {PuzzleData} puzzle @returns {Line} */
export function lineOf({ fen, steps }) {
  const positions = [fromFen(fen)];
  const moves = [];
  for (const { accepted, reply } of steps) {
    for (const text of [accepted[0], reply]) {
      if (!text) continue;
      const position = positions[positions.length - 1];
      const move = moveOf(position, text);
      moves.push(move);
      positions.push(play(position, move));
    }
  }
  return { positions, moves };
}

/** What a move does at a step: "right" is the line's move or one to the same position, "fair" another that is accepted,
 *  "wrong" any other, with the reply that shows it. @param {PuzzleData} puzzle @param {Line} line @param {number} step @param {Move} move */
export function judged({ steps }, { positions, moves }, step, move) {
  const { accepted, refuted } = steps[step];
  const before = positions[2 * step];
  const after = play(before, move);
  if (toFen(after) === toFen(play(before, moves[2 * step]))) return { kind: "right", after };
  if (accepted.includes(move.text)) return { kind: "fair", after };
  const text = refuted[move.text];
  const reply = text ? moveOf(after, text) : null;
  return { kind: "wrong", after, reply, end: reply && play(after, reply) };
}
