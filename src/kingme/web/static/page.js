// The play page: its controls and words, the saved game, the computer's replies.
import "./board.js";
import { look } from "./look.js";
import { START, claims, drawCount, fromFen, legalMoves, moveText, other, outcome, play, sideOf, toFen } from "./rules.js";
import { SIDES, drawNote, moveList, moveSentence, numberOf, resultSentence } from "./speech.js";

/** @import {Game, Line, PageData} from "./types" */

// The game as a value: every change gives the next game; positions and most results are derived.

const KEY = "kingme.game" + location.pathname.slice(9); // each variant has its page, /variants/NAME

/** A new game. @returns {Game} */
const create = (settings) => ({ v: 1, rev: 0, start: null, moves: [], undone: [], mode: "computer",
  side: START[0], level: 3, preset: "standard", flip: false, result: null, ...settings });

/** The legal move of this very text, if there is one. */
const named = (position, text) => legalMoves(position).find((move) => move.text === text);

/** The game played through; throws where a move is not legal. @returns {Line} */
function replay({ start, moves: texts }) {
  const positions = [fromFen(start ?? START)];
  const moves = texts.map((text, i) => {
    const move = named(positions[i], text);
    positions.push(play(positions[i], move));
    return move;
  });
  return { positions, moves };
}

const push = (game, text) => ({ ...game, moves: [...game.moves, text], undone: [] });

/** How many plies undo takes back: to the start of the person's previous turn. */
function undoable({ mode, side }, { positions, moves }) {
  let i = moves.length - 1;
  while (mode !== "two" && i >= 0 && positions[i].turn !== side) i--;
  return i < 0 ? 0 : moves.length - i;
}

const undo = (game, plies) => ({ ...game, result: null, moves: game.moves.slice(0, -plies),
  undone: [...game.moves.slice(-plies), ...game.undone] });

/** Plays again what undo took back: one turn, with the computer's reply. */
function redo(game) {
  const plies = game.mode === "two" ? 1 : 2;
  return { ...game, moves: [...game.moves, ...game.undone.slice(0, plies)], undone: game.undone.slice(plies) };
}

/** What a saved game may hold besides its moves. */
const FORM = /^\[1,\d{1,15},"(computer|two)","[BW]",[1-8],(true|false),(null|\{"winner":("[BW]","termination":"resignation"|null,"termination":"(agreement|repetition|no_progress)")\})]$/;

/** Whether what a store holds is a game. */
function sound(game, presets) {
  const { v, rev, start, mode, side, level, preset, flip, result, moves, undone } = game;
  try {
    const { positions: [first] } = replay({ ...game, moves: [...moves, ...undone] });
    if (start !== null && toFen(first) !== start) return false;
  } catch {
    return false;
  }
  return FORM.test(JSON.stringify([v, rev, mode, side, level, flip, result])) && [moves, undone].every(Array.isArray)
    && presets.some(({ name }) => name === preset);
}

/** The saved game; undefined when there is none, null when it cannot be read. */
function load(presets) {
  try {
    const text = localStorage[KEY];
    const game = text ? create({ v: 0, ...JSON.parse(text) }) : undefined;
    return !game || sound(game, presets) ? game : null;
  } catch {
    return null;
  }
}

const bare = (game) => JSON.stringify({ ...game, rev: 0, flip: 0 });

/** Whether two games differ at most in how the board lies. */
const alike = (one, another) => bare(one) === bare(another);

/** Saves the game and gives it back, or the newer one that another tab has saved. */
function save(game, presets) {
  const stored = load(presets);
  if (stored?.rev > game.rev) return stored;
  const next = { ...game, rev: game.rev + 1 };
  try {
    localStorage[KEY] = JSON.stringify(next);
  } catch { /* no storage here: the game lives as long as the page */ }
  return next;
}

// The page.

const $ = (id) => document.getElementById(id);
/** @type {PageData} */
const { protocol, variant, presets, levels, link, linkError } = JSON.parse($("kingme-data").textContent);
const board = $("board");
const panel = $("panel");

/** @type {Game} */ let game;
/** @type {Line} */ let line;
let view = null; // the ply that is looked at; null: the game as it stands
let search = null; // the AbortController of the reply that is awaited
let trouble = ""; // why no reply came
let offered = null; // the moves after which a draw was offered
let loading = null; // notation.js on its way
let part = "./notation.js"; // under a new name after a failure: some browsers keep the failure
let worker = null; // the computer in this browser; false: it does not answer
let brief = 0; // what takes back a message that matters for a moment only
let warming = false; // the last reply was of a lower level than asked

const preset = () => presets.find(({ name }) => name === game.preset);
const result = () => game.result ?? outcome(line.positions, line.moves, preset());
const now = () => line.positions[line.moves.length];
const two = () => game.mode === "two";
const mine = () => two() || now().turn === game.side;
const notation = () => loading ??= import(part).catch(() => {
  loading = null;
  part += "?";
  throw Error("A part of the page cannot be loaded just now. Your game is kept.");
});
const words = (move) => moveText(move, look.notation);
const turnWords = () => (result() ? "The game is over." : two() ? `${SIDES[now().turn]} to move.` : mine() ? "Your turn." : "Computer’s turn.");
const sentence = (ply) => (ply ? moveSentence(line.positions[ply - 1].turn, line.moves[ply - 1], look.notation) : "No move yet.");

/** Says a sentence, even when it is the same again. */
function speak(text, region = "say") {
  $(region).textContent = $(region).textContent === text ? `${text}\u00a0` : text;
}

/** Shows a message, which scrolls where it is long. */
function print(text) {
  const message = $("message");
  clearTimeout(brief);
  message.textContent = text;
  if (message.scrollHeight > message.clientHeight + 1) message.tabIndex = 0;
  else message.removeAttribute("tabindex");
}

/** Shows a message and says it. */
function tell(text, region = "alert") {
  const words = text.replace(/^[a-z](?=[a-z]* )/, (first) => first.toUpperCase()).replace(/\w$/, "$&.")
    .replace(/(Legal: (?:\S+, ){7}\S+), (.+)\./, (_, some, rest) => `${some} and ${rest.split(", ").length} more.`);
  print(words);
  if (!words) return;
  speak(words, region);
  if (!board.contains(document.activeElement)) $("message").scrollIntoView({ block: "nearest" });
}

/** Opens a dialog of the page; gives whether the answer is yes, and the game still the one that was asked about. */
function ask(name, detail = "") {
  const dialog = $(`ask-${name}`);
  const asked = game;
  dialog.querySelector("b").textContent = detail;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((done) => { dialog.onclose = () => done(dialog.returnValue === "yes" && (alike(game, asked) || name === "link")); });
}

/** Makes a game the one on the page; stored: it was read, not played here; stay: an earlier move is still looked at. */
function take(next, stored, stay) {
  const before = game;
  const grown = game && !stay && `${next.moves.slice(0, -1)}` === `${game.moves}`;
  game = stored ? next : save(next, presets);
  if (before && alike(before, game)) return show();
  search?.abort();
  search = null;
  if (!stay) view = null;
  trouble = "";
  document.querySelector("dialog[open]:not(#ask-link, #ask-copy)")?.close("");
  tell("");
  line = replay(game);
  show(grown);
  if (game.moves !== next.moves) tell("This game went on in another tab. Here it is.");
  if (!stored || !document.hidden) think();
}

function move(text, stay) {
  take(push(game, text), false, stay);
  const over = result();
  const said = [sentence(line.moves.length), over ? resultSentence(over, preset()) : mine() ? [turnWords(), ...notes()].join(" ") : ""].join(" ").trim();
  if (stay) print(`The computer has moved. ${said}`);
  speak(said, over ? "alert" : "say");
}

/** What the player may now claim; null when there is nothing to do. */
const claimable = () => {
  const { progress, moves } = claims(line.positions, line.moves, preset());
  return mine() && (progress || moves.length) ? { progress, moves } : null;
};

/** What the player on the turn should know, the most pressing first. */
const notes = () => [drawNote(drawCount(line.positions, line.moves, preset()), preset(), claimable()),
  warming && "The engine is still warming up; a lower level answered.",
  mine() && legalMoves(now())[0].captures[0] && "A jump is compulsory."].filter(Boolean);

/** The computer in this browser; a variant is played by the server's. */
const engine = () => variant.name === "english" && (worker ??= new Worker("/static/engine/worker.js", { type: "module" }));

/** Asks it. A search cannot be called off: the worker goes, and the next question makes another; not after one that stayed silent. */
async function askHere(task, signal) {
  let late;
  try {
    return await new Promise((done, fail) => {
      if (!engine()) return fail();
      late = setTimeout(fail, 10000); // the server has as long again
      worker.onmessage = ({ data }) => done(data);
      worker.onerror = signal.onabort = fail;
      worker.postMessage(task);
    });
  } catch (event) {
    if (!worker) return null;
    worker.terminate();
    worker = event ? null : false;
  } finally {
    clearTimeout(late);
    signal.onabort = null;
  }
}

/** Asks the computer, here or else at the server, for its reply, or its answer to a draw offer; throws an Error that can be shown. */
async function consult(what, fits, signal) {
  const { preset: rules, start, moves, level } = game;
  const own = await askHere({ what, start, moves, preset: preset(), level: levels[level - 1] }, signal);
  if (own && fits(own)) return own;
  const response = await fetch(`/api/${what}`, { method: "POST", headers: { "Content-Type": "application/json" }, signal,
    body: JSON.stringify({ protocol, variant: variant.name, preset: rules, start, moves, level }) }).catch(() => null);
  const answer = await response?.json().catch(() => null);
  if (response?.ok && fits(answer ?? {})) return answer;
  throw Error(answer?.error?.message ?? "The computer cannot be reached just now. Your game is kept.");
}

/** Lets the computer answer when it is its turn. */
async function think() {
  if (search || trouble || mine() || result()) return;
  const control = search = new AbortController();
  const late = setTimeout(() => control.abort(), 20000);
  try {
    const [reply] = await Promise.all([consult("reply", (answer) => named(now(), answer.move), control.signal), new Promise((done) => { setTimeout(done, 350); })]);
    if (search !== control) return;
    warming = reply.level < reply.asked;
    move(reply.move, view !== null);
  } catch (error) {
    if (search !== control) return;
    search = null;
    trouble = error.message;
    show();
    tell(trouble);
  } finally {
    clearTimeout(late);
  }
}

/** Begins a new game; asks first when one is under way. */
async function begin(settings, question = "new") {
  if (question && (game.moves[0] || (game.start && game.start !== settings.start)) && !result() && !await ask(question)) return show();
  const { rev, mode, side, level, preset: rules } = game;
  warming = false;
  board.cancel();
  take(create({ rev, mode, side, level, preset: rules, ...settings }));
  speak(`New game. ${turnWords()}`);
  board.scrollIntoView({ block: "nearest" });
}

function conclude(winner, termination) {
  if (!result()) take({ ...game, result: { winner, termination } });
  tell($("message").textContent);
}

async function draw() {
  const asked = game;
  const opponent = two() ? SIDES[other(now().turn)] : "The computer";
  try {
    if (!two()) {
      offered = game.moves;
      show();
      tell("The computer considers your offer.", "say");
    }
    const accepted = two() ? await ask("draw", opponent)
      : (await consult("draw", (answer) => answer.accepted === !!answer.accepted, AbortSignal.timeout(20000))).accepted;
    if (!alike(game, asked)) return;
    if (accepted) conclude(null, "agreement");
    else tell(`${opponent} declines the draw.`);
  } catch (error) {
    if (!alike(game, asked)) return;
    offered = null;
    show();
    tell(error.message);
  }
}

async function claim() {
  const { progress, moves } = claimable();
  const termination = progress ? "no_progress" : "repetition";
  const reason = progress ? resultSentence({ winner: null, termination }, preset()).replace(/.*draw. /, "")
    : `With ${words(named(now(), moves[0]))} the position comes up for the third time.`;
  if (await ask("claim", reason)) conclude(null, termination);
}

async function resign() {
  const winner = other(two() ? now().turn : game.side);
  if (await ask("resign", SIDES[winner])) conclude(winner, "resignation");
}

async function copy(name, make) {
  let text;
  try {
    text = await make();
  } catch (error) {
    return tell(error.message);
  }
  try {
    await navigator.clipboard.writeText(text);
    tell(`${name} copied.`, "say");
    brief = setTimeout(() => { print(""); show(); }, 4000);
  } catch {
    ask("copy", text);
  }
}

/** Looks at the position after so many plies. */
function visit(ply) {
  view = ply < line.moves.length ? Math.max(ply, 0) : null;
  tell("");
  show();
  speak(view === null ? turnWords() : sentence(view));
}

const list = moveList($("moves"), visit);

/** What the buttons do, by their ids. */
const actions = {
  first: () => visit(0),
  previous: () => visit((view ?? line.moves.length) - 1),
  next: () => visit(view + 1),
  latest: () => visit(Infinity),
  back: () => visit(Infinity),
  undo() {
    if (board.cancel()) return tell("");
    take(undo(game, undoable(game, line)));
    speak(`Taken back. ${turnWords()}`);
  },
  redo() {
    take(redo(game));
    speak(`${sentence(line.moves.length)} ${turnWords()}`);
  },
  flip: () => take({ ...game, flip: !game.flip }),
  draw,
  claim,
  resign,
  new: async () => await ask("new") && begin({}, ""),
  rematch: () => begin({}),
  retry() {
    worker ||= null;
    trouble = "";
    tell("");
    show();
    think();
  },
  fen: () => copy("FEN", () => board.dataset.fen),
  pdn: () => copy("PDN", async () => (await notation()).record(game, line, result(), preset().title)),
};

/** Draws everything; grown: the last move is new. */
function show(grown) {
  const ply = view ?? line.moves.length;
  const over = result();
  const position = line.positions[ply];
  const last = line.moves[ply - 1] ?? null;
  const live = !over && view === null;
  const free = live && mine();
  const moves = free ? legalMoves(position) : [];
  board.show({ position, moves, last, bottom: game.flip ? other(game.side) : game.side, style: look.notation, turnWords: `There are no clocks. ${turnWords()}`,
    lastWords: sentence(ply), refusal: view === null ? turnWords() : "This is an earlier position. Go back to the game to move." }, grown && last);
  if (view === null && (over || trouble)) print(over ? resultSentence(over, preset()) : trouble);
  const status = !over ? turnWords().slice(0, -1) : two() || !over.winner ? "Game over" : over.winner === game.side ? "You win" : "You lose";
  $("status").textContent = status;
  document.title = `${status} – kingme`;
  $("note").textContent = view !== null ? view ? `Viewing move ${numberOf(line, view)}, ${words(last)}.` : "Viewing the start."
    : over ? "" : notes()[0] ?? (free && !ply ? "Choose a ringed piece, then its landing." : "");
  document.documentElement.dataset.mode = game.mode;
  Object.assign(panel.dataset, { claimed: preset().claimed, turn: over ? "" : position.turn,
    now: view !== null ? "back" : over ? "rematch" : trouble ? "retry" : mine() ? "" : "busy" });
  for (const side of ["B", "W"]) {
    const chip = $(`chip-${side}`);
    chip.querySelector("b").textContent = two() ? SIDES[side] : side === game.side ? "You" : "Computer";
    chip.querySelector("i").textContent = position.pieces.filter((piece) => sideOf(piece) === side).length;
  }
  const use = { redo: game.undone.length && !over, first: ply, previous: ply, next: view !== null,
    latest: view !== null, draw: free && preset().agreement && offered !== game.moves, claim: free && claimable(), resign: live };
  for (const id in use) $(id).ariaDisabled = !use[id];
  for (const id of ["mode", "side", "level", "preset"]) $(id).value = game[id];
  $("summary").textContent = preset().summary;
  list(line, ply, look.notation);
}

/** Takes the game that another tab has saved last, or asks for a reply that is due. */
function refresh() {
  const stored = load(presets);
  if (stored?.rev > game.rev || (stored?.rev === game.rev && !alike(stored, game))) take(stored, true);
  else if (!document.hidden) think();
}

async function open() {
  const saved = load(presets);
  take(saved ?? create({ preset: presets[0].name }), true);
  if (saved === null) tell("The saved game could not be read, so a new one begins.");
  if (linkError) tell(`This link cannot be opened. ${linkError}`);
  if (link) await begin(link, "link");
  if (location.search) history.replaceState(null, "", location.pathname);
}

board.addEventListener("move", ({ detail }) => move(detail.text));
board.addEventListener("route", () => { $("undo").ariaDisabled = !board.begun && !undoable(game, line); });
board.addEventListener("say", ({ detail: { text, read } }) => (read ? speak(text) : tell(text)));

document.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (!button || button.ariaDisabled === "true") return;
  actions[button.id]?.();
  if (!button.offsetParent) board.focus(); // it has gone
});

panel.addEventListener("change", ({ target: { id, value } }) => {
  if (id === "level") take({ ...game, level: +value });
  else if (id in game) begin({ [id]: value });
});

$("typed").addEventListener("submit", async (event) => {
  event.preventDefault();
  const input = $("move");
  try {
    if (view !== null || result() || !mine()) throw Error(view === null ? turnWords() : "Go back to the game to move.");
    const { parseMove } = await notation();
    move(parseMove(now(), input.value).text);
    input.value = "";
  } catch (error) {
    tell(error.message);
  }
});

document.addEventListener("look", () => show());
addEventListener("storage", refresh);
document.addEventListener("visibilitychange", refresh);
addEventListener("load", () => notation().then(engine).catch(() => {})); // so that neither typed moves nor a game need the server
addEventListener("online", () => trouble && actions.retry());
open();
