// What the endgame databases say of positions: the block that this browser has built, and packed files of the server for
// one piece more. The twin of kingme.engine.endgames.tables and roots.

import { Directory, entryOf, partsOf } from "./directory.js";
import { AT } from "./layout.js";
import { PACKED } from "./packed.js";
import { Packs } from "./packs.js";
import { scalars } from "./search.js";
import { UNIT } from "./slices.js";
import { legalMoves, other, play, toFen } from "../rules.js";

/** @import {Exact, Move, Position} from "../types" */
/** @import {Tables} from "./tables.js" */

const VALUES = /** @type {const} */ (["draw", "loss", "win"]);
const AGAINST = { win: "loss", draw: "draw", loss: "win" };
const WASM_PAGE = 65536;

const count = ({ pieces }) => pieces.filter(Boolean).length;
const has = ({ pieces }, piece) => pieces.reduce((sum, one) => sum + +(one === piece), 0);
/** The material of a position, the side to move first. @param {Position} position */
const materialOf = (position) => entryOf(...[position.turn, other(position.turn)].flatMap((side) => [has(position, side.toLowerCase()), has(position, side)]));

export class Known {
  /** @type {?Promise<?Packs>} */ #packs = null;
  /** @type {Directory} */ #directory;
  /** @type {Map<number, ?Promise<void>>} materials whose index is there, or all */ #opened = new Map();

  /** @param {Tables} tables all solved, before more pieces are asked for */
  constructor(tables) {
    this.tables = tables;
  }

  /** The packed files; null where there are none, or none to be had just now. */
  packs() {
    this.#packs ??= Packs.open(this.tables.pieces + 1).catch(() => {
      this.#packs = null; // another question may find them
      return null;
    });
    return this.#packs;
  }

  /** The whole file of values, which then need not be asked for bit by bit; nothing where there is none. */
  async values() {
    const packs = await this.packs();
    if (!packs) return undefined;
    const directory = await this.#laid();
    const bytes = await packs.values.read(0, packs.values.size);
    directory.bytes.set(bytes);
    for (const material of packs.values.slices.keys()) {
      if (!this.#opened.has(material)) directory.open(material);
      this.#opened.set(material, null);
    }
    return bytes.buffer;
  }

  /** Whether a position can be asked for. @param {Position} position */
  async reaches(position) {
    if (count(position) <= this.tables.pieces) return true;
    return count(position) === this.tables.pieces + 1 && !!(await this.packs())?.distances;
  }

  /** The value for the side to move, and the plies to the end. Throws where that cannot be had. @param {Position} position @returns {Promise<Exact>} */
  async exact(position) {
    const value = await this.#value(position);
    return { value, plies: value === "draw" ? null : await this.#plies(position, value) };
  }

  /** The moves that win soonest, lose latest, or draw. @param {Position} position @returns {Promise<Move[]>} */
  async best(position) {
    const { value, plies } = await this.exact(position);
    const moves = await Promise.all(legalMoves(position).map(async (move) => {
      const after = play(position, move);
      const kept = await this.#value(after) === AGAINST[value];
      return kept && (plies === null || await this.#plies(after, AGAINST[value]) === plies - 1) ? move : null;
    }));
    return moves.filter(Boolean);
  }

  /** The move to play and its score, as kingme.engine.endgames.roots ranks them: that which wins soonest, loses latest, or draws with the
   *  fewest replies that hold; null where a draw rule may save the loser. @param {Position} position @param {?number} left plies until the rule, null for none */
  async root(position, left) {
    const routes = new Map(); // of several to one result the first stands for all
    for (const move of legalMoves(position)) {
      const after = play(position, move);
      if (!routes.has(toFen(after))) routes.set(toFen(after), { move, after });
    }
    const found = await Promise.all(Array.from(routes.values(), async (route) => ({ ...route, value: AGAINST[await this.#value(route.after)] })));
    const value = ["win", "draw", "loss"].find((one) => found.some((route) => route.value === one));
    const kept = found.filter((route) => route.value === value);
    const liking = await Promise.all(kept.map(({ after }) => (value === "draw" ? this.#safe(after) : this.#plies(after, AGAINST[value]))));
    const most = value === "loss" ? Math.max(...liking) : Math.min(...liking);
    const sure = left === null || most < left;
    if (value === "loss" && !sure) return null;
    const size = (sure ? AT.WIN : AT.LIKELY) - most - 1;
    return { text: kept[liking.indexOf(most)].move.text, score: { win: size, draw: 0, loss: -size }[value] };
  }

  /** The part of the replies that keep a draw. @param {Position} position */
  async #safe(position) {
    const values = await Promise.all(legalMoves(position).map((move) => this.#value(play(position, move))));
    return values.filter((value) => value === "draw").length / values.length;
  }

  async #value(position) {
    if (count(position) <= this.tables.pieces) return this.tables.value(position).value;
    const [first] = legalMoves(position);
    if (!first) return "loss";
    if (!first.captures.length) await this.#fill(position); // captures lead to what the block has
    const found = VALUES[Number(this.tables.kernels.value_of(...scalars(position), BigInt((await this.#laid()).address)))];
    if (!found) throw Error("there is no such slice");
    return found;
  }

  /** The plies to the end of a position that is won or lost. */
  async #plies(position, value) {
    if (count(position) <= this.tables.pieces) return this.tables.value(position).plies;
    const moves = legalMoves(position);
    if (value === "loss" && !moves[0]?.captures.length) {
      return moves.length ? (await this.packs()).plies(materialOf(position), this.#number(position)) : 0;
    }
    const after = new Map(moves.map((move) => play(position, move)).map((reached) => [toFen(reached), reached]));
    const plies = await Promise.all(Array.from(after.values(), async (reached) =>
      (value === "loss" || await this.#value(reached) === "loss" ? this.#plies(reached, AGAINST[value]) : Infinity)));
    return 1 + (value === "loss" ? Math.max(...plies) : Math.min(...plies));
  }

  #number(position) {
    return Number(this.tables.kernels.number_of(...scalars(position)));
  }

  /** Fetches what tells the value of a position without a jump due: the index of its slice, and its block. */
  async #fill(position) {
    const material = materialOf(position);
    const directory = await this.#laid();
    const { values } = await this.packs();
    const slice = values.slices.get(material);
    if (!this.#opened.has(material)) this.#opened.set(material, this.#index(material, slice));
    if (!this.#opened.get(material)) return; // all is there
    await this.#opened.get(material).catch((error) => {
      this.#opened.delete(material);
      throw error;
    });
    if (!slice.bits) return;
    const { groups, sizes, bits } = partsOf(slice);
    const view = new DataView(directory.bytes.buffer, directory.bytes.byteOffset);
    const block = Math.floor(this.#number(position) / PACKED.BLOCK);
    const group = Math.floor(block / PACKED.GROUP);
    let at = view.getUint32(groups + 4 * group, true);
    for (let i = group * PACKED.GROUP; i < block; i++) at += view.getUint16(sizes + 2 * i, true);
    const end = at + view.getUint16(sizes + 2 * block, true);
    if (end > at) await this.#copy(bits + (at >> 3), bits + (end + 7 >> 3));
  }

  async #index(material, slice) {
    if (slice.bits) await this.#copy(slice.place, partsOf(slice).bits);
    this.#directory.open(material);
  }

  async #copy(from, to) {
    const { values } = await this.packs();
    this.#directory.bytes.set(await values.read(from, to), from);
  }

  /** Where kernels read packed values, which is filled in bit by bit. */
  async #laid() {
    const packs = await this.packs();
    if (!packs) throw Error("there are no packed files");
    if (!this.#directory) {
      const { memory } = this.tables.kernels;
      const { slices, size } = packs.values;
      const at = memory.buffer.byteLength; // a multiple of pages, behind all that the block needs
      memory.grow(Math.ceil((Directory.room(slices, size) + UNIT) / WASM_PAGE));
      this.#directory = new Directory(memory, at, this.tables.address, this.tables.pieces + 1, slices, size);
    }
    return this.#directory;
  }
}
