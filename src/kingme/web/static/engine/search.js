// The engine of a page: buffers of its own around the kernels, which are WebAssembly. The twin of kingme.engine.local.
// Scores are hundredths of a man for the side to move; a win in n plies is WIN - n.

import { Directory, slicesOf } from "./directory.js";
import { AT } from "./layout.js";
import { SQUARES, legalMoves, other, play, row, sideOf } from "../rules.js";

/** @import {EngineInfo, Line, Limits, Move, Position, Preset} from "../types" */

const { WIN, INFINITY, DECIDED } = AT;
const DEEPEST = AT.PLIES - 28;
const BUCKET = 64;
const ENDLESS = 1n << 62n;
/** What counts as progress, as the kernels number it. */
const KINDS = { capture: 1, man_move: 2, promotion: 4 };

/** The bit of each square on the padded board; index 0 is unused. */
const BIT = [0n, ...SQUARES.map((n) => BigInt(9 * (row(n) >> 1) + 4 * (row(n) & 1) + ((n - 1) & 3)))];
const word = (squares) => squares.reduce((sum, n) => sum | (1n << BIT[n]), 0n);

/** The words of a position: own, opp, kings, black. @param {Position} position */
export function scalars({ pieces, turn }) {
  const of = (fits) => word(SQUARES.filter((n) => pieces[n] && fits(pieces[n])));
  return [of((p) => sideOf(p) === turn), of((p) => sideOf(p) === other(turn)), of((p) => p === sideOf(p)), turn === "B" ? 1n : 0n];
}

/** A move as the kernels pack it: two routes to one result are the same. @param {Move} move */
export const packed = ({ path, captures }) => word(captures) | (BIT[path[0]] << 36n) | (BIT[path[path.length - 1]] << 42n);

/** Plies until a game is over by force; null where it is not. */
export const pliesToEnd = (score) => (Math.abs(score) < DECIDED ? null : WIN - Math.abs(score));

/** The positions before the present one that it could still repeat. @param {Line} line */
function reversible({ positions, moves }) {
  let first = moves.length;
  while (first > 0 && moves.length - first < AT.PAST - 1) {
    const { path, captures } = moves[first - 1];
    if (captures.length || positions[first - 1].pieces[path[0]] !== positions[first - 1].turn) break;
    first--;
  }
  return positions.slice(first, moves.length);
}

export class Engine {
  /** Whether searches look in the endgame databases that it has. */
  looks = true;
  /** @type {Record<string, number>} where these are */ _known = { ENDGAMES: 0, PACKS: 0 };

  /** @param {WebAssembly.Module} module @param {{weights: ArrayBuffer, tableMib?: number, sight?: number, now?: () => number}} settings */
  static async make(module, { weights, tableMib = 16, sight = 1, now = () => performance.now() }) {
    const engine = new this();
    const imports = { env: { tick: () => +engine._ended() } };
    engine._kernels = (await WebAssembly.instantiate(module, imports)).exports;
    engine._now = now;
    engine._lay(weights, tableMib, sight);
    return engine;
  }

  /** Lays out the buffers behind the module's own data. */
  _lay(weights, tableMib, sight) {
    const { memory, __heap_base: base } = this._kernels;
    let buckets = 1;
    while (2 * buckets * BUCKET <= tableMib << 20) buckets *= 2;
    let end = Math.ceil(base.value / BUCKET) * BUCKET;
    const place = (bytes) => {
      const at = end;
      end = Math.ceil((end + bytes) / BUCKET) * BUCKET;
      return at;
    };
    this._places = { mem: place(AT.MEM_SIZE * 8), ctl: place(AT.CTL_SIZE * 8), weights: place(weights.byteLength), table: place(buckets * BUCKET) };
    this._buckets = buckets;
    this._room(end);
    const at = this._places.weights;
    new Uint8Array(memory.buffer, at, weights.byteLength).set(new Uint8Array(weights));
    this._ctl[AT.MASK] = BigInt(buckets - 1);
    this._ctl[AT.SIGHT] = BigInt(sight);
    this._ctl[AT.WEIGHTS] = BigInt(at);
  }

  /** Makes room in memory up to a place, which is where the rest begins. */
  _room(end) {
    const { memory } = this._kernels;
    const missing = end - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / 65536));
    const { mem, ctl, table } = this._places;
    this._mem = new BigUint64Array(memory.buffer, mem, AT.MEM_SIZE);
    this._ctl = new BigInt64Array(memory.buffer, ctl, AT.CTL_SIZE);
    this._table = new BigUint64Array(memory.buffer, table, this._buckets * BUCKET / 8);
    this._end = Math.ceil(end / BUCKET) * BUCKET;
  }

  /** Lets searches look few pieces up: the block, as tables.js builds it. @param {ArrayBuffer} block */
  solved(block) {
    const at = this._end;
    this._room(at + block.byteLength);
    new Uint8Array(this._kernels.memory.buffer, at).set(new Uint8Array(block));
    this._known.ENDGAMES = at;
  }

  /** Lets them look up who wins with more pieces than the block has: a packed file of values. @param {ArrayBuffer} file */
  told(file) {
    const view = new DataView(file);
    const slices = slicesOf(view);
    const at = this._end;
    this._room(at + Directory.room(slices, file.byteLength));
    const directory = new Directory(this._kernels.memory, at, this._known.ENDGAMES, view.getUint8(11), slices, file.byteLength);
    directory.bytes.set(new Uint8Array(file));
    for (const material of slices.keys()) directory.open(material);
    this._known.PACKS = at;
  }

  /** Forgets everything learnt from earlier searches. */
  clear() {
    this._table.fill(0n);
    this._ctl.fill(0n, AT.HISTORY);
    this._ctl[AT.AGE] = 0n;
  }

  /** Searches; each iteration gives an info, the last perhaps of a depth half done. @param {Line} line @param {Limits} limits @param {Preset} preset @returns {Generator<EngineInfo>} */
  * analyse(line, limits, preset) {
    const words = this._prepare(line, limits, preset);
    let score = 0;
    for (let depth = 1; depth <= Math.min(limits.depth ?? DEEPEST, DEEPEST); depth++) {
      score = this._deepen(words, depth, score);
      const stopped = this._get("STOP") !== 0;
      if (stopped && depth > 1 && this._get("DONE") === 0) return;
      yield this._info(line.positions[line.moves.length], depth, score);
      const plies = pliesToEnd(score);
      if (stopped || this._ended() || (plies !== null && plies <= depth)) return;
    }
  }

  /** Gives every legal move an exact score at the greatest depth that the limits allow. @param {Line} line @param {Limits} limits @param {Preset} preset */
  judge(line, limits, preset) {
    const words = this._prepare(line, limits, preset);
    const count = this._get("COUNT");
    const position = line.positions[line.moves.length];
    const moves = Array.from(this._mem.slice(0, count), (packedMove) => named(position, packedMove));
    let scores = moves.map(() => 0);
    let reached = 0;
    for (let depth = 1; depth <= Math.min(limits.depth ?? DEEPEST, DEEPEST); depth++) {
      this._scoreAll(words, depth);
      if (this._get("STOP") !== 0) break;
      scores = Array.from(this._ctl.slice(AT.ROOT_SCORES, AT.ROOT_SCORES + count), Number);
      reached = depth;
    }
    const best = scores.indexOf(Math.max(...scores));
    return { moves, scores, info: this._told(reached, scores[best], [moves[best]]) };
  }

  _get(name) {
    return Number(this._ctl[AT[name]]);
  }

  _ended() {
    return this._now() - this._began >= this._limit;
  }

  _prepare(line, { nodes, seconds }, preset) {
    const ctl = this._ctl;
    const set = (name, value) => { ctl[AT[name]] = BigInt(value); };
    const past = reversible(line);
    this._began = this._now();
    this._limit = seconds ? seconds * 1000 : Infinity;
    for (const name in this._known) set(name, this.looks ? this._known[name] : 0);
    set("STOP", 0);
    set("NODE_LIMIT", nodes ?? ENDLESS);
    set("RESETS", preset.progress.reduce((sum, kind) => sum + KINDS[kind], 0));
    set("QUIET_LIMIT", preset.progressPlies ?? 0);
    set("REPEATS", (preset.repetition ?? 3) - 1);
    set("AGE", (this._get("AGE") + 1) & 63);
    past.forEach((position, i) => { this._mem[AT.KEYS + i] = BigInt.asUintN(64, this._kernels.key_of(...scalars(position))); });
    set("ROOT", past.length);
    set("SAME", past.length);
    set("QUIET", quietPlies(line, preset));
    const words = scalars(line.positions[line.moves.length]);
    this._kernels.prepare(...words, this._places.mem, this._places.ctl);
    return words;
  }

  /** Searches one depth, given the score of the depth before. */
  _deepen(words, depth, last) {
    const { mem, ctl, table } = this._places;
    return Number(this._kernels.deepen(...words, BigInt(depth), BigInt(last), mem, ctl, table));
  }

  /** Scores every move at one depth. */
  _scoreAll(words, depth) {
    const { mem, ctl, table } = this._places;
    this._kernels.root(...words, BigInt(-INFINITY), BigInt(INFINITY), BigInt(depth), 1n, mem, ctl, table);
  }

  /** What the kernels found, in the words of the rules. */
  _info(position, depth, score) {
    return this._told(depth, score, this._pv(position, 0));
  }

  /** The line that was found for the root's move at a place of its list. */
  _pv(position, place) {
    const first = this._mem[place];
    const length = this._get("LENGTH");
    const found = Array.from(this._mem.slice(AT.LINES, AT.LINES + length));
    const pv = [];
    for (const packedMove of found[0] === first ? found : [first]) {
      const move = named(position, packedMove);
      pv.push(move);
      position = play(position, move);
    }
    return pv;
  }

  _told(depth, score, pv) {
    return { depth, score, nodes: this._get("NODES"), seconds: (this._now() - this._began) / 1000, pv };
  }
}

const MOVE = (1n << 48n) - 1n;

/** The first legal move that is packed as this word. */
const named = (position, packedMove) => legalMoves(position).find((move) => packed(move) === (packedMove & MOVE));

/** Plies since progress in the sense of a preset. @param {Line} line @param {Preset} preset */
export function quietPlies({ positions, moves }, { progress }) {
  let i = moves.length;
  for (; i > 0; i--) {
    const { path, captures, crowned } = moves[i - 1];
    const man = positions[i - 1].pieces[path[0]] !== positions[i - 1].turn;
    if ((captures.length && progress.includes("capture")) || (crowned && progress.includes("promotion")) || (man && progress.includes("man_move"))) break;
  }
  return moves.length - i;
}
