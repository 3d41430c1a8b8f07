// The sentences of the game: what the page shows and what a screen reader hears.
import { letters } from "./rules.js";

/** @import {DrawCount, Outcome, Preset} from "./types" */

export const SIDES = { B: "Black", W: "White" };

export const square = (n, style) => (style === "letters" ? letters(n) : `${n}`);

const join = (words, type) => new Intl.ListFormat("en-GB", { type }).format(words);

/** "9, 14 or 18". */
export const choices = (squares, style) => join([...new Set(squares)].map((n) => square(n, style)), "disjunction");

export const pieceName = (piece) => `${/b/i.test(piece) ? "dark" : "light"} ${piece < "a" ? "king" : "man"}`;

/** "c3, square 22, dark king, can jump". */
export const cellName = (n, piece, notes) =>
  [letters(n), `square ${n}`, piece ? pieceName(piece) : "empty", ...notes].filter(Boolean).join(", ");

/** "White jumps from 22 over 18 and 11 to 8 and is crowned." */
export function moveSentence(side, { path, captures, crowned }, style) {
  const [from, to] = [path[0], path[path.length - 1]].map((n) => square(n, style));
  const over = captures[0] ? ` over ${join(captures.map((n) => square(n, style)))}` : "";
  return `${SIDES[side]} ${over ? "jumps" : "moves"} from ${from}${over} to ${to}${crowned ? " and is crowned" : ""}.`;
}

export const mustJump = (side, squares, style) => `${SIDES[side]} must jump, with the piece on ${choices(squares, style)}.`;

/** Why the game ended, in plain words. @param {Outcome} outcome @param {Preset} preset @param {Object<string, string>} [names] what the sides are called */
export function resultSentence({ winner, termination }, { progress, progressPlies }, names = SIDES) {
  const loser = names[winner === "B" ? "W" : "B"];
  const without = join(progress.map((kind) => "a " + kind.replace("_", "’s ")), "disjunction");
  const reasons = {
    no_pieces: `${loser} has no piece left.`,
    no_moves: `${loser} has no move left.`,
    resignation: `${loser} resigned.`,
    agreement: "Both players agreed.",
    repetition: "The same position came up for the third time.",
    no_progress: `${progressPlies / 2} moves each without ${without}.`,
    ply_cap: "The game reached its longest length.",
    timeout: `${loser}’s time ran out.`,
    desertion: `${winner ? loser : "A player"} left the game.`,
  };
  return `${winner ? names[winner] + " wins." : "The game is a draw."} ${reasons[termination]}`;
}

/** How near a draw is; "" while it is far; due: the player may claim one. @param {DrawCount} count @param {Preset} preset */
export function drawNote({ quiet, limit, repetitions, repetitionLimit }, { claimed }, due) {
  const each = limit ? Math.ceil((limit - quiet) / 2) : 99;
  if (due || (claimed && each < 1)) return "A draw can be claimed now.";
  if (repetitions >= repetitionLimit && repetitionLimit) return `This position has come up ${repetitions} times.`;
  if (repetitionLimit && repetitions === repetitionLimit - 1) {
    return `This position has come up twice; a third time ${claimed ? "can be claimed as" : "makes"} a draw.`;
  }
  return each < 11 ? `${each} ${each < 2 ? "move" : "moves"} each left until a draw${claimed ? " can be claimed" : ""}.` : "";
}
