// The endgame database in a thread of its own: it is built when the thread begins, and answers as soon as it can.

import { loadCode } from "./files.js";
import { KERNELS } from "./slices.js";
import { Tables } from "./tables.js";

/** @import {EndingTask} from "../types" */

/** What waits for the part that answers it. @type {EndingTask[]} */
let waiting = [];
/** @type {Tables | undefined} */
let tables;

/** Whether a question could be answered. @param {EndingTask} task */
function answered({ id, position }) {
  const exact = tables?.value(position);
  if (exact) postMessage({ id, exact, best: tables.best(position) });
  return !!exact;
}

/** The next turn of the event loop, in which questions arrive. */
const pause = () => new Promise((done) => { setTimeout(done); });

addEventListener("message", ({ data }) => {
  if (!answered(data)) waiting.push(data);
});

(async () => {
  tables = await Tables.make(await WebAssembly.compile(await loadCode("endgames.wasm", KERNELS)));
  for (const _ of tables.solve()) {
    await pause();
    waiting = waiting.filter((task) => !answered(task));
  }
})().catch(({ message }) => postMessage({ message })); // the page goes on without
