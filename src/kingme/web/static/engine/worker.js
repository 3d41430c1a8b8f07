// The computer as an opponent, in a thread of its own: takes a game, gives a move, or says whether it takes a draw.

import { readBook } from "./book.js";
import { Engine } from "./search.js";
import { accepts, choose } from "./levels.js";
import { START, fromFen, legalMoves, play } from "../rules.js";

/** @import {WorkerTask} from "../types" */

/** Bytes at the head of the files of weights and of the book: see kingme.engine.weights and kingme.engine.book. */
const HEAD = 24;

const load = async (name) => {
  const response = await fetch(new URL(name, import.meta.url));
  if (!response.ok) throw Error(`${name} cannot be loaded`);
  return response.arrayBuffer();
};

const ready = (async () => {
  const [code, weights, book] = await Promise.all([load("kernels.wasm"), load("weights.bin"), load("book.bin")]);
  return { engine: await Engine.make(await WebAssembly.compile(code), { weights: weights.slice(HEAD) }), book: readBook(book.slice(HEAD)) };
})();

ready.catch(() => {}); // who asks is told

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
    const { engine, book } = await ready;
    const line = replay(task);
    const answer = task.what === "draw"
      ? { accepted: accepts(engine, line, task.level, task.preset) }
      : { move: choose(engine, line, task.level, task.preset, Math.random, book).pv[0].text };
    postMessage(answer);
  } catch ({ message }) {
    postMessage({ message }); // no answer: the page asks the server
  }
});
