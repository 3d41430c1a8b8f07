// A small board to look at: the position of a FEN, drawn with the pieces of the page.
import { column, fromFen, row } from "./rules.js";

/** @import {Side} from "./types" */

const squares = Array.from({ length: 32 }, (_, i) => i + 1).map((n) => `M${10 * column(n)} ${10 * row(n)}h10v10h-10z`).join("");

/** @param {string} fen @param {Side} bottom @param {?string} last the last move, whose squares are marked @returns {SVGElement} */
export function mini(fen, bottom, last) {
  const { pieces } = fromFen(fen);
  const xy = (n) => [column(n), row(n)].map((v) => (bottom === "B" ? 75 - 10 * v : 10 * v + 5));
  const path = (last?.match(/\d+/g) ?? []).map(Number);
  const marks = [path[0], path[path.length - 1]].filter(Boolean).map((n) => `<rect class="tint" x="${xy(n)[0] - 5}" y="${xy(n)[1] - 5}" width="10" height="10"/>`);
  const uses = pieces.map((piece, n) => piece && [`man-${piece.toUpperCase()}`, piece < "a" && `crown-${piece}`].filter(Boolean)
    .map((name) => `<use href="#${name}" x="${xy(n)[0]}" y="${xy(n)[1]}"/>`).join(""));
  const box = document.createElement("template");
  // The dark squares are the same from both sides.
  box.innerHTML = `<svg class="mini" viewBox="0 0 80 80" aria-hidden="true"><rect class="pale" width="80" height="80"/><path class="square" d="${squares}"/>${marks.join("")}${uses.join("")}</svg>`;
  return box.content.firstChild;
}
