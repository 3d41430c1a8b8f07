// The computer as an opponent, in a thread of its own: takes a game, gives a move, or says whether it takes a draw.

import { readBook } from "./book.js";
import { loadBody, loadKernels } from "./files.js";
import { Engine } from "./search.js";
import { accepts, choose } from "./levels.js";
import { START, fromFen, legalMoves, play } from "../rules.js";

/** @import {WorkerTask} from "../types" */

/** How long a question waits for the files, ms; meanwhile the server answers. */
const PATIENCE = 5000;

const ready = (async () => {
  const [code, weights, book] = await Promise.all([loadKernels(), loadBody("weights.bin", "KMWEIGHT"), loadBody("book.bin", "KINGBOOK")]);
  return { engine: await Engine.make(await WebAssembly.compile(code), { weights }), book: readBook(book) };
})();
const late = new Promise((_, fail) => { setTimeout(fail, PATIENCE, Error("The files are still on their way")); });

Promise.all([ready, late]).catch(() => {}); // who asks is told

/** The game played through. @param {WorkerTask} task */
function replay({ start, moves: texts }) {
  const positions = [fromFen(start ?? START)];
  const moves = texts.map((text, i) => {
    const move = legalMoves(positions[i]).find((legal) => legal.text === text);
    positions.push(play(positions[i], move));
    return move;
  });
  return { positions, moves };
}

addEventListener("message", async ({ data: task }) => {
  try {
    const { engine, book } = await Promise.race([ready, late]);
    const line = replay(task);
    const answer = task.what === "draw"
      ? { accepted: accepts(engine, line, task.level, task.preset) }
      : { move: choose(engine, line, task.level, task.preset, Math.random, book).pv[0].text };
    postMessage(answer);
  } catch ({ message }) {
    postMessage({ message }); // no answer: the page asks the server
  }
});
