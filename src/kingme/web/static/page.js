// The play page: its controls and words, the saved game, the computer's replies.
import "./board.js";
import { consult, pause } from "./computer.js";
import * as games from "./game.js";
import { claims, drawCount, legalMoves, moveText, parseFen, parseMove, pdn, toFen } from "./rules.js";
import { SIDES, drawNote, moveSentence, resultSentence } from "./speech.js";

/** @import {Game, Line, Move, PageData, Side} from "./types" */

const $ = (/** @type {string} */ id) => document.getElementById(id);
/** @type {PageData} */
const { protocol, variant, presets, levels } = JSON.parse($("kingme-data").textContent);
const board = $("board");
const root = document.documentElement;
const look = { theme: "system", board: "club", notation: "numbers", ...root.dataset };

/** @type {Game} */ let game;
/** @type {Line} */ let line;
let view = null; // the ply that is looked at; null: the game as it stands
let search = null; // the AbortController of the reply that is awaited
let trouble = false; // no reply came
let warming = false; // the last reply was of a lower level than asked

const preset = () => presets.find(({ name }) => name === game.preset);
const result = () => games.ending(game, line, preset());
const now = () => line.positions[line.moves.length];
const mine = () => game.mode === "two" || now().turn === game.side;
const other = (/** @type {Side} */ side) => (side === "B" ? "W" : "B");
const sentence = (/** @type {number} */ ply) => (ply
  ? moveSentence(line.positions[ply - 1].turn, line.moves[ply - 1], look.notation) : "No move yet.");
const turnWords = () => (result() ? "The game is over." : game.mode === "two" ? `${SIDES[now().turn]} to move.`
  : mine() ? "Your turn." : "Computer’s turn.");

/** Says a sentence, even when it is the same again. @param {"say"|"alert"} region @param {string} text */
function speak(region, text) {
  $(region).textContent = $(region).textContent === text ? `${text}\u00a0` : text;
}

/** Shows a message and says it. @param {string} text @param {"say"|"alert"} [region] */
function tell(text, region = "alert") {
  $("message").textContent = text;
  if (text) speak(region, text);
}

/** Asks in the dialog; gives the value of the button. @param {string} title @param {string} text @param {Record<string, string>} buttons */
function ask(title, text, buttons) {
  const dialog = $("ask");
  dialog.querySelector("h2").textContent = title;
  dialog.querySelector("p").textContent = text;
  dialog.querySelector("div").replaceChildren(...Object.entries(buttons).map(([value, label]) =>
    Object.assign(document.createElement("button"), { value, textContent: label })));
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((done) => dialog.addEventListener("close", () => done(dialog.returnValue), { once: true }));
}

/** Makes a game the one on the page. @param {Game} next @param {boolean} [stored] it was read, not played here */
function take(next, stored) {
  const grown = game && next.moves.length === game.moves.length + 1 && `${next.moves}`.startsWith(`${game.moves}`);
  search?.abort();
  search = view = null;
  trouble = false;
  tell("");
  game = stored ? next : games.save(next, presets);
  line = games.replay(game);
  show(grown && game.moves.length === next.moves.length);
  if (game.moves !== next.moves) tell("This game went on in another tab. Here it is.");
  if (!stored || !document.hidden) think();
}

/** Plays a legal move. @param {string} text */
function move(text) {
  take(games.push(game, text));
  const over = result();
  speak(over ? "alert" : "say", [sentence(line.moves.length), over ? resultSentence(over, preset())
    : mine() ? turnWords() : ""].join(" ").trim());
}

/** Lets the computer answer when it is its turn. */
async function think() {
  if (search || trouble || mine() || result()) return;
  const control = search = new AbortController();
  const late = setTimeout(() => control.abort(), 20000);
  try {
    const [{ ply, move: text, level, asked }] = await Promise.all([consult("reply", request(), control.signal), pause(350)]);
    if (search !== control) return;
    if (ply !== line.moves.length) throw new Error("The computer answered to another position.");
    const reply = parseMove(now(), text);
    warming = level < asked;
    move(reply.text);
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

const request = () => ({ protocol, variant: variant.name, preset: game.preset, start: game.start, moves: game.moves, level: game.level });

/** Begins a new game; asks first when one is under way. @param {Partial<Game>} settings @param {string} [title] */
async function begin(settings, title = "Start a new game?") {
  const underway = game.moves.length && !result();
  if (underway && await ask(title, "The game in progress will be lost.", { yes: "Start new game", no: "Keep playing" }) !== "yes") return show();
  const { rev, mode, side, level, preset: rules } = game;
  warming = false;
  take(games.create({ rev, mode, side, level, preset: rules, ...settings }));
  speak("say", `New game. ${turnWords()}`);
}

/** Ends the game by what the players do. @param {?Side} winner @param {string} termination */
function conclude(winner, termination) {
  take({ ...game, result: { winner, termination } });
  tell(resultSentence(game.result, preset()));
}

async function offerDraw() {
  const asked = game;
  const { turn } = now();
  let accepted;
  if (game.mode === "two") {
    accepted = await ask(`${SIDES[turn]} offers a draw`, `${SIDES[other(turn)]}, do you accept?`, { yes: "Accept draw", no: "Decline" }) === "yes";
  } else {
    tell("The computer considers your offer.", "say");
    try {
      ({ accepted } = await consult("draw", request(), AbortSignal.timeout(20000)));
    } catch (error) {
      tell(error.message);
      return;
    }
  }
  if (game !== asked) return;
  if (accepted) conclude(null, "agreement");
  else tell(`${game.mode === "two" ? SIDES[other(turn)] : "The computer"} declines the draw.`);
}

async function claimDraw() {
  const { progress, moves } = claims(line.positions, line.moves, preset());
  const ways = Object.fromEntries(moves.map((text) => [text, `Claim, showing ${moveText(parseMove(now(), text), look.notation)}`]));
  const way = progress ? "progress" : await ask("Claim a draw?", "With this move the position comes up for the third time.", { ...ways, "": "Play on" });
  if (way) conclude(null, progress ? "no_progress" : "repetition");
}

async function resign() {
  const loser = game.mode === "two" ? now().turn : game.side;
  if (await ask(game.mode === "two" ? `${SIDES[loser]} resigns?` : "Resign this game?", `${SIDES[other(loser)]} wins then.`,
    { yes: "Resign", no: "Play on" }) === "yes") conclude(other(loser), "resignation");
}

/** @param {string} name @param {string} text */
async function copy(name, text) {
  try {
    await navigator.clipboard.writeText(text);
    tell(`${name} copied.`, "say");
  } catch {
    ask(name, text, { "": "Close" });
  }
}

function gamePdn() {
  const over = result();
  const name = (side) => (game.mode === "two" ? "?" : side === game.side ? "Player" : `kingme level ${game.level}`);
  return pdn({ ...line, startFen: game.start, preset: preset().title, black: name("B"), white: name("W"), event: "kingme",
    date: new Date().toLocaleDateString("sv").replaceAll("-", "."), result: !over ? "*" : over.winner ? (over.winner === "B" ? "1-0" : "0-1") : "1/2-1/2" });
}

/** Looks at the position after so many plies. @param {number} ply */
function visit(ply) {
  view = ply < line.moves.length ? Math.max(ply, 0) : null;
  show();
  speak("say", view === null ? turnWords() : sentence(view));
}

/** What the buttons do, by their ids. */
const actions = {
  first: () => visit(0),
  previous: () => visit((view ?? line.moves.length) - 1),
  next: () => visit(view + 1),
  latest: () => visit(Infinity),
  back: () => visit(Infinity),
  undo() {
    if (board.cancel()) return;
    take(games.undo(game, line));
    speak("say", `Taken back. ${turnWords()}`);
  },
  redo() {
    take(games.redo(game));
    speak("say", `${sentence(line.moves.length)} ${turnWords()}`);
  },
  flip: () => take({ ...game, flip: !game.flip }),
  draw: offerDraw,
  claim: claimDraw,
  resign,
  new: () => begin({}),
  rematch: () => begin({}),
  retry() {
    trouble = false;
    tell("");
    show();
    think();
  },
  fen: () => copy("FEN", toFen(line.positions[view ?? line.moves.length])),
  pdn: () => copy("PDN", gamePdn()),
};

/** Draws everything. @param {boolean} [grown] the last move is new */
function show(grown) {
  const ply = view ?? line.moves.length;
  const over = result();
  const position = line.positions[ply];
  const last = line.moves[ply - 1] ?? null;
  const free = !over && view === null && mine();
  const moves = free ? legalMoves(position) : [];
  board.show({ position, moves, last, bottom: game.flip ? other(game.side) : game.side, style: look.notation, turnWords: turnWords(),
    lastWords: sentence(ply), refusal: view === null ? turnWords() : "This is an earlier position. Go back to the game to move." }, grown && last);
  $("panel").dataset.busy = !over && !mine() && !trouble;
  $("status").textContent = !over ? turnWords().slice(0, -1) : game.mode === "two" || !over.winner ? "Game over"
    : over.winner === game.side ? "You win" : "You lose";
  if (over && view === null) $("message").textContent ||= resultSentence(over, preset());
  $("note").textContent = view !== null ? `Viewing ${view ? `move ${number(view)}, ${moveText(last, look.notation)}` : "the start"}.`
    : over ? "" : drawNote(drawCount(line.positions, line.moves, preset()), preset())
    || (warming ? "The engine is still warming up; a lower level answered." : moves[0]?.captures.length ? "A jump is compulsory." : "");
  for (const side of /** @type {Side[]} */ (["B", "W"])) {
    const chip = $(`chip-${side}`);
    chip.classList.toggle("turn", !over && position.turn === side);
    chip.querySelector("b").textContent = game.mode === "two" ? SIDES[side] : side === game.side ? "You" : `Computer ${game.level}`;
    chip.querySelector("i").textContent = position.pieces.filter((piece) => piece.toUpperCase() === side).length;
  }
  offer(ply, free, over);
  list(ply);
}

/** Shows which controls are of use now. */
function offer(ply, free, over) {
  const claim = free && claims(line.positions, line.moves, preset());
  const use = { undo: games.undoable(game, line), redo: game.undone.length && !over, first: ply, previous: ply, next: view !== null, latest: view !== null,
    draw: free && preset().agreement, claim: claim && (claim.progress || claim.moves.length), resign: !over && view === null };
  for (const [id, on] of Object.entries(use)) $(id).setAttribute("aria-disabled", !on);
  $("claim").hidden = !preset().claimed;
  $("back").hidden = view === null;
  $("retry").hidden = !trouble || view !== null;
  $("rematch").hidden = !over || view !== null;
  for (const name of ["mode", "side", "level", "preset"]) $(name).value = game[name];
  $("summary").textContent = preset().summary;
  $("panel").dataset.mode = game.mode;
}

const number = (/** @type {number} */ ply) => Math.ceil((ply + (line.positions[0].turn === "W" ? 1 : 0)) / 2);

/** The move list: one tab stop, and arrows lead through it. @param {number} ply */
function list(ply) {
  const host = $("moves");
  const focused = host.contains(document.activeElement);
  const rows = [];
  line.moves.forEach((move, i) => {
    const here = i + 1 === ply;
    const row = number(i + 1) - 1;
    rows[row] ??= line.positions[i].turn === "W" ? "<span>…</span>" : "";
    rows[row] += `<button type="button" data-ply="${i + 1}" tabindex="${here || (!ply && !i) ? 0 : -1}"${here ? ' aria-current="true"' : ""}>${
      moveText(move, look.notation)}</button>`;
  });
  host.innerHTML = rows.map((row) => `<li>${row}</li>`).join("");
  const current = host.querySelector("[tabindex='0']");
  if (current) host.scrollTop = ply ? current.offsetTop - host.clientHeight / 2 : 0;
  if (focused) current?.focus({ preventScroll: true });
}

/** A newer game that another tab has saved, or a reply still to be asked for. */
function refresh() {
  const stored = games.load(presets);
  if (stored && stored.rev > game.rev) take(stored, true);
  else if (!document.hidden) think();
}

/** The game that the address asks for: ?fen= &mode=two &side=white &level=3 &preset=tournament. */
function linked() {
  const asked = Object.fromEntries(new URLSearchParams(location.search));
  /** @type {Partial<Game>} */
  const settings = {};
  if (asked.fen) {
    const position = parseFen(asked.fen);
    settings.start = toFen(position);
    settings.side = position.turn;
  }
  if (asked.mode) settings.mode = asked.mode === "two" ? "two" : "computer";
  if (asked.side) settings.side = /^[wl]/i.test(asked.side) ? "W" : "B";
  if (asked.level) settings.level = levels.find(({ number: n }) => n === +asked.level)?.number ?? game.level;
  if (asked.preset) settings.preset = presets.find(({ name }) => name === asked.preset)?.name ?? game.preset;
  return settings;
}

async function open() {
  const saved = games.load(presets);
  take(saved ?? games.create(), true);
  if (saved === null) tell("The saved game could not be read, so a new one begins.");
  try {
    const settings = linked();
    if (!Object.keys(settings).length) return;
    await begin(settings, "Open the game of this link?");
  } catch (error) {
    tell(`This link cannot be opened. ${error.message}`);
  }
  history.replaceState(null, "", location.pathname);
}

board.addEventListener("move", ({ detail }) => move(detail.text));
board.addEventListener("say", ({ detail: { text, kind } }) => (kind === "read" ? speak("say", text) : tell(text)));

document.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (!button || button.ariaDisabled === "true") return;
  if (button.dataset.ply) visit(+button.dataset.ply);
  else actions[button.id]?.();
});

$("panel").addEventListener("change", ({ target: { id, value } }) => {
  if (id === "level") take({ ...game, level: +value });
  else if (id in game) begin({ [id]: value });
});

$("moves").addEventListener("keydown", (event) => {
  const ply = view ?? line.moves.length;
  const to = { ArrowLeft: ply - 1, ArrowRight: ply + 1, ArrowUp: ply - 2, ArrowDown: ply + 2, Home: 1, End: line.moves.length }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  visit(Math.max(to, 1));
});

$("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const input = $("move");
  if (view !== null || result() || !mine()) return tell(view === null ? turnWords() : "Go back to the game to move.");
  try {
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
for (const [name, value] of Object.entries(look)) document.querySelector(`[name="${name}"][value="${value}"]`)?.setAttribute("checked", "");

games.watch(refresh);
document.addEventListener("visibilitychange", refresh);
addEventListener("online", () => trouble && actions.retry());
open();
