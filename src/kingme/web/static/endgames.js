// The exact value of positions of few pieces: 2 to 4 offline, one more where the server has it. Asked in a worker, which
// begins with the first such question.

import { Endings } from "./engine/asking.js";
import { PIECES } from "./engine/slices.js";
import { row, sideOf } from "./rules.js";

/** @import {Exact, Move, Position} from "./types" */

const endings = new Endings(() => new Worker(new URL("engine/endings.js", import.meta.url), { type: "module" }));

/** Whether a position is one that the database has: few pieces, both sides there, no man on the row where it is crowned. @param {Position} position @param {number} [most] pieces */
export function covered({ pieces }, most = PIECES) {
  const found = pieces.filter(Boolean);
  return found.length <= most && new Set(found.map(sideOf)).size === 2
    && pieces.every((piece, n) => !(piece === "b" && row(n) === 7) && !(piece === "w" && row(n) === 0));
}

/** Whether something may be known of a position, be it by the server's files. @param {Position} position */
export const reached = (position) => covered(position, PIECES + 1);

/** The value for the side to move with best play of both, and the plies to the end, null for a draw; null where nothing is known. @param {Position} position @returns {Promise<Exact | null>} */
export async function probe({ pieces, turn }) {
  return (reached({ pieces, turn }) && (await endings.ask({ want: "exact", position: { pieces, turn } }))?.exact) || null;
}

/** The moves that win soonest, that lose latest, or that draw; none where nothing is known. @param {Position} position @returns {Promise<Move[]>} */
export async function best({ pieces, turn }) {
  return (reached({ pieces, turn }) && (await endings.ask({ want: "best", position: { pieces, turn } }))?.best) || [];
}

/** Answers another worker, at the other end of a channel. @param {MessagePort} port */
export const serve = (port) => endings.serve(port);
