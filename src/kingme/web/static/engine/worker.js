// The computer as an opponent, in a thread of its own: takes a game, gives a move, or says whether it takes a draw.

import { Aid } from "./aid.js";
import { readBook } from "./book.js";
import { loadBody, loadKernels } from "./files.js";
import { Engine, quietPlies } from "./search.js";
import { PIECES } from "./slices.js";
import { accepts, choose } from "./levels.js";
import { START, fromFen, legalMoves, play } from "../rules.js";

/** @import {Book, Line, Preset, WorkerTask} from "../types" */

/** How long a question waits for the files, ms; meanwhile the server answers. */
const PATIENCE = 5000;
/** How long one waits for what the endgame databases know of the position itself, ms. */
const LOOK = 6000;
/** A level that looks so many plies ahead is bounded by time alone, and has all there is; the others need no databases. */
const FULL = 50;

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

const aid = new Aid(() => new Worker(new URL("endings.js", import.meta.url), { type: "module" }));

/** The move that the endgame databases know to be best; nothing where they do not. @param {Engine} engine @param {Line} line @param {Preset} preset @returns {Promise<string | undefined>} */
async function known(engine, line, preset) {
  const position = line.positions[line.moves.length];
  const give = () => aid.give(engine, position);
  if (position.pieces.filter(Boolean).length > PIECES + 1) {
    give(); // it is there when it is there
    return undefined;
  }
  const left = preset.progressPlies ? preset.progressPlies - quietPlies(line, preset) : null;
  const found = aid.ask({ want: "move", position, left }).then(async (answer) => answer?.move?.text ?? give());
  return Promise.race([found, new Promise((done) => { setTimeout(done, LOOK); })]);
}

/** @param {Engine} engine @param {Line} line @param {WorkerTask} task @param {Book} book */
async function reply(engine, line, { level, preset }, book) {
  const sure = engine.looks && await known(engine, line, preset);
  return sure || choose(engine, line, level, preset, Math.random, book).pv[0].text;
}

addEventListener("message", async ({ data: task }) => {
  try {
    const { engine, book } = await Promise.race([ready, late]);
    const line = replay(task);
    engine.looks = task.level.depth > FULL;
    const answer = task.what === "draw"
      ? { accepted: accepts(engine, line, task.level, task.preset) }
      : { move: await reply(engine, line, task, book) };
    postMessage(answer);
  } catch ({ message }) {
    postMessage({ message }); // no answer: the page asks the server
  }
});
