// The other side of a lesson that is played on: it defends as well as can be, and it knows when a win was let slip.
// With few pieces the endgame database answers, otherwise the engine.
import { best, covered, probe } from "./endgames.js";
import { legalMoves, other, outcome, play, sideOf } from "./rules.js";
import { SIDES, moveSentence } from "./speech.js";

/** @import {LessonStep, Level, Line, Move, Position, Preset} from "./types" */

/** Longest wait for the engine, ms. */
const PATIENCE = 8000;
let worker = null;

/** What follows the learner's move: the answer to it, and whether the task is done or lost. @param {Line} line @param {LessonStep} step
 *  @param {Preset} preset @param {Level} level @returns {Promise<{move?: Move, text: string, won?: boolean, lost?: boolean}>}
 *  @throws {Error} where neither the database nor the engine can be had */
export async function answer(line, step, preset, level) {
  const learner = line.positions[0].turn;
  const ended = judged(line, step, preset, learner);
  if (ended) return ended;
  const exact = await probe(now(line)); // for the side to move, the defence
  if (!exact && covered(now(line))) throw Error("The endgame database cannot be had");
  const slip = slipped(line, step, exact);
  if (slip) return { text: slip, lost: true };
  const move = await reply(line, step, preset, level);
  const after = { positions: [...line.positions, play(now(line), move)], moves: [...line.moves, move] };
  const said = moveSentence(other(learner), move, "numbers");
  const over = judged(after, step, preset, learner);
  return over ? { ...over, move, text: `${said} ${over.text}` } : { move, text: `${said} ${left(step, after)}` };
}

const now = ({ positions }) => positions[positions.length - 1];

/** How many moves the learner still has. */
function left({ kind, plies }, { moves }) {
  const rest = Math.ceil((plies - moves.length) / 2);
  return `${kind === "win" ? "You have" : "Hold for"} ${rest} more move${rest === 1 ? "" : "s"}.`;
}

/** Whether it is over: by the rules, or because the moves are used up. */
function judged(line, { kind, plies, after }, preset, learner) {
  const over = outcome(line.positions, line.moves, preset);
  if (over?.winner === learner) return { won: true, text: after };
  if (over?.winner) return { lost: true, text: `${SIDES[learner]} has lost. Start again.` };
  if (over) {
    const why = over.termination === "repetition" ? "The same position came up for the third time: a draw." : "A draw.";
    return kind === "hold" ? { won: true, text: `${why} ${after}` } : { lost: true, text: `${why} Start again, and make progress with each move.` };
  }
  if (line.moves.length < plies) return null;
  return kind === "hold" ? { won: true, text: after } : { lost: true, text: `That took too long: it can be done in fewer than ${Math.ceil(plies / 2)} moves. Start again.` };
}

/** What the learner's last move gave away; "" where it kept what there was, or nothing is known. */
function slipped(line, { kind, fen }, exact) {
  const text = line.moves[line.moves.length - 1].text;
  if (exact?.value === "win") return `After ${text} the other side wins. Start again.`;
  if (exact?.value === "draw" && kind === "win") return `${text} lets the win slip: now it is a draw. Start again.`;
  if (exact || kind === "hold") return "";
  const ahead = lead(now(line), fen[0]);
  return ahead < 1 ? `After ${text} you are no longer ahead, and the win is gone. Start again.` : "";
}

/** Pieces ahead of a side once all jumps are made. @param {Position} position @param {string} side @returns {number} */
function lead(position, side) {
  const jumps = legalMoves(position).filter(({ captures }) => captures.length);
  const values = jumps.map((jump) => lead(play(position, jump), side));
  if (values.length) return position.turn === side ? Math.max(...values) : Math.min(...values);
  return position.pieces.reduce((sum, piece) => sum + (piece ? (sideOf(piece) === side ? 1 : -1) : 0), 0);
}

/** The best defence. @returns {Promise<Move>} */
async function reply(line, { fen }, preset, level) {
  const legal = legalMoves(now(line));
  if (legal.length === 1) return legal[0];
  const known = covered(now(line)) ? await best(now(line)) : [];
  if (known.length) return known[Math.floor(Math.random() * known.length)];
  const text = await thought({ what: "reply", start: fen, moves: line.moves.map((move) => move.text), preset, level });
  const move = legal.find((one) => one.text === text);
  if (!move) throw Error("The engine cannot be had");
  return move;
}

/** The move that the engine finds, or nothing where it cannot be had; then the next question starts another. @returns {Promise<string | undefined>} */
function thought(task) {
  const asked = worker ??= started();
  return new Promise((done) => {
    const end = (text) => {
      clearTimeout(late);
      if (!text) {
        asked.terminate();
        worker = null;
      }
      done(text);
    };
    const late = setTimeout(end, PATIENCE);
    asked.onmessage = ({ data }) => end(data.move);
    asked.onerror = () => end();
    asked.postMessage(task);
  });
}

/** The engine, which is forgotten again where it could not be loaded before the first question. */
function started() {
  const made = new Worker("/static/engine/worker.js", { type: "module" });
  made.onerror = () => {
    if (worker === made) worker = null;
  };
  return made;
}

/** Fetches what a position will need, so that it is there when it is played on. @param {Position} position */
export function prepare(position) {
  if (covered(position)) probe(position);
  else worker ??= started();
}
