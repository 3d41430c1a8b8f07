// The exact value of positions of 2 to 4 pieces, offline: built in a worker at the first such question.

import { PIECES } from "./engine/slices.js";
import { row, sideOf } from "./rules.js";

/** @import {Exact, Move, Position} from "./types" */

/** @type {Worker | null} none before the first question, and after one that could not be answered: the next tries again */
let worker = null;
/** @type {Map<number, (answer: {exact: Exact, best: Move[]} | null) => void>} */
const asked = new Map();
let count = 0;

/** Whether a position is one that the database has: few pieces, both sides there, no man on the row where it is crowned. @param {Position} position */
export function covered({ pieces }) {
  const found = pieces.filter(Boolean);
  return found.length <= PIECES && new Set(found.map(sideOf)).size === 2
    && pieces.every((piece, n) => !(piece === "b" && row(n) === 7) && !(piece === "w" && row(n) === 0));
}

/** The value for the side to move with best play of both, and the plies to the end, null for a draw; null where nothing is known. @param {Position} position @returns {Promise<Exact | null>} */
export async function probe(position) {
  return (await ask(position))?.exact ?? null;
}

/** The moves that win soonest, that lose latest, or that draw; none where nothing is known. @param {Position} position @returns {Promise<Move[]>} */
export async function best(position) {
  return (await ask(position))?.best ?? [];
}

/** @param {Position} position @returns {Promise<{exact: Exact, best: Move[]} | null>} */
function ask({ pieces, turn }) {
  if (!covered({ pieces, turn })) return Promise.resolve(null);
  worker ??= start();
  return new Promise((done) => {
    asked.set(++count, done);
    worker.postMessage({ id: count, position: { pieces, turn } });
  });
}

function start() {
  const started = new Worker(new URL("engine/endings.js", import.meta.url), { type: "module" });
  const fail = () => {
    worker = null;
    started.terminate();
    for (const done of asked.values()) done(null);
    asked.clear();
  };
  started.addEventListener("error", fail);
  started.addEventListener("message", ({ data }) => {
    if (!data.id) return fail();
    asked.get(data.id)(data);
    asked.delete(data.id);
  });
  return started;
}
