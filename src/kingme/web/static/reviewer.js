// Judges a game in the browser, from its end to its start: the engine and the endgame database of the page say what
// positions are worth, judging.js what that makes of the moves.

import { Analyst } from "./analyst.js";
import { best, probe, reached } from "./endgames.js";
import { judge, searched, stuck } from "./judging.js";
import { legalMoves, play, toFen } from "./rules.js";

/** @import {Judgement, Line, Move, Position, ReviewRules, Verdict} from "./types" */

export class Reviewer {
  /** @type {Verdict[]} what was found of each position */ verdicts = [];
  /** @type {Judgement[]} by ply; those at the end of the game come first */ judgements = [];
  /** Why it ended before its time; empty where it did not. */ trouble = "";
  #analyst = new Analyst();
  #next; // the ply whose position is looked at next
  #after; // what the position after that is worth
  #running = false;

  /** @param {Line} line @param {string} start FEN @param {number} nodes for each position @param {ReviewRules} rules @param {() => void} told hears of each step
   *  @param {object[]} known verdicts that are there already, by ply, with the texts of their lines */
  constructor(line, start, nodes, rules, told, known) {
    Object.assign(this, { line, start, nodes, rules, told, known });
    this.#next = line.moves.length;
  }

  /** Positions that are done. */
  get done() {
    return this.line.moves.length - this.#next;
  }

  get running() {
    return this.#running;
  }

  get complete() {
    return this.#next < 0;
  }

  /** What the last position is worth; undefined before that is known. */
  get last() {
    return this.verdicts[this.line.moves.length];
  }

  /** Goes on until all is judged, or until it is stopped. */
  async run() {
    if (this.#running) return;
    this.#running = true;
    this.trouble = "";
    try {
      while (this.#running && !this.complete) {
        const found = await this.#look(this.#next);
        if (!found || !this.#running) break;
        this.#take(found);
        if (!this.complete) this.told();
      }
    } catch ({ message }) {
      this.trouble = message;
    }
    this.#running = false;
    this.told();
  }

  stop() {
    this.#running = false;
    this.#analyst.stop();
  }

  /** @param {Verdict} found */
  #take(found) {
    const ply = this.#next--;
    const { positions, moves } = this.line;
    this.verdicts[ply] = found;
    if (ply === moves.length) {
      this.#after = found;
      return;
    }
    const judgement = judge(ply, positions[ply], moves[ply], found, this.#after, this.rules);
    this.judgements[ply] = judgement;
    this.#after = judgement.best;
  }

  /** What is known of the position after so many plies; null where it was stopped. @param {number} ply @returns {Promise<?Verdict>} */
  async #look(ply) {
    const { positions, moves } = this.line;
    const position = positions[ply];
    const known = this.known[ply];
    if (known) return { ...known, line: walked(position, known.line) };
    if (!legalMoves(position).length) return stuck(this.rules);
    if (reached(position)) {
      const exact = await probe(position);
      if (exact) return this.#lookedUp(position, exact);
    }
    const texts = moves.slice(0, ply).map(({ text }) => text);
    const info = await this.#analyst.analyse({ start: this.start, moves: texts, nodes: this.nodes });
    const found = info?.done && info.lines[0];
    return found ? searched(found.score, walked(position, found.pv), this.rules) : null;
  }

  /** What the endgame database says, with the line that it says is best. @param {Position} position @param {{value: string, plies: ?number}} exact @returns {Promise<Verdict>} */
  async #lookedUp(position, { value: result, plies }) {
    const { win, line: longest } = this.rules;
    const line = [];
    const seen = new Set([toFen(position)]);
    for (let now = position; line.length < longest;) {
      const [move] = await best(now);
      if (!move) break;
      line.push(move);
      now = play(now, move);
      if (seen.has(toFen(now))) break;
      seen.add(toFen(now));
    }
    const score = plies === null ? 0 : result === "win" ? win - plies : plies - win;
    return { score, line, result, plies, proof: "database" };
  }
}

/** The moves of a line. @param {Position} position @param {string[]} texts @returns {Move[]} */
function walked(position, texts) {
  const line = [];
  for (const text of texts) {
    const move = legalMoves(position).find((legal) => legal.text === text);
    if (!move) break;
    line.push(move);
    position = play(position, move);
  }
  return line;
}
