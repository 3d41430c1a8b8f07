// The page of a puzzle: what is tried is answered on the board, and what came of it is counted on this device.
import "./board.js";
import { $, h, told } from "./dom.js";
import { look } from "./look.js";
import { legalMoves, moveText } from "./rules.js";
import { judged, lineOf } from "./solving.js";
import { SIDES, moveList, square } from "./speech.js";
import { counted, ended, following, keep, kept, streak } from "./tally.js";

/** @import {Move, Position, PuzzleData} from "./types" */

const PAUSE = 650; // milliseconds before an answer, so that both moves are seen

/** @type {PuzzleData} */ const puzzle = told();
const line = lineOf(puzzle);
const bottom = line.positions[0].turn;
const today = Math.max(puzzle.today, Math.floor(Date.now() / 86400000) + 719163); // days as Python counts them
const before = () => kept(today).tried[puzzle.name]; // how it went the first time, also in another tab
const asked = () => ({ 0: "You have tried this puzzle before, so it does not count anew.", 1: "You have solved this puzzle before, so it does not count anew." })[before()];
const board = $("board");
const listed = moveList($("moves"), (ply) => visit(ply));

let step = 0;
let state = "open"; // open: a move is to be found; busy: an answer comes; wrong: it is refuted; over
let hints = 0;
let clean = true; // nothing was wrong yet, and no help was taken
let words = "";

/** Shows a position on the board. @param {Position} position @param {?Move} last @param {boolean} [moved] whether that was played just now */
function show(position, last, moved) {
  const refusal = { open: "", busy: "Wait for the answer.", wrong: "Try again first.", over: "The puzzle is over." }[state];
  board.show({ position, moves: state === "open" ? legalMoves(position) : [], last, bottom, style: look.notation, refusal,
    lastWords: last ? moveText(last, look.notation) : "No move yet.", turnWords: words || $("goal").textContent }, moved ? last : null);
}

/** Says a sentence, in the place that is kept for it. */
function say(text, mood = "") {
  words = text;
  $("said").dataset.mood = mood;
  $("said").textContent = text;
}

const later = (act) => setTimeout(act, PAUSE);
const write = (move) => moveText(move, look.notation);

/** What was wrong or helped counts at once, what was right at the end. */
function spoil() {
  if (!clean) return;
  clean = false;
  keep(counted(kept(today), puzzle, false, today));
  tell();
}

/** Asks for the move of the step that one is at. */
function ask() {
  state = "open";
  hints = 0;
  show(line.positions[2 * step], line.moves[2 * step - 1] ?? null);
  draw();
}

/** Plays the line's own move, and what answers it. */
function advance(text = "") {
  state = "busy";
  const at = 2 * step;
  show(line.positions[at + 1], line.moves[at], true);
  draw();
  if (!line.moves[at + 1]) return finish(text);
  say(text || "Right.", "good");
  later(() => {
    step++;
    state = "open";
    hints = 0;
    show(line.positions[at + 2], line.moves[at + 1], true);
    say(`${text || "Right."} ${SIDES[line.positions[at + 1].turn]} answers ${write(line.moves[at + 1])}. Go on.`, "good");
    draw();
  });
}

function finish(text = "") {
  state = "over";
  const again = clean && before() !== undefined;
  keep(ended(kept(today), puzzle, clean, today));
  tell();
  say(text || (again ? "Solved. A first try alone counts." : clean ? "Solved." : "That is the solution."), "good");
  $("after").hidden = false;
  listed(line, line.moves.length, look.notation);
  focusAct("following"); // before the button that has the focus is hidden
  draw();
}

/** A move was tried. @param {Move} move */
function tried(move) {
  const found = judged(puzzle, line, step, move);
  if (found.kind === "right") return advance();
  state = "busy";
  show(found.after, move, true);
  draw();
  if (found.kind === "fair") {
    say(`${write(move)} is right too.`, "good");
    return later(() => advance(`${write(move)} is right too. The puzzle goes on with ${write(line.moves[2 * step])}.`));
  }
  spoil();
  say(`${write(move)} does not do it. ${puzzle.worse}`, "bad");
  later(() => {
    state = "wrong";
    if (found.reply) {
      show(found.end, found.reply, true);
      say(`${write(move)} is answered by ${write(found.reply)}. ${puzzle.worse}`, "bad");
    } else show(found.after, move);
    draw();
    focusAct("again");
  });
}

/** A hint tells the piece, the next one the move. */
function hint() {
  spoil();
  const move = line.moves[2 * step];
  hints++;
  const from = square(move.path[0], look.notation);
  say(hints === 1 ? `Move the piece on ${from}.` : `The move is ${write(move)}.`);
  show(line.positions[2 * step], { ...move, path: hints === 1 ? move.path.slice(0, 1) : move.path });
}

/** Plays what is left of the line. */
function solution() {
  spoil();
  state = "busy";
  draw();
  say(`The solution: ${line.moves.slice(2 * step).map(write).join(" ")}.`);
  const run = (ply) => {
    if (ply > line.moves.length) return finish(words);
    show(line.positions[ply], line.moves[ply - 1], true);
    later(() => run(ply + 1));
  };
  run(2 * step + 1);
}

/** Looks at the line after so many plies, when it is over. */
function visit(ply) {
  const at = Math.min(ply, line.moves.length);
  show(line.positions[at], line.moves[at - 1] ?? null);
  listed(line, at, look.notation);
}

/** Moves the focus to what comes next for those who do not use a pointer. */
function focusAct(id) {
  const active = document.activeElement;
  if (board.contains(active) ? !("pointer" in board.dataset) : $("acts").contains(active)) $(id).focus();
}

function draw() {
  $("again").hidden = state !== "wrong";
  $("hint").hidden = state === "wrong" || state === "over";
  for (const id of ["solution", "costs"]) $(id).hidden = state === "over";
  for (const id of ["hint", "solution"]) $(id).setAttribute("aria-disabled", `${state === "busy"}`);
  $("following").classList.toggle("primary", state === "over");
}

/** Shows how one has done. */
function tell() {
  const tally = kept(today);
  const results = Object.values(tally.tried);
  const best = (now, most) => [`${now}`, most > now && h("small", {}, ` best ${most}`)].filter(Boolean);
  $("rating").replaceChildren(results.length ? `${Math.round(tally.rating)}` : "–", results.length && tally.deviation > 110 ? h("small", {}, " so far") : "");
  $("solved").replaceChildren(`${results.filter(Boolean).length}`, h("small", {}, ` of ${results.length}`));
  $("run").replaceChildren(...best(tally.run, tally.bestRun));
  $("days").replaceChildren(...best(streak(tally, today), tally.bestDays));
}

const on = (id, act) => $(id).addEventListener("click", () => state !== "busy" && act());
on("again", () => {
  say("");
  ask();
  if (!("pointer" in board.dataset)) board.focus();
});
on("hint", hint);
on("solution", solution);
$("following").addEventListener("click", async (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  const { href } = $("following");
  const answer = await fetch("/api/puzzles").then((found) => found.json()).catch(() => null);
  const name = answer && following(answer.puzzles.map((found) => [found.name, found.rating]), kept(today), puzzle.name, Math.random());
  location.assign(name ? `/puzzles/${name}` : href);
});
board.addEventListener("move", ({ detail }) => tried(detail));
board.addEventListener("say", ({ detail: { text } }) => text && say(text));
addEventListener("storage", () => {
  tell();
  if (state === "open" && !step && clean && asked()) say(asked()); // tried in another tab
});
document.addEventListener("look", () => (state === "over" ? visit(line.moves.length) : state === "open" && ask()));

tell();
ask();
say(asked() ?? "Your move. Try it on the board.");
