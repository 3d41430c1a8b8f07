// Analysis in a thread of its own: what it is told last is what it thinks about. ../analyst.js speaks with it.

import { Aid } from "./aid.js";
import { loadBody, loadKernels } from "./files.js";
import { Analyst } from "./lines.js";
import { PIECES } from "./slices.js";
import { START, fromFen, legalMoves, play } from "../rules.js";

/** @import {AnalystTask} from "../types" */

/** How long a slice is at first, then, and at most where it finds nothing new, ms. */
const FIRST = 30;
const USUAL = 100;
const LONGEST = 250;
/** How long the page has to prove a position with so few pieces, s; then it seems to need the search. */
const PROOF = 12;
/** MiB of the table; a device with little memory gets the smaller one. */
const TABLE = (navigator.deviceMemory ?? 8) < 4 ? 16 : 64;

const ready = (async () => {
  const [code, weights] = await Promise.all([loadKernels(), loadBody("weights.bin", "KMWEIGHT")]);
  return Analyst.make(await WebAssembly.compile(code), { weights, tableMib: TABLE });
})();
ready.catch(() => {}); // who asks is told

const { port1, port2 } = new MessageChannel();
/** Lets messages in. */
const breathe = () => new Promise((done) => {
  port1.onmessage = done;
  port2.postMessage(null);
});

/** The game played through. @param {AnalystTask} task */
function replay({ start, moves: texts }) {
  const positions = [fromFen(start ?? START)];
  const moves = texts.map((text, i) => {
    const move = legalMoves(positions[i]).find((legal) => legal.text === text);
    positions.push(play(positions[i], move));
    return move;
  });
  return { positions, moves };
}

/** @type {AnalystTask} */ let wanted;
/** @type {Aid} none where the page has no endgames */ let aid;

async function work(task) {
  const engine = await ready.catch(() => {
    throw Error("The engine cannot be loaded here.");
  });
  if (wanted !== task) return;
  const line = replay(task);
  const position = line.positions[line.moves.length];
  if (task.nodes) await aid?.give(engine, position); // so that the same comes of it every time
  if (wanted !== task) return;
  let calm = position.pieces.filter(Boolean).length <= PIECES + 1 ? PROOF : 0; // how long there may be no need to help
  engine.begin(line, task, task.preset);
  // What is bounded by nodes takes a moment, and without slices it comes to the same every time.
  let slice = task.nodes ? Infinity : FIRST;
  for (;;) {
    const rest = 1000 * (task.seconds ?? Infinity) - 1000 * engine.info.seconds;
    slice = engine.advance(Math.min(slice, rest)) ? USUAL : Math.min(1.5 * slice, LONGEST);
    const { info } = engine;
    if (info.seconds >= task.seconds) info.done = true;
    postMessage({ id: task.id, info });
    if (info.done) return;
    if (info.seconds >= calm) {
      aid?.give(engine, position);
      calm = Infinity;
    }
    await breathe();
    if (wanted !== task) return;
  }
}

addEventListener("message", ({ data: task }) => {
  if (task.port) {
    aid = new Aid(() => task.port);
    return;
  }
  wanted = task;
  if (task.moves) work(task).catch(({ message }) => postMessage({ id: task.id, message }));
});
