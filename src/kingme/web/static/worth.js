// What an engine says of a position, in the words of players.

import { sideOf, other } from "./rules.js";
import { SIDES } from "./speech.js";

/** @import {AnalysisLine, Position, Side} from "./types" */

/** Hundredths of a man: from where on a side is better at all, better, much better; and a lead in pieces counts. */
const BETTER = 12;
const CLEARLY = 45;
const MUCH = 130;
const MATERIAL = 60;
/** From here on the endgame tables decide, unless a draw by the rules comes first. */
const LIKELY = 20000;

const COUNTS = ["", "a", "two", "three", "four", "five", "six"];
const lead = (n, one, many) => `${COUNTS[n] ?? n} ${n > 1 ? many : one} up`;

/** Pieces and kings that a side has more than the other. @param {Position} position @param {Side} side */
function more({ pieces }, side) {
  const sign = (piece) => (sideOf(piece) === side ? 1 : -1);
  const all = pieces.filter(Boolean);
  return { pieces: all.reduce((sum, piece) => sum + sign(piece), 0), kings: all.filter((piece) => piece < "a").reduce((sum, piece) => sum + sign(piece), 0) };
}

/** How many moves of the winner so many plies are. @param {number} plies */
const movesOf = (plies) => Math.ceil(plies / 2);

/** "in 9 moves", as players count: how long a forced win takes. @param {number} plies */
export const inMoves = (plies) => `in ${movesOf(plies)} move${plies > 2 ? "s" : ""}`;

/** "Black wins in 9 moves", "Draw", "White is a man up", "Even": what a line is worth to whom. @param {Pick<AnalysisLine, "score" | "result" | "plies">} line @param {Position} now @param {Position} end where the line leads */
export function verdict({ score, result, plies }, now, end) {
  const side = score >= 0 ? now.turn : other(now.turn);
  const name = SIDES[side];
  if (result === "draw") return "Draw";
  if (result) return plies ? `${name} wins ${inMoves(plies)}` : `${name} ${plies === 0 ? "has won" : "wins"}`;
  const size = Math.abs(score);
  if (size < BETTER) return "Even";
  if (size > LIKELY) return `${name} is winning`;
  const [before, after] = [now, end].map((position) => more(position, side));
  const verb = (had, has) => (had >= has ? "is" : "will be");
  if (size >= MATERIAL && after.pieces > 0) return `${name} ${verb(before.pieces, after.pieces)} ${lead(after.pieces, "man", "men")}`;
  if (size >= MATERIAL && after.pieces === 0 && after.kings > 0) return `${name} ${verb(before.kings, after.kings)} ${lead(after.kings, "king", "kings")}`;
  return `${name} is ${size < CLEARLY ? "slightly " : size < MUCH ? "" : "much "}better`;
}

/** "+0.41", "0.00", or how it ends: "Win in 9", for the side to move. @param {Pick<AnalysisLine, "score"> & Partial<AnalysisLine>} line */
export function figure({ score, result, plies }) {
  if (result === "draw") return "Draw";
  const end = result === "win" ? "Win" : "Loss";
  if (result) return plies ? `${end} in ${movesOf(plies)}` : end;
  if (Math.abs(score) > LIKELY) return score > 0 ? "Winning" : "Losing";
  return `${score < 0 ? "−" : score ? "+" : ""}${(Math.abs(score) / 100).toFixed(2)}`;
}

/** "1.2 million", "85 thousand", "640". @param {number} count */
export function amount(count) {
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)} million`;
  return count >= 1e4 ? `${Math.round(count / 1e3)} thousand` : `${count}`;
}
