// Every move of a position with few pieces, by the endgame tables of this browser.

import { best, covered, probe, reached } from "./endgames.js";
import { legalMoves, play } from "./rules.js";

/** @import {AnalysisInfo, AnalysisLine, Exact, Move, Position} from "./types" */

/** What a won game scores less the plies to its end, as the engine counts it. */
const WIN = 30000;
/** Plies of a line, at most. */
const LONGEST = 24;
/** Those of them that the server's files are asked for. */
const SLOW = 6;
const OTHER = { win: "loss", loss: "win", draw: "draw" };

/** The best lines, proved by the tables; null where they do not reach or cannot be had. @param {Position} position @param {number} count @returns {Promise<?AnalysisInfo>} */
export async function solved(position, count) {
  if (!reached(position)) return null;
  const moves = legalMoves(position);
  const found = await Promise.all(moves.map((move) => worth(play(position, move))));
  if (!moves.length || found.some((exact) => !exact)) return null;
  const lines = found.map((exact, i) => lineOf(moves[i], exact)).sort((a, b) => b.score - a.score).slice(0, count);
  await Promise.all(lines.map(async (line) => {
    const move = moves.find(({ text }) => text === line.pv[0]);
    line.pv.push(...await onward(play(position, move)));
  }));
  return { depth: 0, nodes: 0, nps: 0, seconds: 0, lines, done: true, proof: "database" };
}

/** What a position is worth to its side to move. @param {Position} position @returns {Promise<?Exact>} */
const worth = async (position) => (legalMoves(position).length ? probe(position) : { value: "loss", plies: 0 });

/** A move as a line of its own, by what stands after it. @param {Move} move @param {Exact} after @returns {AnalysisLine} */
function lineOf({ text }, { value, plies }) {
  const result = OTHER[value];
  const length = plies === null ? null : plies + 1;
  const score = { win: WIN - length, draw: 0, loss: length - WIN }[result];
  return { depth: 0, score, result, plies: length, pv: [text] };
}

/** Best play of both from a position on, until it ends, comes again or has been long enough. @param {Position} position */
async function onward(position) {
  const texts = [];
  const seen = new Set();
  let slow = SLOW;
  while (texts.length < LONGEST && (covered(position) || slow--) && !seen.has(`${position.turn}${position.pieces}`)) {
    seen.add(`${position.turn}${position.pieces}`);
    const [move] = reached(position) ? await best(position) : legalMoves(position);
    if (!move) break;
    texts.push(move.text);
    position = play(position, move);
  }
  return texts;
}
