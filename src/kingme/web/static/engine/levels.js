// How a level chooses its move, and whether it takes a draw. The twin of kingme.engine.thinking and kingme.engine.opponent.

import { fromBook } from "./book.js";
import { pliesToEnd } from "./search.js";
import { START, legalMoves, play, sideOf, toFen } from "../rules.js";

/** @import {Engine} from "./search.js" */
/** @import {Book, EngineInfo, Level, Line, Move, Position, Preset} from "../types" */

const VARIED_DEPTH = 9;
const VARIED_WHIM = 3;
/** Part of the time after which no deeper iteration is begun. */
const ENOUGH = 0.6;
const MAN = 100;
const CROWN = 30;
/** Hundredths of a man that nobody gives away who sees it. */
const CARELESS = 60;

/** An even game is drawn up to this advantage, in hundredths of a man; a bad one at any time. */
const EVEN = 12;
const WORSE = -60;
/** An even game is played on before so many plies, unless so few pieces are left. */
const YOUNG = 40;
const FEW = 8;
const OFFER = { depth: 13, seconds: 0.4 };

/** What a level plays; its move is the first of pv. @param {Engine} engine @param {Line} line @param {Level} level @param {Preset} preset @param {() => number} random @param {Book} book @returns {EngineInfo} */
export function choose(engine, line, level, preset, random, book) {
  const { depth, seconds, whim } = level;
  const now = line.positions[line.moves.length];
  const [only, second] = legalMoves(now);
  const known = second ? level.book && fromBook(book, now, level.book, random) : { move: only, score: 0 };
  if (known) return { depth: 0, score: known.score, nodes: 0, seconds: 0, pv: [known.move] };
  if (whim) {
    engine.clear();
    return whimsical(engine, line, level, preset, random);
  }
  if (line.moves.length < level.varied && toFen(line.positions[0]) === START) {
    const { moves, scores, info } = engine.judge(line, { depth: Math.min(depth, VARIED_DEPTH), seconds }, preset);
    return varied(moves, scores, info, random);
  }
  let last;
  for (last of engine.analyse(line, { depth, seconds }, preset)) if (last.seconds > ENOUGH * seconds) break;
  return last;
}

/** Some moves are looked at properly, and some only at first sight. @param {Engine} engine @param {Line} line @param {Level} level @param {Preset} preset @param {() => number} random */
function whimsical(engine, line, { depth, seconds, glance, oversight, whim }, preset, random) {
  // The glance comes first: what a proper look leaves in the table would sharpen it.
  const first = glance && engine.judge(line, { depth: glance, seconds }, preset).scores;
  const { moves, scores, info } = engine.judge(line, { depth, seconds }, preset);
  const sight = first || moves.map((move) => atOnce(line.positions[line.moves.length], move));
  const most = Math.max(...sight);
  const top = Math.max(...scores);
  return liked(moves, scores, info, scores.map((score, i) => {
    const overlooked = random() < oversight;
    const stray = -whim + 2 * whim * random();
    if (!overlooked && won(score)) return 2 * score;
    if (sight[i] <= most - CARELESS) return overlooked ? -Infinity : score - whim;
    return stray + (overlooked ? top + sight[i] - most : score);
  }));
}

/** What stands after a move, the jumps that answer it, and those back. @param {Position} position @param {Move} move */
const atOnce = (position, move) => standing(play(position, move), position.turn, 2);

/** @param {Position} position @param {"B" | "W"} side @param {number} jumps @returns {number} */
function standing(position, side, jumps) {
  const routes = jumps ? legalMoves(position).filter((move) => move.captures.length) : [];
  if (routes.length) {
    const after = routes.map((route) => standing(play(position, route), side, jumps - 1));
    return position.turn === side ? Math.max(...after) : Math.min(...after);
  }
  return position.pieces.reduce((sum, piece) => {
    const worth = piece && MAN + (piece === sideOf(piece) ? CROWN : 0);
    return sum + (sideOf(piece) === side ? +worth : -worth);
  }, 0);
}

/** Among moves of about the same value. @param {Move[]} moves @param {number[]} scores @param {EngineInfo} info @param {() => number} random */
function varied(moves, scores, info, random) {
  const liking = scores.map((score) => score - VARIED_WHIM + 2 * VARIED_WHIM * random());
  return liked(moves, scores, info, scores.some(won) ? scores : liking);
}

/** @param {number} score */
const won = (score) => score > 0 && pliesToEnd(score) !== null;

/** @param {Move[]} moves @param {number[]} scores @param {EngineInfo} info @param {number[]} liking @returns {EngineInfo} */
function liked(moves, scores, info, liking) {
  const at = liking.indexOf(Math.max(...liking));
  return moves[at] === info.pv[0] ? info : { ...info, score: scores[at], pv: [moves[at]] };
}

/** Whether the computer accepts a draw that the side to move offers. @param {Engine} engine @param {Line} line @param {Level} level @param {Preset} preset */
export function accepts(engine, line, level, preset) {
  if (!preset.agreement) return false;
  const limits = { ...OFFER, depth: Math.max(2, Math.min(level.depth, OFFER.depth)) };
  const infos = [...engine.analyse(line, limits, preset)];
  const advantage = -infos[infos.length - 1].score;
  const pieces = line.positions[line.moves.length].pieces.filter(Boolean).length;
  return advantage <= (line.moves.length < YOUNG && pieces > FEW ? WORSE : EVEN);
}
