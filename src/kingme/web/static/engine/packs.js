// The packed endgame files of the server: who wins, and in how many plies, of one piece more than the block has. The
// twin of kingme.engine.endgames.opened, but for where the bytes come from.

import { slicesOf, headed } from "./directory.js";
import { HEAD, SPAN } from "./packed.js";
import { Pages, fetched } from "./pages.js";

/** @import {PackedSlice} from "../types" */

/** Blocks of distances, unpacked, that are kept: 4 MiB. */
const KEPT = 64;

/** A file of packed slices. */
class Pack extends Pages {
  /** @type {Map<number, PackedSlice>} by material */ slices;

  /** Reads head and directory. */
  async open() {
    const head = await this.read(0, HEAD);
    const whole = await this.read(0, headed(new DataView(head.buffer)));
    this.slices = slicesOf(new DataView(whole.buffer));
    return this;
  }
}

export class Packs {
  /** @type {Map<number, Promise<number[]>>} where the blocks of a slice begin */ #places = new Map();
  /** @type {Map<string, Promise<Uint8Array>>} those used last come last */ #blocks = new Map();

  /** @param {Pack} values @param {Pack} [distances] */
  constructor(values, distances) {
    Object.assign(this, { values, distances });
  }

  /** Those of so many pieces; null where the server has none. Throws where that is not to be known. @param {number} pieces */
  static async open(pieces) {
    const response = await fetched("/api/endgames");
    const { packs } = await response.json();
    const [values, distances] = ["values", "distances"].map((wanted) => {
      const file = packs.find((pack) => pack.pieces === pieces && pack.kind === wanted);
      return file && new Pack(file).open();
    });
    return values ? new Packs(...await Promise.all([values, distances])) : null;
  }

  /** The plies of a lost position without a jump due. @param {number} material @param {number} number */
  async plies(material, number) {
    const which = Math.floor(number / SPAN);
    const key = `${material} ${which}`;
    const block = this.#blocks.get(key) ?? this.#block(material, which);
    this.#blocks.delete(key);
    this.#blocks.set(key, block);
    block.catch(() => this.#blocks.delete(key));
    if (this.#blocks.size > KEPT) this.#blocks.delete(this.#blocks.keys().next().value);
    return 2 * (await block)[number % SPAN];
  }

  /** Unpacks a block. */
  async #block(material, which) {
    const slice = this.distances.slices.get(material);
    const size = Math.min(SPAN, slice.positions - which * SPAN);
    if (!slice.bits) return new Uint8Array(size);
    if (!this.#places.has(material)) this.#places.set(material, this.#index(slice));
    const places = await this.#places.get(material).catch((error) => {
      this.#places.delete(material);
      throw error;
    });
    const [from, to] = places.slice(which, which + 2);
    if (from === to) return new Uint8Array(size);
    const packed = new Blob([await this.distances.read(from, to)]).stream();
    const block = await new Response(packed.pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
    if (block.byteLength !== size) throw Error("a block is damaged");
    return new Uint8Array(block);
  }

  /** Where the blocks of a slice begin, and where the last ends. @param {PackedSlice} slice */
  async #index({ place, parts }) {
    const bytes = await this.distances.read(place + HEAD, place + HEAD + 4 * parts);
    const places = [place + HEAD + Math.ceil(parts / 2) * 8];
    new Uint32Array(bytes.buffer).forEach((length, i) => places.push(places[i] + length));
    return places;
  }
}
