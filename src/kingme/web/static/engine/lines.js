// The engine for analysis: several lines of one position, in slices of time, so that a worker hears between them what
// is wanted next. A slice that ends within a depth loses little: what it has found stands in the table.

import { AT } from "./layout.js";
import { Engine, pliesToEnd } from "./search.js";
import { legalMoves } from "../rules.js";

/** @import {AnalysisInfo, AnalysisLine, Line, Limits, Preset} from "../types" */

const DEEPEST = AT.PLIES - 28;
const ENDLESS = 1n << 62n;
/** What the kernels set the stop flag to when the nodes are used up. */
const SPENT = 2;

export class Analyst extends Engine {
  /** Begins with the position at the end of a line. @param {Line} line @param {Limits & {lines?: number}} limits @param {Preset} preset */
  begin(line, { lines = 1, depth = DEEPEST, nodes }, preset) {
    this._position = line.positions[line.moves.length];
    this._words = this._prepare(line, {}, preset);
    this._nodes = nodes;
    this._deepest = Math.min(depth, DEEPEST);
    this._scores = Array(Math.min(lines, this._get("COUNT"))).fill(0);
    this._depth = 1; // what is being searched
    /** @type {AnalysisLine[]} */
    this._found = []; // so far at this depth
    /** @type {AnalysisLine[]} */
    this._before = []; // at the depth before
    this._spent = 0;
    this.over = !this._scores.length;
  }

  /** Goes on for so many milliseconds; tells whether anything new was found. @param {number} milliseconds */
  advance(milliseconds) {
    this._began = this._now();
    this._limit = milliseconds;
    this._ctl[AT.STOP] = 0n;
    let found = false;
    while (!this.over && this._next()) found = true;
    this._spent += this._now() - this._began;
    return found;
  }

  /** Searches for the next line; false where that was stopped. */
  _next() {
    const at = this._found.length;
    this._ctl[AT.SKIP] = BigInt(at);
    // Depth 1 is always searched whole, so that there is something to tell.
    this._ctl[AT.NODE_LIMIT] = this._nodes && this._depth > 1 ? BigInt(this._nodes) : ENDLESS;
    const score = this._deepen(this._words, this._depth, this._scores[at]);
    const stop = this._get("STOP");
    this.over = stop === SPENT;
    if (stop) return false;
    this._scores[at] = score;
    const plies = pliesToEnd(score);
    const result = plies === null ? null : score > 0 ? "win" : "loss";
    this._found.push({ depth: this._depth, score, result, plies, pv: this._pv(this._position, at).map(({ text }) => text) });
    if (this._found.length === this._scores.length) this._deeper();
    return true;
  }

  _deeper() {
    const certain = this._found.every(({ plies, depth }) => plies !== null && plies <= depth);
    this.over = certain || this._depth === this._deepest;
    this._before = this._found;
    if (!this.over) {
      this._found = [];
      this._depth++;
    }
  }

  /** What is known now. @returns {AnalysisInfo} */
  get info() {
    const heads = this._found.map(({ pv }) => pv[0]);
    const lines = [...this._found, ...this._before.filter(({ pv }) => !heads.includes(pv[0]))].slice(0, this._scores.length);
    const nodes = this._get("NODES");
    return {
      depth: this._before[0]?.depth ?? 0,
      nodes,
      nps: Math.round(nodes * 1000 / Math.max(this._spent, 1)),
      seconds: this._spent / 1000,
      lines: legalMoves(this._position).length ? lines.sort((a, b) => b.score - a.score) : [{ depth: 0, score: -AT.WIN, result: "loss", plies: 0, pv: [] }],
      done: this.over,
    };
  }
}
