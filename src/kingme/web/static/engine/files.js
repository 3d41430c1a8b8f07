// The files of the engine, each proved whole before anything of it is used: what a bad line, a proxy or a full disk made
// of one would play rubbish. Their form is told in kingme.engine.weights and kingme.engine.book.

import { KERNELS } from "./layout.js";

/** Bytes at the head of a file: mark (8), layout, entries, CRC-32 of what follows, zero. */
const HEAD = 24;
const LAYOUT = "\u0001\0\0\0";

const CRC = Int32Array.from({ length: 256 }, (_, word) => {
  for (let bit = 0; bit < 8; bit++) word = (word >>> 1) ^ (word & 1 && 0xEDB88320);
  return word;
});

/** The CRC-32 of bytes, as zlib counts it. @param {ArrayBuffer} data */
export const crc = (data) => ~new Uint8Array(data).reduce((sum, byte) => CRC[(sum ^ byte) & 255] ^ (sum >>> 8), -1) >>> 0;

async function load(name) {
  const response = await fetch(new URL(name, import.meta.url));
  if (!response.ok) throw Error(`${name} cannot be loaded`);
  return response.arrayBuffer();
}

/** What stands behind the head of a file of this mark. @param {string} name @param {string} mark */
export async function loadBody(name, mark) {
  const data = await load(name);
  const body = data.slice(HEAD);
  if (new TextDecoder().decode(data.slice(0, 12)) !== mark + LAYOUT || new DataView(data).getUint32(16, true) !== crc(body)) throw Error(`${name} is damaged`);
  return body;
}

/** WebAssembly that must have this CRC-32. @param {string} name @param {number} sum */
export async function loadCode(name, sum) {
  const code = await load(name);
  if (crc(code) !== sum) throw Error(`${name} is damaged`);
  return code;
}

/** The kernels, which must be those that layout.js was written with. */
export const loadKernels = () => loadCode("kernels.wasm", KERNELS);
