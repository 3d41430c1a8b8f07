// The review of a game: its tree, its graph, and what is said of each move, with a board to play through all of it.

import "./board.js";
import { annotated, unreviewed } from "./annotated.js";
import { $, h, told } from "./dom.js";
import { drawTree, mainLine, numberOf, textOf, treeOf } from "./gametree.js";
import { makeGraph } from "./graph.js";
import { accuracy, betterLine, blackPoints, count, shotName, words } from "./judging.js";
import { look } from "./look.js";
import { bottomSide } from "./own.js";
import { makeReading, titleOf } from "./reading.js";
import { Reviewer } from "./reviewer.js";
import { SIDES, moveSentence, resultSentence } from "./speech.js";
import { START, legalMoves, other, play, toFen } from "./rules.js";
import { grow, texts, trail } from "./tree.js";
import { verdict } from "./worth.js";

/** @import {TreeNode} from "./tree.js" */
/** @import {GameRead, Judgement, Move, Verdict} from "./types" */

/** Where what was found is kept while the page is away, and how many characters of it at most. */
const KEPT = "kingme.review";
const LONGEST = 500000;
const PRAISE = { forced: "The only legal move.", best: "As good as any.", good: "Good: hardly anything is lost." };

const rules = told();
const board = $("board");
const tree = $("tree");
/** Says a sentence, even when it is the same again. */
const say = (text) => { $("say").textContent = text && $("say").textContent === text ? `${text}\u00a0` : text; };

/** @type {GameRead} */ let game;
/** @type {GameRead} the same without what earlier reviews wrote in it: that is judged anew */ let shown;
/** @type {TreeNode} */ let root = treeOf({ start: START, moves: [] });
/** @type {TreeNode[]} */ let main = [root];
/** @type {TreeNode} */ let now = root;
/** @type {TreeNode[]} the lines beside the game that are offered now */ let offered = [];
/** @type {Map<TreeNode, HTMLElement>} the moves in the list of them */ let buttons = new Map();
let ply = 0; // what is told of: the ply of the main line that `now` is at, or beside
let bottom = bottomSide();
let dearest = ""; // the worst faults in a sentence, once all is judged
/** @type {?Reviewer} */ let reviewer = null;

const style = () => look.notation;
const judgementAt = (at) => /** @type {Judgement | undefined} */ (reviewer?.judgements[at - 1]);
const nameOf = (node) => `${numberOf(node)} ${textOf(node, style())}`;

/** The next ply whose move is a fault, before or behind a place; that place where there is none. */
function faultFrom(at, step) {
  for (let i = at + step; i > 0 && i < main.length; i += step) if (judgementAt(i)?.sign) return i;
  return at;
}

const graph = makeGraph($("graph"), (to) => visit(main[to], false));

/** Goes to the next fault, before or behind the ply that is told of, or says that there is none. */
function toFault(step) {
  const to = faultFrom(ply, step);
  if (to !== ply) return visit(main[to], document.activeElement !== $("graph"));
  const text = `There is no ${step > 0 ? "later" : "earlier"} fault${reviewer.complete ? "" : " so far"}.`;
  $("message").textContent = text;
  say(text);
}

/** Tells by the looks of the buttons where one can go from here. */
function drawSteps() {
  const next = now.children[0]?.position;
  const use = { first: now.parent, previous: now.parent, next, latest: next, fault: faultFrom(ply, 1) !== ply };
  for (const id in use) $(id).ariaDisabled = `${!use[id]}`;
}

// --- where one is ---

/** Goes to a place in the tree; along a line that is offered one stays with the move it is offered for, even where the
 *  game went that way. @param {?TreeNode} node @param {boolean} [spoken] @param {boolean} [along] */
function visit(node, spoken = true, along = offered.includes(now)) {
  if (!node?.position) return;
  $("message").textContent = "";
  const stepped = node.parent === now;
  now = node;
  const at = main.indexOf(node);
  if (!along || !offered.includes(node)) ply = at >= 0 ? at : main.indexOf(nearest(node));
  show(stepped ? node.move : null);
  if (spoken && node.move) say(`${moveSentence(other(node.position.turn), node.move, style())} ${at > 0 ? verdictText(judgementAt(at)) : ""}`);
}

/** The place of the main line that a line branches off from. @param {TreeNode} node */
function nearest(node) {
  let at = node;
  while (!main.includes(at)) at = at.parent;
  return at;
}

function show(played = null) {
  drawBoard(played);
  drawVerdict();
  drawSteps();
  $("analyse").href = address();
  for (const old of $("panel").querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
  const here = buttons.get(now);
  for (const button of tree.querySelectorAll("[tabindex='0']")) button.tabIndex = -1;
  const stop = here ?? tree.querySelector("button");
  if (stop) stop.tabIndex = 0;
  if (here) {
    here.setAttribute("aria-current", "true");
    tree.scrollTop = here.offsetTop - tree.clientHeight / 2;
    if (tree.contains(document.activeElement)) here.focus({ preventScroll: true });
  }
  offered.forEach((node, i) => node === now && $("ways").querySelectorAll("button")[i].setAttribute("aria-current", "true"));
  graph.mark(ply, ply ? `${nameOf(main[ply])}. ${verdictText(judgementAt(ply))} ${worthText(ply)}` : `Start of the game. ${worthText(0)}`);
}

/** The page of analysis with the moves that led here. */
function address() {
  const moves = texts(trail(now));
  const fen = toFen(root.position);
  const query = [fen !== START && "fen=" + fen, moves.length && "moves=" + moves].filter(Boolean).join("&");
  return query ? `/analysis?${query}` : "/analysis";
}

function drawBoard(played) {
  const { position, move, parent } = now;
  const moves = game ? legalMoves(position) : [];
  const over = { winner: other(position.turn), termination: position.pieces.some((piece) => piece.toUpperCase() === position.turn) ? "no_moves" : "no_pieces" };
  board.show({
    position, moves, last: move, bottom, style: style(),
    refusal: !game ? "Open a game first." : resultSentence(over, { progress: [], progressPlies: 0 }),
    lastWords: move ? moveSentence(parent.position.turn, move, style()) : "No move was made yet.",
    turnWords: `${SIDES[position.turn]} to move.`,
  }, played);
}

// --- what is told of a move ---

/** @param {Judgement | undefined} judgement */
const verdictText = (judgement) => (judgement ? words(judgement, rules).replace(/(^|\s)-(?=\d)/g, "$1−") || PRAISE[judgement.mark] : reviewer?.complete ? "" : "Not judged yet.");

/** What a position is worth, in plain words; empty before it is known. */
function worthText(at) {
  const found = verdictAt(at);
  if (!found) return "";
  const { position } = main[at];
  const { result, proof, line } = found;
  const said = verdict(found, position, line.reduce((before, move) => play(before, move), position));
  const sure = { search: "seen to the end", database: "by the endgame database", rules: "by the rules" }[proof];
  return result ? `${said}, ${sure}.` : `${said}: Black may expect ${blackPoints(position, found, rules).toFixed(2)} of a point.`;
}

/** What the position after so many plies is worth, once that is known. @returns {Verdict | undefined} */
const verdictAt = (at) => (at === main.length - 1 ? reviewer?.last : reviewer?.judgements[at]?.best);

function drawVerdict() {
  const beside = now !== main[ply];
  const judgement = judgementAt(ply);
  const node = main[ply];
  $("status").textContent = ply ? `${nameOf(node)} ${judgement?.sign ?? ""}`.trim() : "Start of the game";
  $("main").dataset.beside = `${beside}`;
  $("words").textContent = ply ? verdictText(judgement) : dearest;
  $("worth").textContent = worthText(ply);
  drawWays(judgement);
}

let drawn; // the judgement whose lines are drawn, and how
/** The lines that can be played through beside the game. @param {Judgement | undefined} judgement */
function drawWays(judgement) {
  if (drawn && drawn.judgement === judgement && drawn.style === style()) return;
  drawn = { judgement, style: style() };
  offered = [];
  if (!judgement?.sign) return $("ways").replaceChildren();
  const { missed, allowed } = judgement;
  const better = follow(main[ply - 1], betterLine(judgement));
  const rows = [way(missed ? `Better, ${shotName(missed)}` : "Better", better)];
  if (allowed) rows.push(way(`Allowed, ${shotName(allowed)}`, follow(main[ply], allowed.line)));
  $("ways").replaceChildren(...rows.flat());
}

/** The places that moves lead to, aside of what was played. @param {TreeNode} from @param {Move[]} line */
const follow = (from, line) => line.map(({ text }) => (from = grow(from, text)));

/** @param {string} name @param {TreeNode[]} line */
function way(name, line) {
  const from = offered.length;
  offered.push(...line);
  return [h("dt", {}, name), h("dd", {}, ...line.map((node, i) =>
    h("button", { type: "button", "data-way": from + i }, i && numberOf(node).endsWith("…") ? textOf(node, style()) : nameOf(node))))];
}

// --- the judging ---

/** What is new since the last step of the judging. */
function drawCourse() {
  const { judgements } = reviewer;
  const points = main.map((node, at) => {
    const found = verdictAt(at);
    return found && blackPoints(node.position, found, rules);
  });
  const faults = Object.values(judgements).filter(({ sign }) => sign);
  graph.draw(points, faults.map((found) => [found.ply + 1, found.mark]));
  for (const side of ["B", "W"]) {
    const row = $(`sum-${side}`);
    const kept = accuracy(Object.values(judgements), side);
    row.querySelector("[data-kept]").textContent = kept === null ? "–" : `${(100 * kept).toFixed(1)} %`;
    for (const cell of row.querySelectorAll("[data-mark]")) cell.textContent = `${count(Object.values(judgements), side, cell.dataset.mark)}`;
  }
  for (const found of faults) sign(found);
  const progress = /** @type {HTMLProgressElement} */ ($("progress"));
  progress.max = main.length;
  progress.value = reviewer.done;
  $("main").dataset.working = reviewer.complete ? "done" : reviewer.running ? "on" : "off";
  $("halt").textContent = reviewer.running ? "Stop" : "Go on";
  $("pdn").ariaDisabled = `${!reviewer.complete}`;
  const trouble = reviewer.trouble || unread();
  if ($("trouble").textContent !== trouble) $("trouble").textContent = trouble; // else it would be heard again
  drawVerdict();
  drawSteps();
  offered.forEach((node, i) => node === now && $("ways").querySelectorAll("button")[i].setAttribute("aria-current", "true"));
  graph.mark(ply, $("graph").getAttribute("aria-valuetext") ?? "");
  if (reviewer.complete) finish(points, faults);
}

/** Puts the sign of a fault behind its move. @param {Judgement} judgement */
function sign({ ply: at, mark, sign: text }) {
  const place = buttons.get(main[at + 1])?.querySelector(".sign");
  if (!place || place.dataset.mark) return;
  place.dataset.mark = mark;
  place.replaceChildren(text, h("span", { class: "unseen" }, `, ${mark}`));
}

/** What could not be read of the game, and where it could not be read to its end; empty where all could. */
function unread() {
  if (game.moves.length < main.length) return game.unread;
  return `The game could be read, and is judged, only to ${nameOf(main.at(-1))}. ${game.unread || "The next move is not known."}`;
}

/** @param {number[]} points @param {Judgement[]} faults */
function finish(points, faults) {
  const worst = faults.toSorted((a, b) => b.given - a.given).slice(0, 3).map((found) => `${nameOf(main[found.ply + 1])} (${found.mark})`);
  dearest = worst.length ? `The dearest moves: ${worst.join(", ")}.` : `No fault was found${unread() && " as far as the game could be read"}.`;
  $("graph-words").textContent = `From ${points[0].toFixed(2)} of a point at the start to ${points.at(-1).toFixed(2)} at the end, after ${nameOf(main.at(-1))}. ${dearest}`;
  say(unread() ? "What could be read is judged." : "The whole game is judged.");
  show();
}

/** Judges the game. @param {?object[]} [verdicts] what was found of it before */
function begin(verdicts) {
  reviewer?.stop();
  const line = { positions: main.map(({ position }) => position), moves: main.slice(1).map(({ move }) => move) };
  const mine = new Reviewer(line, game.start, +$("effort").value, rules, () => mine === reviewer && drawCourse(), verdicts ?? []);
  reviewer = mine;
  for (const place of tree.querySelectorAll(".sign[data-mark]")) {
    delete place.dataset.mark;
    place.replaceChildren();
  }
  drawCourse();
  $("graph-words").textContent = dearest = "";
  mine.run();
}

// --- a game comes ---

/** @param {GameRead} read */
function take(read) {
  game = read;
  shown = unreviewed(game, rules);
  root = treeOf(shown);
  main = mainLine(root);
  const kept = left();
  ply = main[kept?.ply] ? kept.ply : 0;
  now = main[ply];
  if (kept) $("effort").value = kept.effort;
  const title = titleOf(game);
  $("title").textContent = /^Game in line/.test(title) ? "A game" : title;
  $("opening").textContent = game.opening ? `Opening: ${game.opening}` : "";
  buttons = drawTree(tree, root, shown.comments, style());
  drawNotes();
  begin(kept?.verdicts);
  show();
  $("graph").focus({ preventScroll: true });
  scrollTo({ top: 0 });
}

/** The game in few words, by which it is known again. */
const named = () => [game.start, ...texts(main)].join(" ");

/** What is known of each position, as it is kept; null where nothing is yet. */
const written = () => Array.from(reviewer.verdicts, (found) => found && { ...found, line: found.line.slice(0, 60).map((move) => move.text) });

/** What was found of this game when the page was left, and where in it one was; null where it was not this one. */
function left() {
  try {
    const kept = JSON.parse(sessionStorage[KEPT]);
    return kept.game === named() ? kept : null;
  } catch {
    return null; // nothing there, or nothing readable
  }
}

addEventListener("pagehide", () => {
  if (!game) return;
  const text = JSON.stringify({ game: named(), effort: $("effort").value, ply, verdicts: written() });
  try {
    if (text.length < LONGEST) sessionStorage[KEPT] = text;
  } catch { /* full, or forbidden here: it is judged anew */ }
});

function drawNotes() {
  const { notes } = game;
  $("notes").hidden = !notes.length;
  $("notes").querySelector("summary").textContent = notes.length === 1 ? "A remark on the text" : `${notes.length} remarks on the text`;
  $("notes").querySelector("ul").replaceChildren(...notes.map(({ line, column, message }) => h("li", {}, `Line ${line}, column ${column}: ${message}`)));
}

function save() {
  if (!reviewer?.complete) return say("The game is still being judged.");
  const pdn = annotated(game, reviewer.judgements, rules);
  const address = URL.createObjectURL(new Blob([pdn], { type: "text/plain" }));
  h("a", { href: address, download: "review.pdn" }).click();
  setTimeout(URL.revokeObjectURL, 1000, address);
}

// --- what a person does ---

const last = () => {
  let at = now;
  while (at.children[0]?.position) [at] = at.children;
  visit(at);
};
const STEPS = { ArrowLeft: () => visit(now.parent), ArrowRight: () => visit(now.children[0]), Home: () => visit(root), End: last,
  PageUp: () => toFault(-1), PageDown: () => toFault(1) };

for (const [id, key] of Object.entries({ first: "Home", previous: "ArrowLeft", next: "ArrowRight", latest: "End", fault: "PageDown" })) {
  $(id).addEventListener("click", STEPS[key]);
}
addEventListener("keydown", (event) => {
  const step = STEPS[event.key];
  if (!step || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || $("main").dataset.state !== "game") return;
  if (event.target.closest("input, textarea, select, kingme-board, [popover]")) return;
  event.preventDefault();
  step();
});
tree.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  for (const [node, other] of buttons) if (other === button) visit(node);
});
$("ways").addEventListener("click", ({ target }) => {
  const way = target.closest("[data-way]")?.dataset.way;
  if (way) visit(offered[+way], true, true);
  $("ways").querySelector("[aria-current]")?.focus({ preventScroll: true });
});
$("back").addEventListener("click", () => {
  visit(main[ply]);
  $("graph").focus({ preventScroll: true });
});
$("halt").addEventListener("click", () => {
  if (reviewer.running) reviewer.stop();
  else reviewer.run();
  drawCourse();
});
$("effort").addEventListener("change", () => begin());
$("flip").addEventListener("click", () => {
  bottom = bottomSide(other(bottom));
  show();
});
$("pdn").addEventListener("click", save);
document.addEventListener("look", () => {
  if (!game) return drawBoard(null);
  buttons = drawTree(tree, root, shown.comments, style());
  drawCourse();
  show();
});
board.addEventListener("move", ({ detail: move }) => {
  visit(grow(now, move.text));
});
board.addEventListener("say", ({ detail: { text: words, read } }) => {
  say(words);
  if (!read) $("message").textContent = words;
});

drawBoard(null);
makeReading(take);
