// The endgame databases in a thread of their own: the block is built when the thread begins, and answers as soon as it can;
// packed files of the server are asked for what it lacks.

import { loadCode } from "./files.js";
import { Known } from "./known.js";
import { KERNELS, PIECES } from "./slices.js";
import { Tables } from "./tables.js";

/** @import {EndingAnswer, EndingTask, Position} from "../types" */

/** Those who wait for a part of the block: each says whether it is there. @type {(() => boolean)[]} */
let waiting = [];
/** @type {Tables | undefined} */ let tables;
/** @type {Known} */ let known;

/** The next turn of the event loop, in which questions arrive. */
const pause = () => new Promise((done) => { setTimeout(done); });

const built = (async () => {
  tables = await Tables.make(await WebAssembly.compile(await loadCode("endgames.wasm", KERNELS)));
  known = new Known(tables);
  for (const _ of tables.solve()) {
    await pause();
    waiting = waiting.filter((there) => !there());
  }
})();
built.catch(({ message }) => postMessage({ message })); // the page goes on without

/** Comes to its end as soon as the part of the block that has a position is there. @param {Position} position */
const solved = (position) => new Promise((done) => {
  const there = () => {
    const found = !!tables?.value(position);
    if (found) done();
    return found;
  };
  if (!there()) waiting.push(there);
});

/** What is known of a question. @param {EndingTask} task @returns {Promise<Partial<EndingAnswer>>} */
async function answered({ want, position, left }) {
  if (!position) {
    await built;
    if (want === "block") return { bytes: tables.block.slice().buffer };
    const bytes = await known.values();
    return bytes ? { bytes } : {};
  }
  await (position.pieces.filter(Boolean).length > PIECES ? built : solved(position));
  if (!await known.reaches(position)) return {};
  if (want === "move") return { move: await known.root(position, left) };
  return want === "best" ? { best: await known.best(position) } : { exact: await known.exact(position) };
}

addEventListener("message", async ({ data: task }) => {
  const answer = await answered(task).catch(() => ({})); // what cannot be had is not known
  postMessage({ ...answer, id: task.id }, { transfer: "bytes" in answer ? [answer.bytes] : [] });
});
