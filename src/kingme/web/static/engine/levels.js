// How a level chooses its move, and whether it takes a draw. The twin of kingme.engine.thinking and kingme.engine.opponent.

import { fromBook } from "./book.js";
import { pliesToEnd } from "./search.js";
import { START, legalMoves, toFen } from "../rules.js";

/** @import {Engine} from "./search.js" */
/** @import {Book, EngineInfo, Level, Line, Move, Preset} from "../types" */

const VARIED_DEPTH = 9;
const VARIED_WHIM = 3;
/** Part of the time after which no deeper iteration is begun. */
const ENOUGH = 0.6;

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
    return pick(moves, scores, info, VARIED_WHIM, random);
  }
  let last;
  for (last of engine.analyse(line, { depth, seconds }, preset)) if (last.seconds > ENOUGH * seconds) break;
  return last;
}

/** @param {Engine} engine @param {Line} line @param {Level} level @param {Preset} preset @param {() => number} random */
function whimsical(engine, line, { depth, seconds, glance, oversight, whim }, preset, random) {
  let { moves, scores, info } = engine.judge(line, { depth, seconds }, preset);
  if (oversight) {
    const first = engine.judge(line, { depth: glance, seconds }, preset).scores;
    scores = scores.map((full, i) => (random() < oversight ? first[i] : full));
  }
  return pick(moves, scores, info, whim, random);
}

/** The move that is liked best, a whim added to what each is worth. @param {Move[]} moves @param {number[]} scores @param {EngineInfo} info */
function pick(moves, scores, info, whim, random) {
  let liking = scores.map((score) => score - whim + 2 * whim * random());
  const best = Math.max(...scores);
  if (best > 0 && pliesToEnd(best) !== null) liking = scores;
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
