// Packed endgame values where kernels find them: the twin of kingme.engine.endgames.opened. The form of a file is told in
// kingme.engine.endgames.pack, that of the array of words in kingme.engine.kernels.packed.

import { ENTRY, HEAD, MORE, PACKED as P } from "./packed.js";
import { DIRECTORY, UNIT } from "./slices.js";

/** @import {PackedSlice} from "../types" */

/** Values before a symbol: three, and the beginning of a block. */
const ROWS = 4;
/** Bytes of the lengths of codes, and of the table that is made of them. */
const LENGTHS = ROWS * P.SYMBOLS;
const TABLE = (ROWS << P.PEEK) * 4;
const MATERIALS = 8 ** 4;

const even = (size) => Math.ceil(size / 8) * 8;
/** Which word of a directory is that of a material. */
export const entryOf = (men, kings, others, rulers) => men + 8 * kings + 64 * others + 512 * rulers;
/** Bytes of a file before its slices. @param {DataView} view its head */
export const headed = (view) => HEAD + ENTRY * view.getUint16(12, true);

/** What a file says of its slices, by their materials. @param {DataView} view the head and the directory @returns {Map<number, PackedSlice>} */
export function slicesOf(view) {
  const found = new Map();
  for (let at = HEAD; at < headed(view); at += ENTRY) {
    const counts = [0, 1, 2, 3].map((i) => view.getUint8(at + i));
    const [positions, bits, place, size] = [4, 44, 64, 72].map((i) => Number(view.getBigUint64(at + i, true)));
    found.set(entryOf(...counts), { positions, bits, place, size, value: view.getUint8(at + 39), parts: view.getUint32(at + 40, true) });
  }
  return found;
}

/** Where the parts of a slice of values begin in its file; all before the bits is the index. @param {PackedSlice} slice */
export function partsOf({ place, parts }) {
  const lengths = place + HEAD;
  const groups = lengths + even(LENGTHS);
  const sizes = groups + even(Math.ceil(parts / P.GROUP) * 4);
  return { lengths, groups, sizes, bits: sizes + even(parts * 2) };
}

export class Directory {
  /** Lays words, tables and room for a file of values out in a module's memory, which must have that much. @param {WebAssembly.Memory} memory @param {number} at a multiple of 64
   *  @param {number} block where the block is @param {number} pieces of the file @param {Map<number, PackedSlice>} slices @param {number} size of the file */
  constructor(memory, at, block, pieces, slices, size) {
    this._memory = memory;
    this._slices = slices;
    this.address = at;
    this._count = P.RECORDS;
    const raw = new Int32Array(memory.buffer, block + 4 * DIRECTORY, MATERIALS);
    this._tables = at + 8 * (P.RECORDS + P.STRIDE * (raw.filter(Boolean).length + slices.size));
    this._file = this._tables + TABLE * slices.size;
    this._size = size;
    this._words[P.PIECES] = BigInt(pieces);
    raw.forEach((start, material) => start && this._record(material, { FORM: P.RAW, BITS: block + UNIT * start }));
  }

  /** Bytes that it takes, at most. @param {Map<number, PackedSlice>} slices @param {number} size */
  static room(slices, size) {
    return 8 * (P.RECORDS + P.STRIDE * MATERIALS / 2) + TABLE * slices.size + size;
  }

  /** The file, of which parts may be filled in. */
  get bytes() {
    return new Uint8Array(this._memory.buffer, this._file, this._size);
  }

  /** Lets kernels read a slice, whose index must be there. @param {number} material */
  open(material) {
    const slice = this._slices.get(material);
    const record = { FORM: P.PACKED, DEFAULT: slice.value };
    if (slice.bits) {
      const { lengths, groups, sizes, bits } = partsOf(slice);
      const DECODING = this._tables;
      this._tables += TABLE;
      new Int32Array(this._memory.buffer, DECODING, TABLE / 4).set(decoding(this.bytes.subarray(lengths, lengths + LENGTHS)));
      Object.assign(record, { GROUPS: this._file + groups, SIZES: this._file + sizes, BITS: this._file + bits, DECODING });
    }
    this._record(material, record);
  }

  get _words() {
    return new BigInt64Array(this._memory.buffer, this.address);
  }

  _record(material, fields) {
    const words = this._words;
    for (const name in fields) words[this._count + P[name]] = BigInt(fields[name]);
    words[P.SLICES + material] = BigInt(this._count);
    this._count += P.STRIDE;
  }
}

/** The words by which symbols are read, given the lengths of their codes. @param {Uint8Array} lengths */
function decoding(lengths) {
  const table = new Int32Array(TABLE / 4).fill(P.BLOCK << 10);
  for (let row = 0; row < ROWS; row++) {
    const sizes = lengths.subarray(row * P.SYMBOLS, (row + 1) * P.SYMBOLS);
    const begin = row << P.PEEK;
    codes(sizes).forEach(([symbol, code]) => {
      for (let at = code; at < 1 << P.PEEK; at += 1 << sizes[symbol]) table[begin + at] = meaning(symbol, sizes[symbol]);
    });
  }
  return table;
}

/** Symbols with their codes, which are canonical and read from the lowest bit up. @param {Uint8Array} sizes */
function codes(sizes) {
  const used = [...sizes.keys()].filter((symbol) => sizes[symbol]).sort((a, b) => sizes[a] - sizes[b] || a - b);
  let code = 0;
  let before = 0;
  return used.map((symbol) => {
    code <<= sizes[symbol] - before;
    before = sizes[symbol];
    let turned = 0;
    for (let bit = 0; bit < before; bit++) turned |= (code >> bit & 1) << before - 1 - bit;
    code++;
    return [symbol, turned];
  });
}

/** What kernels need of a symbol, from the lowest bit: the value, the bits of the code, those that follow it, the shortest run. */
function meaning(symbol, size) {
  const kind = symbol % P.KINDS;
  const run = kind === P.ENDING ? P.BLOCK : kind < P.EXACT ? kind + 1 : 1 << MORE[kind];
  return Math.floor(symbol / P.KINDS) | size << 2 | MORE[kind] << 6 | run << 10;
}
