// Arrows over a board, for moves that are only thought of. Nobody who cannot see them needs them: the moves are said
// beside the board.

import { ROWS, column, row } from "./rules.js";

/** @import {Side} from "./types" */

const NAMESPACE = "http://www.w3.org/2000/svg";

/** Makes the layer; gives what draws in it. @param {HTMLElement} board @returns {(arrows: {path: number[], kind: string}[], bottom: Side) => void} */
export function arrowLayer(board) {
  const layer = document.createElementNS(NAMESPACE, "g");
  layer.setAttribute("class", "arrows");
  layer.setAttribute("aria-hidden", "true");
  board.querySelector("svg").append(layer);
  let drawn = "";
  return (arrows, bottom) => {
    const mark = JSON.stringify([arrows, bottom]);
    if (mark === drawn) return; // the same again, many times a second
    drawn = mark;
    layer.innerHTML = arrows.map(({ path, kind }) => arrow(path.map((n) => place(n, bottom)), kind)).reverse().join("");
  };
}

/** The middle of a square. */
const place = (n, bottom) => [column(n), row(n)].map((v) => (bottom === "B" ? ROWS - 1 - v : v) * 10 + 5);

/** A way with a head at its end. */
function arrow(points, kind) {
  const [[x0, y0], [x, y]] = points.slice(-2);
  const length = Math.hypot(x - x0, y - y0);
  const [dx, dy] = [(x - x0) / length, (y - y0) / length];
  const at = (back, aside) => `${(x - back * dx - aside * dy).toFixed(2)} ${(y - back * dy + aside * dx).toFixed(2)}`;
  const way = [...points.slice(0, -1).map((point) => point.join(" ")), at(2.4, 0)];
  return `<g class="arrow ${kind}"><polyline points="${way.join(" ")}"/><path d="M${at(0.2, 0)}L${at(3.4, 2)}L${at(3.4, -2)}z"/></g>`;
}
