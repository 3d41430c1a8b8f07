// A lesson: one step at a time, its board, and whether what is tried is right.
import "./board.js";
import { answer, prepare } from "./defence.js";
import { $, told } from "./dom.js";
import { keep, of } from "./progress.js";
import { fromFen, legalMoves, other, play } from "./rules.js";
import { SIDES, moveSentence } from "./speech.js";

/** @import {LessonStep, Line, Move} from "./types" */

const STYLE = "numbers"; // the texts speak of numbers
const PAUSE = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 650; // before an answer on the board, ms

const { name, steps, preset, level } = told();
const board = $("board");
const sections = [...document.querySelectorAll(".step")];
const done = new Set(of(name).done.filter((i) => i < steps.length));

let at = 0; // the step that is shown
/** @type {LessonStep} */ let step;
/** @type {Line} */ let line; // what was played in this step
let found = new Set(); // squares pointed at
let open = false; // whether the task waits for the learner
let turn = 0; // counts what was begun, so that what comes late is known to be late

const now = () => line.positions[line.moves.length];
const buttons = () => [...sections[at].querySelectorAll(".choices button")];
const cell = (n) => board.querySelector(`[data-square="${n}"]`);

/** Says something of a try: mood is "good", "bad" or "". */
function say(text, mood = "") {
  const said = $("said");
  said.dataset.mood = mood;
  said.textContent = said.textContent === text && text ? `${text}\u00a0` : text;
  if (text) (mood === "good" ? $("on") : said).scrollIntoView({ block: "nearest" });
}

/** Draws the position; played is the move that led to it. @param {Move} [played] */
function show(played) {
  const moving = ["moves", "win", "hold"].includes(step.kind);
  board.show({ position: now(), moves: open && moving ? legalMoves(now()) : [], last: line.moves.at(-1) ?? null, bottom: step.bottom, style: STYLE,
    refusal: moving && !open ? "Wait for the answer, or go on to the next step." : "", lastWords: line.moves.length ? sentence() : "No move yet.",
    turnWords: `${SIDES[now().turn]} to move.` }, played);
  mark();
  $("aids").hidden = !step.kind || step.kind === "choose";
  $("hint").hidden = !step.hint;
  $("show").hidden = ["win", "hold"].includes(step.kind);
  $("again").hidden = !["win", "hold"].includes(step.kind) && !(step.line?.length > 1);
  sections[at].toggleAttribute("data-done", done.has(at));
  document.body.dataset.task = open ? "open" : "done";
}

/** Marks the squares that the text speaks of, and those that were pointed at; the board draws without them. */
function mark() {
  for (const n of step.marks) cell(n).classList.add("marked");
  if (step.kind !== "point") return;
  board.querySelectorAll("[data-square]").forEach((node) => node.classList.add("point"));
  for (const n of found) {
    cell(n).classList.add("found");
    cell(n).ariaSelected = "true";
  }
}

const sentence = () => moveSentence(other(now().turn), line.moves.at(-1), STYLE);

function push(move) {
  line = { positions: [...line.positions, play(now(), move)], moves: [...line.moves, move] };
}

/** Begins the step anew. */
function reset() {
  turn++;
  line = { positions: [fromFen(step.fen)], moves: [] };
  found = new Set();
  open = !!step.kind;
  for (const button of buttons()) button.removeAttribute("aria-pressed");
  if (board.dataset.fen) board.cancel();
  say("");
  show();
}

/** Goes to a step. @param {number} i @param {boolean} [focus] whether its title gets the focus */
function go(i, focus) {
  at = i;
  step = steps[i];
  sections.forEach((section, k) => section.toggleAttribute("data-current", k === i));
  $("count").textContent = `Step ${i + 1} of ${steps.length}`;
  $("steps").style.setProperty("--part", `${(i + 1) / steps.length}`);
  $("back").setAttribute("aria-disabled", `${!i}`);
  $("on").textContent = i + 1 < steps.length ? "Next" : $("after").rel ? "Next lesson" : "All lessons";
  if (!step.kind) done.add(i);
  keep(name, i, [...done]);
  if (["win", "hold"].includes(step.kind)) prepare(fromFen(step.fen));
  reset();
  if (!focus) return;
  history.replaceState(null, "", `#${i + 1}`);
  sections[i].querySelector("h2").focus();
}

/** The task is done. */
function succeed(text) {
  open = false;
  done.add(at);
  keep(name, at, [...done]);
  show();
  const last = steps.every((_, i) => done.has(i)) ? " That was the whole lesson." : "";
  const active = document.activeElement; // by keyboard one lands on what comes next
  if (board.contains(active) ? !("pointer" in board.dataset) : active.matches(".text :focus-visible")) $("on").focus({ preventScroll: true });
  say(`${text || "Right."}${at + 1 === steps.length ? last : ""}`, "good");
}

/** Goes on after a pause, unless something else was begun. */
function soon(act) {
  const mine = turn;
  setTimeout(() => mine === turn && act(), PAUSE);
}

// What is asked, by its kind. A try is a move, a square or a word; it is answered with a reason.

const TRIES = {
  moves(move) {
    const accepted = step.line[line.moves.length].split("|");
    if (!accepted.includes(move.text)) {
      const known = line.moves.length ? null : step.wrong.find(([text]) => text === move.text);
      refuse(`${move.text}: ${known?.[1] ?? step.otherwise}`);
      return;
    }
    push(move);
    const answer = step.line[line.moves.length];
    if (!answer) return finish(move);
    open = false;
    show(move);
    say(line.moves.length + 1 < step.line.length ? "Good. Now the answer." : "Good.");
    soon(() => {
      answered(answer);
      if (!step.line[line.moves.length]) return succeed(step.after);
      open = true;
      show(line.moves.at(-1));
      say(`${sentence()} Go on.`);
    });
  },
  point(n) {
    if (found.has(n)) return;
    if (!step.answer.includes(n)) return say(step.squares[n] ?? step.otherwise, "bad");
    found.add(n);
    const rest = step.answer.length - found.size;
    if (!rest) return succeed(step.after);
    show();
    say(`Square ${n}: yes. ${rest} more.`);
  },
  choose(i) {
    const good = i === step.answer;
    buttons().forEach((button, k) => button.setAttribute("aria-pressed", `${k === i}`));
    const [, reason] = step.choices[i];
    if (good) succeed([reason, step.after].filter(Boolean).join(" "));
    else say(reason, "bad");
  },
  win: (move) => played(move),
  hold: (move) => played(move),
};

/** A legal move that is not right: it is taken back, and it is said why. */
function refuse(reason) {
  board.cancel();
  show();
  say(reason, "bad");
}

function finish(move) {
  succeed(step.after);
  show(move);
}

/** Plays the move of the other side. @param {string} text */
function answered(text) {
  push(legalMoves(now()).find((move) => move.text === text));
}

/** A move in a position that is played on. @param {Move} move */
async function played(move) {
  push(move);
  open = false;
  show(move);
  const mine = ++turn;
  say("The other side thinks.");
  const found = await answer(line, step, preset, level).catch(() => null);
  if (mine !== turn) return;
  if (!found) return unanswered();
  if (found.move) push(found.move);
  if (found.won) {
    succeed(found.text || step.after);
    return found.move && show(found.move);
  }
  open = !found.lost;
  show(found.move);
  say(found.text, found.lost ? "bad" : "");
}

/** The other side cannot be had: the move is taken back, to be made again. */
function unanswered() {
  line = { positions: line.positions.slice(0, -1), moves: line.moves.slice(0, -1) };
  open = true;
  show();
  say("The other side could not be loaded, so your move is taken back. Check the connection, then make it again.", "bad");
}

/** Shows the answer. */
function reveal() {
  const { kind } = step;
  reset();
  open = false;
  if (kind === "point") found = new Set(step.answer);
  if (kind !== "moves") return succeed(step.after);
  const next = () => {
    const text = step.line[line.moves.length]?.split("|")[0];
    if (!text) return succeed(step.after);
    answered(text);
    show(line.moves.at(-1));
    say(sentence());
    soon(next);
  };
  next();
}

// The page.

board.addEventListener("move", ({ detail }) => open && TRIES[step.kind](detail));
board.addEventListener("say", ({ detail: { text, read } }) => (read || step.kind !== "point") && text && say(text, read ? "" : "bad"));
board.addEventListener("route", mark);

/** The square that an event means, where squares are pointed at. */
const pointed = ({ target }) => (open && step.kind === "point" ? +(target.closest("[data-square]")?.dataset.square ?? 0) : 0);
board.addEventListener("click", (event) => pointed(event) && TRIES.point(pointed(event)));
board.addEventListener("keydown", (event) => ["Enter", " "].includes(event.key) && pointed(event) && TRIES.point(pointed(event)));

for (const section of sections) {
  section.querySelectorAll(".choices button").forEach((button, i) => button.addEventListener("click", () => TRIES.choose(i)));
}
$("again").onclick = reset;
$("hint").onclick = () => say(step.hint);
$("show").onclick = reveal;
$("back").onclick = () => at && go(at - 1, true);
$("on").onclick = () => (at + 1 < steps.length ? go(at + 1, true) : location.assign($("after").href));
addEventListener("hashchange", () => go(asked(), true));

/** The step that the address names, or else the one that was left; a lesson that is done begins anew. */
function asked() {
  const named = /^#(?:step-)?(\d+)$/.exec(location.hash)?.[1] - 1;
  const left = steps.every((_, i) => done.has(i)) ? 0 : of(name).at;
  return steps[named] ? named : steps[left] ? left : 0;
}

go(asked());
