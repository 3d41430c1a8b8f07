// The play page: its controls and words, the saved game, the computer's replies.
import "./board.js";
import * as games from "./game.js";
import { claims, drawCount, legalMoves, moveText, other, outcome, sideOf, toFen } from "./rules.js";
import { SIDES, drawNote, moveSentence, resultSentence } from "./speech.js";

/** @import {Game, Line, PageData} from "./types" */

const $ = (id) => document.getElementById(id);
/** @type {PageData} */
const { protocol, variant, presets } = JSON.parse($("kingme-data").textContent);
const board = $("board");
const panel = $("panel");
const root = document.documentElement;
const look = { theme: "system", board: "club", notation: "numbers", ...root.dataset };

/** @type {Game} */ let game;
/** @type {Line} */ let line;
let view = null; // the ply that is looked at; null: the game as it stands
let search = null; // the AbortController of the reply that is awaited
let trouble = false; // no reply came
let warming = false; // the last reply was of a lower level than asked

const preset = () => presets.find(({ name }) => name === game.preset);
const result = () => game.result ?? outcome(line.positions, line.moves, preset());
const now = () => line.positions[line.moves.length];
const two = () => game.mode === "two";
const mine = () => two() || now().turn === game.side;
const notation = () => import("./notation.js"); // only when it is needed
const words = (move) => moveText(move, look.notation);
const turnWords = () => (result() ? "The game is over." : two() ? `${SIDES[now().turn]} to move.` : mine() ? "Your turn." : "Computer’s turn.");
const sentence = (ply) => (ply ? moveSentence(line.positions[ply - 1].turn, line.moves[ply - 1], look.notation) : "No move yet.");
const number = (ply) => Math.ceil((ply + (line.positions[0].turn === "W")) / 2);

/** Says a sentence, even when it is the same again. */
function speak(text, region = "say") {
  $(region).textContent = $(region).textContent === text ? `${text}\u00a0` : text;
}

/** Shows a message and says it. */
function tell(text, region = "alert") {
  const words = text.replace(/^[a-z](?=[a-z]* )/, (first) => first.toUpperCase()).replace(/\w$/, "$&.");
  $("message").textContent = words;
  if (!words) return;
  speak(words, region);
  if (!board.contains(document.activeElement)) $("message").scrollIntoView({ block: "nearest" });
}

/** Opens a dialog of the page; gives whether the answer is yes. */
function ask(name, detail = "") {
  const dialog = $(`ask-${name}`);
  dialog.querySelector("b").textContent = detail;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((done) => { dialog.onclose = () => done(dialog.returnValue === "yes"); });
}

/** Makes a game the one on the page; stored: it was read, not played here. */
function take(next, stored) {
  const grown = game && `${next.moves.slice(0, -1)}` === `${game.moves}`;
  search?.abort();
  search = view = null;
  trouble = false;
  tell("");
  game = stored ? next : games.save(next, presets);
  line = games.replay(game);
  show(grown);
  if (game.moves !== next.moves) tell("This game went on in another tab. Here it is.");
  if (!stored || !document.hidden) think();
}

function move(text) {
  take(games.push(game, text));
  const said = sentence(line.moves.length);
  if (result()) speak(`${said} ${resultSentence(result(), preset())}`, "alert");
  else speak(mine() ? `${said} ${turnWords()}` : said);
}

/** Asks the server for the computer's reply, or its answer to a draw offer; throws an Error that can be shown. */
async function consult(what, signal) {
  const { preset, start, moves, level } = game;
  const response = await fetch(`/api/${what}`, { method: "POST", headers: { "Content-Type": "application/json" }, signal,
    body: JSON.stringify({ protocol, variant: variant.name, preset, start, moves, level }) }).catch(() => null);
  const answer = await response?.json().catch(() => null);
  if (response?.ok && answer) return answer;
  throw Error(answer?.error?.message ?? "The computer cannot be reached just now. Your game is kept.");
}

/** Lets the computer answer when it is its turn. */
async function think() {
  if (search || trouble || mine() || result()) return;
  const control = search = new AbortController();
  const late = setTimeout(() => control.abort(), 20000);
  try {
    const [reply] = await Promise.all([consult("reply", control.signal), new Promise((done) => { setTimeout(done, 350); })]);
    if (search !== control) return;
    const { text } = games.named(now(), reply.move);
    warming = reply.level < reply.asked;
    move(text);
  } catch (error) {
    if (search !== control) return;
    search = null;
    trouble = true;
    tell(error.message);
    show();
  } finally {
    clearTimeout(late);
  }
}

/** Begins a new game; asks first when one is under way. */
async function begin(settings, question = "new") {
  if (game.moves.length && !result() && !await ask(question)) return show();
  const { rev, mode, side, level, preset: rules } = game;
  warming = false;
  take(games.create({ rev, mode, side, level, preset: rules, ...settings }));
  speak(`New game. ${turnWords()}`);
  board.scrollIntoView({ block: "nearest" });
}

function conclude(winner, termination) {
  take({ ...game, result: { winner, termination } });
  tell($("message").textContent);
}

async function draw() {
  const asked = game;
  const opponent = two() ? SIDES[other(now().turn)] : "The computer";
  try {
    if (!two()) tell("The computer considers your offer.", "say");
    const accepted = two() ? await ask("draw", opponent)
      : (await consult("draw", AbortSignal.timeout(20000))).accepted;
    if (game !== asked) return;
    if (accepted) conclude(null, "agreement");
    else tell(`${opponent} declines the draw.`);
  } catch (error) {
    tell(error.message);
  }
}

async function claim() {
  const { progress, moves } = claims(line.positions, line.moves, preset());
  if (progress || await ask("claim", words(games.named(now(), moves[0])))) conclude(null, progress ? "no_progress" : "repetition");
}

async function resign() {
  const winner = other(two() ? now().turn : game.side);
  if (await ask("resign", SIDES[winner])) conclude(winner, "resignation");
}

async function copy(name, words) {
  const text = await words;
  try {
    await navigator.clipboard.writeText(text);
    tell(`${name} copied.`, "say");
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

/** What the buttons do, by their ids. */
const actions = {
  first: () => visit(0),
  previous: () => visit((view ?? line.moves.length) - 1),
  next: () => visit(view + 1),
  latest: () => visit(Infinity),
  back: () => visit(Infinity),
  undo() {
    if (board.cancel()) return tell("");
    take(games.undo(game, games.undoable(game, line)));
    speak(`Taken back. ${turnWords()}`);
  },
  redo() {
    take(games.redo(game));
    speak(`${sentence(line.moves.length)} ${turnWords()}`);
  },
  flip: () => take({ ...game, flip: !game.flip }),
  draw,
  claim,
  resign,
  new: () => begin({}),
  rematch: () => begin({}),
  retry() {
    trouble = false;
    tell("");
    show();
    think();
  },
  fen: () => copy("FEN", board.dataset.fen),
  pdn: () => copy("PDN", notation().then(({ record }) => record(game, line, result(), preset().title))),
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
  board.show({ position, moves, last, bottom: game.flip ? other(game.side) : game.side, style: look.notation, turnWords: turnWords(),
    lastWords: sentence(ply), refusal: view === null ? turnWords() : "This is an earlier position. Go back to the game to move." }, grown && last);
  if (over && view === null) $("message").textContent = resultSentence(over, preset());
  $("status").textContent = !over ? turnWords().slice(0, -1) : two() || !over.winner ? "Game over" : over.winner === game.side ? "You win" : "You lose";
  $("note").textContent = view !== null ? view ? `Viewing move ${number(view)}, ${words(last)}.` : "Viewing the start."
    : over ? "" : drawNote(drawCount(line.positions, line.moves, preset()), preset())
    || (warming ? "The engine is still warming up; a lower level answered." : moves[0]?.captures[0] ? "A jump is compulsory."
      : free && !ply ? "Choose a ringed piece, then its landing." : "");
  Object.assign(panel.dataset, { mode: game.mode, claimed: preset().claimed, turn: over ? "" : position.turn,
    now: view !== null ? "back" : over ? "rematch" : trouble ? "retry" : mine() ? "" : "busy" });
  for (const side of ["B", "W"]) {
    const chip = $(`chip-${side}`);
    chip.querySelector("b").textContent = two() ? SIDES[side] : side === game.side ? "You" : "Computer";
    chip.querySelector("i").textContent = position.pieces.filter((piece) => sideOf(piece) === side).length;
  }
  const claim = free && claims(line.positions, line.moves, preset());
  const use = { undo: games.undoable(game, line), redo: game.undone.length && !over, first: ply, previous: ply, next: view !== null,
    latest: view !== null, draw: free && preset().agreement, claim: claim && (claim.progress || claim.moves.length), resign: live };
  for (const id in use) $(id).ariaDisabled = !use[id];
  for (const id of ["mode", "side", "level", "preset"]) $(id).value = game[id];
  $("summary").textContent = preset().summary;
  list(ply);
}

/** The move list: one tab stop, and arrows lead through it. */
function list(ply) {
  const host = $("moves");
  const focused = host.contains(document.activeElement);
  const rows = [];
  line.moves.forEach((move, i) => {
    rows[number(i + 1) - 1] ??= line.positions[i].turn === "W" ? "<span>…</span>" : "";
    rows[number(i + 1) - 1] += `<button type="button" data-ply="${i + 1}" tabindex="${i === Math.max(ply - 1, 0) ? 0 : -1}"${
      i + 1 === ply ? ' aria-current="true"' : ""}>${words(move)}</button>`;
  });
  host.innerHTML = rows.map((row) => `<li>${row}</li>`).join("");
  const current = host.querySelector("[tabindex='0']");
  if (current) host.scrollTop = current.offsetTop - host.clientHeight / 2;
  if (focused) current?.focus({ preventScroll: true });
}

/** Takes a newer game that another tab has saved, or asks for a reply that is due. */
function refresh() {
  const stored = games.load(presets);
  if (stored?.rev > game.rev) take(stored, true);
  else if (!document.hidden) think();
}

async function open() {
  const saved = games.load(presets);
  take(saved ?? games.create(), true);
  if (saved === null) tell("The saved game could not be read, so a new one begins.");
  if (!location.search) return;
  try {
    const settings = await (await import("./link.js")).linked(location.search, presets);
    if (Object.keys(settings).length) await begin(settings, "link");
  } catch (error) {
    tell(`This link cannot be opened: ${error.message}`);
  }
  history.replaceState(null, "", location.pathname);
}

board.addEventListener("move", ({ detail }) => move(detail.text));
board.addEventListener("say", ({ detail: { text, read } }) => (read ? speak(text) : tell(text)));

document.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (!button || button.ariaDisabled === "true") return;
  if (button.dataset.ply) visit(+button.dataset.ply);
  else actions[button.id]?.();
  if (!button.offsetParent) board.focus(); // it has gone
});

panel.addEventListener("change", ({ target: { id, value } }) => {
  if (id === "level") take({ ...game, level: +value });
  else if (id in game) begin({ [id]: value });
});

$("moves").addEventListener("keydown", (event) => {
  const ply = view ?? line.moves.length;
  const to = { ArrowLeft: ply - 1, ArrowRight: ply + 1, ArrowUp: ply - 2, ArrowDown: ply + 2, Home: 1, End: Infinity }[event.key];
  if (!to && to !== 0) return;
  event.preventDefault();
  visit(Math.max(to, 1));
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

$("settings").addEventListener("change", ({ target: { name, value } }) => {
  look[name] = root.dataset[name] = value;
  try {
    localStorage.setItem("kingme.look", JSON.stringify(look));
  } catch { /* no storage here: the choice lives as long as the page */ }
  show();
});
for (const name in look) Object.assign(document.querySelector(`[name="${name}"][value="${look[name]}"]`) ?? {}, { checked: true });

addEventListener("storage", refresh);
document.addEventListener("visibilitychange", refresh);
addEventListener("online", () => trouble && actions.retry());
open();
