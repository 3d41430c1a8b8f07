// The endgame database in the browser: built here by the kernels of kingme.engine.endgames, byte for byte the same, and
// looked up. That takes a second or two, and no download but 21 kB.

import { DIRECTORY, MOVES, PAIRS, PIECES, SIZE, UNIT, WORKING } from "./slices.js";
import { legalMoves, play } from "../rules.js";
import { scalars } from "./search.js";

/** @import {Exact, Position} from "../types" */

const PAGE = 65536;
const SPAN = 35n;
/** Word of the head that holds how many pieces there may be. */
const COVERED = 2;

/** A set of squares as the other side sees it. @param {bigint} word */
function turned(word) {
  let other = 0n;
  for (let bit = 0n; bit < SPAN; bit++) if (word >> bit & 1n) other |= 1n << (SPAN - 1n - bit);
  return other;
}

export class Tables {
  /** An empty database, which `solve` fills. @param {WebAssembly.Module} module @param {number} [pieces] */
  static async make(module, pieces = PIECES) {
    const tables = new Tables();
    tables.pieces = pieces;
    tables.kernels = (await WebAssembly.instantiate(module, {})).exports;
    tables._lay();
    return tables;
  }

  /** Solves one pair of slices after the other, and pauses between them: what is solved can be asked. */
  * solve() {
    for (const pair of PAIRS.filter(([[men, kings, otherMen, otherKings]]) => men + kings + otherMen + otherKings <= this.pieces)) {
      this._solve(pair);
      for (const [men, kings, otherMen, otherKings, , start] of pair) {
        this._directory[men + 8 * kings + 64 * otherMen + 512 * otherKings] = start / UNIT;
      }
      yield;
    }
  }

  /** The database: head, directory, slices, as kernels read it. */
  get block() {
    return new Uint8Array(this.kernels.memory.buffer, this.address, SIZE);
  }

  /** Where it lies in the memory of the kernels. */
  get address() {
    return this._places.block;
  }

  /** The value of a position of 2 to 4 pieces for the side to move, and the plies to the end; null for one that is not solved. @param {Position} position @returns {Exact | null} */
  value(position) {
    const code = this._code(position);
    return code < 0 ? null : { value: code === 0 ? "draw" : code & 1 ? "loss" : "win", plies: code ? code - 1 : null };
  }

  /** The moves that win soonest, lose latest, or draw. @param {Position} position */
  best(position) {
    const code = this._code(position);
    const wanted = code > 0 ? code - 1 : 0;
    return code < 0 ? [] : legalMoves(position).filter((move) => this._code(play(position, move)) === wanted);
  }

  _lay() {
    const { memory, __heap_base: base } = this.kernels;
    let end = Math.ceil(base.value / UNIT) * UNIT;
    const place = (bytes) => {
      const at = end;
      end = Math.ceil((end + bytes) / UNIT) * UNIT;
      return at;
    };
    this._places = { block: place(SIZE), left: place(WORKING), moves: place(MOVES) };
    memory.grow(Math.max(0, Math.ceil((end - memory.buffer.byteLength) / PAGE)));
    new Int32Array(memory.buffer, this.address)[COVERED] = this.pieces;
    this._directory = new Int32Array(memory.buffer, this.address + 4 * DIRECTORY, 8 ** 4);
  }

  /** Fills the slices of a pair: the twin of kingme.engine.endgames.build. */
  _solve(pair) {
    const { begin, spread, memory } = this.kernels;
    const { block, left, moves } = this._places;
    const at = BigInt(block);
    const [[, , , , , first]] = pair;
    new Uint8Array(memory.buffer, left, WORKING).fill(0);
    const slices = pair.map(([men, kings, otherMen, otherKings, count, base], i) => ({
      base: BigInt(base),
      other: BigInt(pair[pair.length - 1 - i][5]),
      numbers: [men, kings, otherMen, otherKings, 0, count].map(BigInt),
    }));
    const start = BigInt(first);
    let largest = Math.max(...slices.map(({ base, numbers }) => Number(begin(block, left, at, base, start, ...numbers, moves))));
    for (let code = 1; code <= largest; code++) {
      for (const { base, other, numbers } of slices) {
        largest = Math.max(largest, Number(spread(block, block, left, at, BigInt(code), base, other, start, ...numbers)));
      }
    }
  }

  /** 0 a draw, n + 1 decided in n plies, -1 not solved. @param {Position} position */
  _code(position) {
    const [own, opp, kings, black] = scalars(position);
    if (!own) return 1;
    if (!opp) return legalMoves(position).length ? 2 : 1;
    const words = black ? [own, opp, kings] : [own, opp, kings].map(turned);
    return Number(this.kernels.lookup(...words, BigInt(this._places.block)));
  }
}
