// The list of moves: one tab stop, and arrows lead through it.
import { moveText } from "./rules.js";

/** @import {Line, Style} from "./types" */

/** The number of the move that a ply belongs to. @param {Line} line @param {number} ply */
export const numberOf = ({ positions: [{ turn }] }, ply) => Math.ceil((ply + (turn === "W")) / 2);

/** Makes a list of moves; visit is called with a ply that is chosen. Gives what draws it. @param {HTMLElement} host @param {(ply: number) => void} visit */
export function moveList(host, visit) {
  let at = 0;
  host.addEventListener("click", ({ target }) => target.dataset.ply && visit(+target.dataset.ply));
  host.addEventListener("keydown", (event) => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, ArrowUp: at - 2, ArrowDown: at + 2, Home: 1, End: Infinity }[event.key];
    if (!to && to !== 0) return;
    event.preventDefault();
    visit(Math.max(to, 1));
  });
  /** Draws a line with the move after `ply` plies marked. @param {Line} line @param {number} ply @param {Style} style */
  return (line, ply, style) => {
    const focused = host.contains(document.activeElement);
    const rows = [];
    at = ply;
    line.moves.forEach((move, i) => {
      const n = numberOf(line, i + 1);
      rows[n] ??= line.positions[i].turn === "W" ? "<span>…</span>" : "";
      rows[n] += `<button type="button" data-ply="${i + 1}" tabindex="${i === Math.max(ply - 1, 0) ? 0 : -1}"${
        i + 1 === ply ? ' aria-current="true"' : ""}>${moveText(move, style)}</button>`;
    });
    host.innerHTML = rows.map((row) => `<li>${row}</li>`).join("");
    const current = host.querySelector("[tabindex='0']");
    if (current) host.scrollTop = current.offsetTop - host.clientHeight / 2;
    if (focused) current?.focus({ preventScroll: true });
  };
}
