// Written by scripts/wasm.py from kingme.engine.kernels.packed and
// kingme.engine.endgames.pack: not to be edited.
export const PACKED = {
  EXACT: 16,
  KINDS: 23,
  ENDING: 22,
  SYMBOLS: 69,
  PEEK: 9,
  BLOCK: 1024,
  GROUP: 16,
  PIECES: 0,
  SLICES: 8,
  RECORDS: 4104,
  STRIDE: 8,
  FORM: 0,
  DEFAULT: 1,
  GROUPS: 2,
  SIZES: 3,
  BITS: 4,
  DECODING: 5,
  RAW: 1,
  PACKED: 2,
};
/** Lower bits that follow each kind of run. */
export const MORE = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 5, 6, 7, 8, 9, 0];
/** Bytes of the head of a file and of a slice, and of an entry of the directory. */
export const HEAD = 64;
export const ENTRY = 128;
/** Positions of a block of distances. */
export const SPAN = 65536;
