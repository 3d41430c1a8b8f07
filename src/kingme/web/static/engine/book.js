// The opening book: what is played at once. The twin of kingme.engine.book, whose docstring tells the form of the file.

import { SQUARES, legalMoves, sideOf } from "../rules.js";

/** @import {Book, Move, Position} from "../types" */

/** Bytes of an entry without its moves: key, value of the best move, number of moves. */
const ENTRY = 11;

/** Reads what stands behind the head of the file. @param {ArrayBuffer} data @returns {Book} */
export function readBook(data) {
  const view = new DataView(data);
  const book = new Map();
  for (let at = 0; at < data.byteLength;) {
    const start = at + ENTRY;
    const moves = Array.from({ length: view.getUint8(at + 10) }, (_, i) => view.getUint16(start + 2 * i, true));
    book.set(view.getBigUint64(at, true), { value: view.getInt16(at + 8, true), moves });
    at = start + 2 * moves.length;
  }
  return book;
}

/** One of the moves that are at most so much worse than the best, by lot; undefined where the book has none. @param {Book} book @param {Position} position @param {number} spread @param {() => number} random @returns {{move: Move, score: number} | undefined} */
export function fromBook(book, position, spread, random) {
  const { pieces, turn } = position;
  if (pieces.some((piece) => piece && piece === sideOf(piece))) return undefined;
  const place = (n) => (turn === "B" ? n - 1 : 32 - n);
  const key = SQUARES.reduce((sum, n) => (pieces[n] ? sum | (1n << BigInt(place(n) + (sideOf(pieces[n]) === turn ? 0 : 32))) : sum), 0n);
  const { value, moves } = book.get(key) ?? { value: 0, moves: [] };
  const legal = new Map(legalMoves(position).map((move) => [place(move.path[0]) | (place(move.path[move.path.length - 1]) << 5), move]));
  const near = moves.filter((word) => word >> 10 <= spread && legal.has(word & 1023));
  if (!near.length) return undefined;
  const word = near[Math.floor(random() * near.length)];
  return { move: legal.get(word & 1023), score: value - (word >> 10) };
}
