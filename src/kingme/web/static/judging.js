// What each move of a game gave away, and what was there instead: the twin of kingme.analysis. No DOM, no state.
// Scale and thresholds come from the server, with the page.

import { legalMoves, play } from "./rules.js";
import { inMoves } from "./worth.js";

/** @import {Judgement, Move, Position, ReviewRules, Shot, Side, Verdict} from "./types" */

const OTHER = { win: "loss", loss: "win", draw: "draw" };
const NUMBERS = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
/** From these scores on the endgame database decides, unless a draw rule comes first. */
const LIKELY = [24000, 25000];

/** The points, from 0 to 1, that the side to move may expect. @param {Verdict} verdict @param {ReviewRules} rules */
export function expected({ result, score }, { scale }) {
  if (result) return { win: 1, draw: 0.5, loss: 0 }[result];
  return 1 / (1 + Math.exp(-Math.max(-2000, Math.min(2000, score)) / scale));
}

/** What the position before is worth by this very move, to the side that makes it; a forced end is a ply further away
 *  from there. @param {Verdict} verdict @param {Move} move @param {ReviewRules} rules @returns {Verdict} */
export const before = ({ score, line, result, plies, proof }, move, { nearWin }) => ({
  score: -score + (Math.abs(score) >= nearWin && Math.sign(score)), line: [move, ...line],
  result: result && OTHER[result], plies: plies === null ? null : plies + 1, proof,
});

/** What is known of a position without a legal move. @param {ReviewRules} rules @returns {Verdict} */
export const stuck = ({ win }) => ({ score: -win, line: [], result: "loss", plies: 0, proof: "rules" });

/** What a search says. @param {number} score @param {Move[]} line @param {ReviewRules} rules @returns {Verdict} */
export function searched(score, line, { win, nearWin }) {
  if (Math.abs(score) < nearWin) return { score, line, result: null, plies: null, proof: null };
  return { score, line, result: score > 0 ? "win" : "loss", plies: win - Math.abs(score), proof: "search" };
}

/** Judges a move by what its position was worth and what it left: gives the judgement, and what the position was worth
 *  after all, for the move before it. @param {number} ply @param {Position} position @param {Move} move
 *  @param {Verdict} found @param {Verdict} after @param {ReviewRules} rules @returns {Judgement} */
export function judge(ply, position, move, found, after, rules) {
  const played = before(after, move, rules);
  // What came of the move is the better evidence of what it was worth.
  const own = expected(played, rules) >= expected(found, rules) || found.line[0].text === move.text;
  const best = own ? played : found;
  let given = Math.max(0, expected(best, rules) - expected(played, rules));
  let mark = own ? "best" : rules.classes.find(({ least }) => given >= least)?.mark ?? "good";
  if (legalMoves(position).length === 1) [mark, given] = ["forced", 0];
  const sign = rules.classes.find((fault) => fault.mark === mark)?.sign ?? "";
  return {
    ply, position, move, best, after: played, mark, given, sign,
    missed: sign ? shotIn(position, best.line) : null,
    allowed: sign ? shotIn(play(position, move), after.line) : null,
  };
}

/** The shot that a line begins with: men are given, and more are taken for them. @param {Position} position @param {Move[]} line @returns {?Shot} */
function shotIn(position, line) {
  let given = 0;
  let taken = 0;
  let best = null;
  for (const [number, move] of line.entries()) {
    if (number % 2) {
      if (!move.captures.length) break;
      given += move.captures.length;
    } else taken += move.captures.length;
    position = play(position, move);
    const due = legalMoves(position)[0]?.captures.length > 0;
    if (number % 2 === 0 && !due && given && taken - given > (best ? best.taken - best.given : 0)) best = { given, taken, line: line.slice(0, number + 1) };
  }
  return best;
}

/** Plies of a better line that are shown, unless a shot or a forced end is longer. */
const SHOWN = 9;

/** What should have been played in the place of a fault, as far as that is shown. @param {Judgement} judgement */
export const betterLine = ({ best, missed }) => best.line.slice(0, Math.max(SHOWN, missed?.line.length ?? 0, Math.min(best.plies ?? 0, 2 * SHOWN)));

/** As players call it: "two for one". @param {Shot} shot */
export const shotName = ({ given, taken }) => `${NUMBERS[taken] ?? taken} for ${NUMBERS[given] ?? given}`;

/** A score in men, or in words where a game is decided. */
function scoreText(score, { win, nearWin }) {
  const size = Math.abs(score);
  if (size >= nearWin) return `${score > 0 ? "wins" : "loses"} ${inMoves(win - size)}`;
  if (size >= LIKELY[0] && size <= LIKELY[1]) return `${score > 0 ? "winning" : "losing"} by the database, but the draw rule may come first`;
  return `${score < 0 ? "-" : score ? "+" : ""}${(size / 100).toFixed(2)}`;
}

const was = ({ result, plies, score }, rules) => {
  if (!result) return `is worth ${scoreText(score, rules)}`;
  return result === "draw" ? "draws" : `${result === "win" ? "wins" : "loses only"} ${inMoves(plies)}`;
};

const is = ({ result, plies, score }, rules) => {
  if (!result) return scoreText(score, rules);
  return result === "draw" ? "only draws" : `${result === "win" ? "wins" : "loses"} ${inMoves(plies)}`;
};

/** What is wrong with a move, in a sentence or two; empty where nothing is. @param {Judgement} judgement @param {ReviewRules} rules */
export function words({ mark, sign, best, after, missed, allowed }, rules) {
  if (!sign) return "";
  return [
    `${mark[0].toUpperCase()}${mark.slice(1)}: ${best.line[0].text} ${was(best, rules)}, this ${is(after, rules)}.`,
    missed && `It misses a shot, ${shotName(missed)}.`,
    allowed && `It allows a shot, ${shotName(allowed)}: ${allowed.line[0].text}.`,
  ].filter(Boolean).join(" ");
}

/** How much a side kept of what it had, a move, from 0 to 1; null where it never had a choice. @param {Judgement[]} judgements @param {Side} side */
export function accuracy(judgements, side) {
  const kept = judgements.filter(({ position, mark }) => position.turn === side && mark !== "forced").map(({ given }) => 1 - given);
  return kept.length ? kept.reduce((sum, part) => sum + part, 0) / kept.length : null;
}

/** How many moves of a side are of a class. @param {Judgement[]} judgements @param {Side} side @param {string} mark */
export const count = (judgements, side, mark) => judgements.filter((found) => found.mark === mark && found.position.turn === side).length;

/** The points that Black may expect. @param {Position} position @param {Verdict} verdict @param {ReviewRules} rules */
export const blackPoints = ({ turn }, verdict, rules) => (turn === "B" ? expected(verdict, rules) : 1 - expected(verdict, rules));
