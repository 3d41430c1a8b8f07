// The page of analysis: a position or a game with variations, and what the engine of this browser says of it.

import "./board.js";
import { Analyst } from "./analyst.js";
import { arrowLayer } from "./arrows.js";
import { $, post } from "./dom.js";
import { Editor } from "./editor.js";
import { Explorer } from "./explorer.js";
import { depthOf, lineList, readLine, showVerdict, worthOf } from "./findings.js";
import { look } from "./look.js";
import { parseMove, pdn } from "./notation.js";
import { bottomSide, own } from "./own.js";
import { START, fromFen, legalMoves, letters, moveText, other, toFen } from "./rules.js";
import { faults, mirrored, readFen } from "./setup.js";
import { solved } from "./solved.js";
import { SIDES, moveSentence, pieceName, square } from "./speech.js";
import { follow, grow, isMain, packed, plant, promote, prune, rest, root, texts, trail } from "./tree.js";
import { variationList } from "./variations.js";
import { pdnText } from "./written.js";

/** @import {AnalysisInfo, Position} from "./types" */
/** @import {TreeNode} from "./tree.js" */

const KEY = "kingme.analysis";
const THREAT = { lines: 1, seconds: 0.4 };
const SERVER_SECONDS = 5;
const SETTLED = 10; // plies
const ASK = { text: $("server").textContent, bad: false };
const COPIED = 2500; // ms
const PACE = 60; // ms that it takes to speak a character
const CALM = 4000; // ms from one verdict that is said to the next
const LONGEST = 1e6; // characters of a game that are kept
const EMPTY = { pieces: Array(33).fill(""), turn: "B" };

const board = $("board");
const analyst = new Analyst();
const draw = arrowLayer(board);
const explorer = new Explorer($("explorer"), (text) => visit(grow(here, text)));

/** @type {TreeNode} */ let here = root(fromFen(START));
let on = true; // whether the engine is to think
let chosen = { lines: 3, arrows: true, threats: false }; // what is kept on this device
let bottom = bottomSide();
/** @type {?TreeNode} */ let news = null; // whose verdict is said as soon as there is one
let heard = ""; // what it was when it was said
let quiet = 0; // until when what was said is being spoken, ms
let later; // the timer of a verdict that waits for that
let shown = null; // the state that the board has
/** What is known of a node: by the engine of the browser, by the server, and what the other side threatens. @type {WeakMap<TreeNode, {info?: AnalysisInfo, server?: AnalysisInfo, threat?: AnalysisInfo, told?: {text: string, bad: boolean}}>} told: of what was asked of the server */
const known = new WeakMap();

const first = () => trail(here)[0];
const knownOf = (node) => known.get(node) ?? known.set(node, {}).get(node);
const words = (move) => moveText(move, look.notation);
const over = (node) => !legalMoves(node.position).length;

/** The best that is known of a node. @returns {?AnalysisInfo} */
function best(node) {
  const { info, server } = knownOf(node);
  return server && (server.proof || server.depth >= (info?.depth ?? 0)) ? server : info ?? null;
}

/** Says a sentence, even when it is the same again; a verdict then waits until it was heard. */
function speak(text) {
  quiet = performance.now() + PACE * (text.length + 8);
  $("say").textContent = $("say").textContent === text ? `${text}\u00a0` : text;
}

/** Shows a message and says it; "" takes it away. bad: something could not be done. */
function tell(text, bad = false) {
  const sentence = text.replace(/^[a-z](?=[a-z]* )/, (letter) => letter.toUpperCase()).replace(/\w$/, "$&.");
  $("message").textContent = sentence;
  $("message").classList.toggle("bad", bad);
  if (sentence) speak(sentence);
  if (sentence && bad) $("message").scrollIntoView({ block: "nearest" });
}

// The engine.

/** What the game comes to in words, for who hears the page. */
function summary(info = best(here), { position } = here) {
  if (!info?.lines[0]) return "";
  const { moves } = readLine(position, info.lines[0].pv);
  const worth = worthOf(position, info.lines[0]) + (info.lines[0].result ? ", proved." : ".");
  return moves[0] ? `${worth} Best is ${words(moves[0])}.` : worth;
}

/** Thinks about the position on the board, in place of another. */
async function think() {
  analyst.stop();
  const node = here;
  if (!on || editor.on || document.hidden || over(node)) return findings();
  const game = { start: toFen(first().position), moves: texts(trail(node)) };
  const mine = () => here === node && on && !editor.on;
  try {
    if (chosen.threats) await threaten(node);
    if (!mine()) return;
    prove(node, mine);
    const end = await analyst.analyse({ ...game, lines: chosen.lines }, (info) => {
      if (!deepens(info, knownOf(node).info)) return;
      knownOf(node).info = info;
      if (mine()) findings();
    });
    if (!end?.done || !mine()) return;
    news = node;
    announce();
  } catch ({ message }) {
    on = false;
    findings();
    tell(`${message} “Ask the server” works without it.`, true);
  }
}

/** Whether what is known is no first guess any more. @param {?AnalysisInfo} info */
const settled = (info) => info && (info.depth >= SETTLED || info.proof || info.done);

/** Whether an info says more than what is known: one that begins anew does not for a while. @param {AnalysisInfo} info @param {AnalysisInfo} [known] */
const deepens = (info, known) => !known || (!known.proof && (info.depth >= known.depth || info.lines.length !== known.lines.length));

/** Looks the position up, where the endgame tables reach it; then there is nothing left to think about. */
async function prove(node, mine) {
  const found = await solved(node.position, chosen.lines);
  if (!found) return;
  knownOf(node).info = found;
  if (!mine()) return;
  news = node;
  analyst.stop();
  findings();
}

/** What the other side would play if it were its move. */
async function threaten(node) {
  const position = { ...node.position, turn: other(node.position.turn) };
  knownOf(node).threat ??= legalMoves(position).length ? await analyst.analyse({ start: toFen(position), moves: [], ...THREAT }) : null;
}

function threat() {
  const { threat: info } = knownOf(here);
  if (!chosen.threats || !info?.lines[0]) return null;
  const position = { ...here.position, turn: other(here.position.turn) };
  const { moves } = readLine(position, info.lines[0].pv);
  return moves[0] && { move: moves[0], text: `If ${SIDES[position.turn]} were to move: ${words(moves[0])}. ${worthOf(position, info.lines[0])}.` };
}

const drawLines = lineList($("best"), (moves) => visit(follow(here, moves)[0]));

/** Says what a position that was opened comes to, as soon as that is known and nothing else is being spoken; and again, calmly, when the words of it have changed. */
function announce() {
  const text = over(here) ? `${$("verdict").textContent}. ${$("detail").textContent}` : settled(best(here)) ? summary() : "";
  if (news !== here || editor.on || !text || text === heard) return;
  clearTimeout(later);
  const wait = quiet - performance.now();
  if (wait > 0) return void (later = setTimeout(announce, wait));
  speak(heard = text);
  quiet += CALM;
}

/** Shows what is known of the position. */
function findings() {
  const { position } = here;
  const info = over(here) ? { lines: [{ score: -30000, result: "loss", plies: 0, pv: [] }], proof: "rules" } : best(here);
  const waiting = on ? "Thinking" : `${SIDES[position.turn]} to move`;
  showVerdict(position, info, waiting);
  if (over(here)) $("detail").textContent = `${SIDES[position.turn]} has no ${position.pieces.some((piece) => piece.toUpperCase() === position.turn) ? "move" : "piece"} left.`;
  $("proof").hidden ||= over(here);
  drawLines(position, over(here) ? [] : info?.lines ?? [], chosen.lines, look.notation, settled(info));
  if ((!on || over(here)) && document.activeElement === $("best")) board.focus({ preventScroll: true }); // no lines come
  const danger = threat();
  $("threat").hidden = !chosen.threats;
  $("threat").textContent = danger?.text ?? (knownOf(here).threat === null ? "There is no threat." : "");
  const { text, bad } = knownOf(here).told ?? ASK;
  $("server").textContent = text;
  $("server").classList.toggle("bad", bad);
  $("go").textContent = on ? "Stop" : "Analyse";
  if (shown) shown.turnWords = `${SIDES[position.turn]} to move. ${summary()}`;
  arrows(info, danger);
  announce();
}

function arrows(info, danger) {
  const lines = chosen.arrows && !editor.on ? info?.lines ?? [] : [];
  const ways = lines.map(({ pv }, i) => ({ path: readLine(here.position, pv.slice(0, 1)).moves[0]?.path, kind: i ? "" : "best" }));
  if (danger && chosen.arrows && !editor.on) ways.push({ path: danger.move.path, kind: "threat" });
  draw(ways.filter(({ path }) => path), bottom);
}

/** Asks the server's engine, which is quicker and knows the endgame tables. */
async function deeper() {
  const node = here;
  const say = (text, bad = false) => {
    knownOf(node).told = { text, bad };
    if (here !== node) return;
    findings();
    if (knownOf(node).server) heard = summary();
    speak(text);
  };
  $("deeper").ariaDisabled = true;
  say("The server is thinking about this position.");
  try {
    const told = await post("/api/analysis", { start: toFen(first().position), moves: texts(trail(node)), lines: chosen.lines, seconds: SERVER_SECONDS });
    knownOf(node).server = { ...told, server: true };
    say(`The server, ${depthOf(told)}: ${summary(told, node)}`);
  } catch ({ message }) {
    say(message, true);
  }
  $("deeper").ariaDisabled = over(here);
}

// The game.

const drawTree = variationList($("tree"), (node) => visit(node));

/** Goes to a node; the engine follows. @param {TreeNode} node */
function visit(node) {
  const before = here;
  here = node;
  news = null;
  heard = "";
  tell("");
  show(node.parent === before);
  if (node !== before) speak(node.move ? moveSentence(node.parent.position.turn, node.move, look.notation) : "Start of the line.");
  think();
}

/** Begins with another game: at its first node, or at one of its others. @param {TreeNode} node */
function open(node) {
  editor.end();
  here = news = node;
  heard = "";
  speak(over(node) ? "" : `${SIDES[node.position.turn]} to move.`);
  show();
  think();
}

/** The game of a node as an address: its position, its line, and how far along that one is. @param {TreeNode} node */
function address(node) {
  const [begin] = trail(node);
  const line = [...texts(trail(node)), ...texts(rest(node))];
  const fen = toFen(begin.position);
  const query = [fen !== START && `fen=${fen}`, line.length && `moves=${line}`, node.children.length && `ply=${node.ply}`].filter(Boolean).join("&");
  return query ? `/analysis?${query}` : "/analysis";
}

/** Keeps the game with its variations at its place in the history of this tab, where it is after a reload or on the way back. */
function remember() {
  const game = JSON.stringify({ said: first().said, line: packed(first()) });
  try {
    history.replaceState(game.length < LONGEST ? game : null, "", address(here));
  } catch { /* too much, or too often, for this browser: what it has stays */ }
}

/** Draws the board and the moves; grown: the last move is new. */
function show(grown) {
  const { position, move, parent, ply } = here;
  const setting = editor.on;
  const said = move ? moveSentence(parent.position.turn, move, look.notation) : "No move yet.";
  shown = { position: setting ? editor.position : position, moves: setting ? [] : legalMoves(position), last: setting ? null : move, bottom,
    style: look.notation, refusal: "The game is over.", lastWords: said, turnWords: `${SIDES[position.turn]} to move.` };
  board.show(shown, grown && !setting && move);
  document.documentElement.classList.toggle("setting", setting);
  $("engine").hidden = setting;
  $("setup").hidden = !setting;
  const use = { first: ply, previous: ply, next: here.children.length, latest: here.children.length, promote: !isMain(here), prune: ply, deeper: !over(here), edit: !setting };
  for (const id in use) $(id).ariaDisabled = !use[id];
  drawTree(first(), here, look.notation);
  share();
  if (!setting) remember();
  if (!setting) explorer.show(toFen(position));
  findings();
}

/** The node that is shared: what the board shows is the start of a game while it is set up. */
const shared = () => (editor.on ? root(editor.position) : here);

/** Lets what the board shows be taken elsewhere, where it can occur. */
function share() {
  const barred = editor.on && faults(editor.position).length > 0;
  const fen = toFen(shared().position);
  const links = { play: `/?fen=${fen}`, print: `/print?fen=${fen}`, review: address(shared()).replace("analysis", "review") };
  for (const id in links) {
    if (barred) $(id).removeAttribute("href");
    else $(id).href = links[id];
  }
  for (const one of document.querySelectorAll(".share > .row > *")) one.ariaDisabled = barred;
}

/** Keeps what was chosen for the next visit. */
function keep(change) {
  chosen = { ...chosen, ...change };
  try {
    localStorage[KEY] = JSON.stringify(chosen);
  } catch { /* no storage here: the choice lives as long as the page */ }
}

// Setting up.

const DONE = { put: (n, pieces) => `${pieceName(pieces[n])} on`, cleared: () => "Cleared", moved: (n, pieces) => `${pieceName(pieces[n])} moved to`, held: (n, pieces) => `${pieceName(pieces[n])} held, on` };
const editor = new Editor(board, () => document.querySelector("[name=tool]:checked").value, (position, n, done) => {
  const before = reasons();
  showSetUp(position);
  board.querySelector(`[data-square="${n}"]`).classList.toggle("held", done === "held");
  if (DONE[done]) speak(`${DONE[done](n, position.pieces)} ${square(n, look.notation)}, ${letters(n)}. ${reasons() === before ? "" : reasons()}`.trim());
});

/** Why the position that is set up cannot occur, as it is shown. */
const reasons = () => $("faults").textContent;

/** Begins to set up a position. @param {Position} position */
function setUp(position) {
  editor.begin(position);
  showSetUp(position);
  if (reasons()) speak(reasons());
}

/** Begins, in the place of what the engine says; the tools are in view as far as the board leaves room for them. @param {Position} position */
function beginSetUp(position) {
  analyst.stop();
  tell("");
  setUp(position);
  for (const part of [$("setup"), board]) part.scrollIntoView({ block: "nearest" });
}

/** Shows a position that is being set up, and why it cannot occur. @param {Position} position */
function showSetUp(position) {
  const found = faults(position);
  $("faults").textContent = found.length ? `This cannot occur: ${new Intl.ListFormat("en-GB").format(found)}.` : "";
  show();
  $("faults").hidden = !found.length;
  $("done").ariaDisabled = found.length > 0;
  document.querySelector(`[name=turn][value=${position.turn}]`).checked = true;
}

/** Shows a position, to be set up where it cannot occur. @param {Position} position */
function take(position) {
  if (faults(position).length) beginSetUp(position);
  else open(root(position));
}

// What comes as text.

/** A position rather than a game: one line that is no tag of PDN but FEN, with a colon that is not that of a jump. */
const FEN = /^(?!\s*\[\s*(?!FEN)[A-Z])(\W*[WB]\s*:|[^\n]*:\s*[WB])[^\n]*$/i;
const MOVE = /^[a-h\d]+([-x:][a-h\d]+)+[!?]*$/i;
/** More than one game: an empty line, or something behind a result. */
const GAMES = /\n\s*\n|(^|\s)(\*|1-0|0-1|1\/2-1\/2)\s+\S/;

/** Plays moves that are written one after the other, with or without numbers: where they lead, and why no further;
 *  undefined where the text is something else. @returns {{node: TreeNode, why: string} | undefined} */
function played(text) {
  if (GAMES.test(text.trim())) return undefined;
  const rows = text.replace(/\d+\.+(?=\s|\d)/g, " ").split("\n").map((row) => row.split(/[\s,;_]+/).filter((word) => !/^(\*|1-0|0-1|1\/2-1\/2|\d*)$/.test(word)));
  if (!rows.flat()[0] || !rows.flat().every((word) => MOVE.test(word))) return undefined;
  let node = root(fromFen(START));
  let line = 0;
  try {
    for (const row of rows) {
      line++;
      for (const word of row) node = grow(node, parseMove(node.position, word).text);
    }
  } catch ({ message }) {
    return { node, why: `Line ${line}: ${message}` };
  }
  return { node, why: "" };
}

/** Opens a game that was read, and says what of it was not; where no move was, what is open stays. @param {TreeNode} begin @param {string} why @param {string} [more] */
function openRead(begin, why, more = "") {
  const last = rest(begin).at(-1);
  if (!last && (why || toFen(begin.position) === START)) throw Error(`No move could be read. ${why}`);
  open(begin);
  tell(why ? `${more} The game could be read to ${words(last.move)}. ${why}`.trim() : more, why > "");
}

/** Opens whatever was pasted. @param {string} text */
async function paste(text) {
  if (FEN.test(text.trim()) && !/^\s*\[.*\]\s*\S/.test(text)) return take(readFen(text));
  const line = played(text);
  if (line && !line.why) return open(trail(line.node)[0]);
  let games;
  try {
    ({ games } = await post("/api/pdn", { text }));
  } catch (error) {
    if (error.away && line) return openRead(trail(line.node)[0], line.why);
    if (error.away) error.message += " Without it, plain moves or a FEN can be opened.";
    throw error;
  }
  const [game] = games;
  if (game.variant !== "english") throw Error(`This is no game of American checkers but of another kind: ${game.variant}.`);
  const begin = root(readFen(game.start));
  begin.said = { comments: game.comments };
  plant(begin, game.moves);
  openRead(begin, game.unread, games[1] && `This is the first of ${games.length} games.`);
}

/** Opens what the address of the page holds. */
function fromAddress() {
  let query = null;
  try {
    query = own(new URLSearchParams(location.search));
    const fen = query.get("fen");
    const moves = (query.get("moves") ?? "").split(/[\s,_]+/).filter(Boolean);
    const position = fen ? readFen(fen) : fromFen(START);
    if (faults(position).length) return take(position);
    let node = root(position);
    here = node;
    const kept = JSON.parse(history.state);
    node.said = kept?.said;
    plant(node, kept?.line ?? []);
    for (const text of moves) here = node = grow(node, parseMove(node.position, text).text);
  } catch ({ message }) {
    open(here);
    return tell(query ? `This link cannot be opened as a whole: ${message}` : message, true);
  }
  const ply = query.has("ply") ? +query.get("ply") : here.ply;
  open(trail(here)[Math.min(ply, here.ply)] ?? here);
}

/** Copies a text; the button that asked says for a while that it is done. */
async function copy(name, text) {
  try {
    await navigator.clipboard.writeText(text);
    tell("");
    speak("Copied.");
    const button = $(name.toLowerCase());
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = `Copy ${name}`; }, COPIED);
  } catch {
    $("ask-copy").querySelector("b").textContent = text;
    $("ask-copy").showModal();
  }
}

/** The game as PDN, with its variations. */
function record() {
  const [begin] = trail(shared());
  const date = new Date().toLocaleDateString("sv").replaceAll("-", ".");
  const [tags] = pdn({ positions: [begin.position], moves: [], startFen: toFen(begin.position), date, event: "Analysis" }).split("\n\n");
  return `${tags}\n\n${pdnText({ comments: begin.said?.comments, moves: packed(begin) }, +(begin.position.turn === "W"))}`;
}

/** What the buttons do, by their ids. */
const actions = {
  go() {
    on = !on;
    if (on) return think();
    analyst.stop();
    findings();
    heard = summary();
    speak(`Stopped. ${heard}`);
  },
  deeper,
  first: () => visit(first()),
  previous: () => visit(here.parent),
  next: () => visit(here.children[0]),
  latest: () => visit(rest(here).at(-1)),
  flip() {
    bottom = bottomSide(other(bottom));
    show();
  },
  promote() {
    promote(here);
    show();
  },
  prune: () => visit(prune(here)),
  edit() {
    beginSetUp(here.position);
    board.focus({ preventScroll: true });
    speak("Set up a position. Arrows go from square to square.");
  },
  start: () => setUp(fromFen(START)),
  clear: () => setUp({ ...EMPTY, turn: editor.position.turn }),
  mirror: () => setUp(mirrored(editor.position)),
  cancel() {
    open(here);
    $("edit").focus();
  },
  done() {
    take(editor.position);
    board.focus({ preventScroll: true });
  },
  link: () => copy("link", new URL(address(shared()), location.href).href),
  fen: () => copy("FEN", toFen(shared().position)),
  pdn: () => copy("PDN", record()),
};

board.addEventListener("move", ({ detail }) => visit(grow(here, detail.text)));
board.addEventListener("say", ({ detail: { text, read } }) => (read ? speak(text) : tell(text, true)));

document.addEventListener("click", ({ target }) => {
  const button = target.closest("button, [role=link]");
  if (button?.ariaDisabled !== "true") actions[button?.id]?.();
  else if (editor.on) speak(reasons());
});

$("panel").addEventListener("change", ({ target: { id, name, value, checked } }) => {
  if (name === "turn") setUp({ ...editor.position, turn: value });
  if (id === "count") keep({ lines: +value });
  if (id === "arrows" || id === "threats") keep({ [id]: checked });
  if (id === "arrows") findings();
  if (id === "count" || id === "threats") think();
});

$("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  try {
    visit(grow(here, parseMove(here.position, $("move").value).text));
    $("move").value = "";
  } catch ({ message }) {
    tell(message, true);
  }
});

$("paste").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    tell("");
    await paste($("text").value);
    $("text").value = "";
  } catch ({ message }) {
    tell(message, true);
  }
});

document.addEventListener("keydown", ({ key, target }) => key === "Escape" && editor.on && !target.closest("[popover], dialog") && actions.cancel());
document.addEventListener("look", () => show());
document.addEventListener("visibilitychange", think); // nobody looks: nothing is thought about

try {
  const { lines, arrows, threats } = JSON.parse(localStorage[KEY]);
  if (/^[1-5],(true|false),(true|false)$/.test([lines, arrows, threats])) chosen = { lines, arrows, threats };
} catch { /* nothing readable: the usual choices */ }
$("count").value = chosen.lines;
for (const id of ["arrows", "threats"]) $(id).checked = chosen[id];
fromAddress();
