// A board in a text, as diagram.html shows it: its line forward and back, and legal moves to try. The picture that the
// server drew stays until the board is used; then <kingme-board> takes its place.
import { fromFen, legalMoves, play } from "./rules.js";
import { SIDES, moveSentence } from "./speech.js";

/** @import {Move, Position} from "./types" */

const voice = document.getElementById("say");
const grid = /** @type {HTMLTemplateElement} */ (document.getElementById("live-grid"));
let drawing; // the module of <kingme-board>, once it is asked for

for (const figure of document.querySelectorAll(".live")) bring(/** @type {HTMLElement} */ (figure));

/** Brings one board to life. @param {HTMLElement} figure */
function bring(figure) {
  const { fen, style } = figure.dataset;
  const foreign = "foreign" in figure.dataset; // under other rules than those of the page
  const face = figure.querySelector(".face");
  const state = figure.querySelector(".state");
  const links = [...figure.querySelectorAll("[data-move]")];
  const tools = Object.fromEntries([...figure.querySelectorAll("[data-act]")].map((node) => [node.dataset.act, node]));
  /** @type {Move[]} */
  const told = links.map(({ dataset: { move }, textContent: text }) => {
    const [path, captures, crowned] = JSON.parse(move);
    return { path, captures, crowned, text };
  });
  const start = fromFen(fen);
  let line = told; // the moves of the text, or from somewhere on the reader's own
  let at = 0; // how many of them are made
  let board; // once it is there

  /** @param {number} ply @returns {Position} */
  const position = (ply) => line.slice(0, ply).reduce(play, start);

  /** What is said of the board as it stands. */
  function words() {
    const now = position(at);
    const last = line[at - 1];
    const side = SIDES[now.turn];
    const over = !foreign && !legalMoves(now)[0];
    return [last && moveSentence(position(at - 1).turn, last, style), over ? `${side} has no move, and has lost.` : `${side} to move.`].filter(Boolean).join(" ");
  }

  /** Shows the line after some of its moves. @param {number} ply @param {?Move} [played] the move that is shown on its way */
  function show(ply, played) {
    at = ply;
    const now = position(at);
    const said = words();
    board.show({ position: now, moves: foreign ? [] : legalMoves(now), last: line[at - 1] ?? null, bottom: "W", style, lastWords: said, turnWords: said,
      refusal: foreign ? "This board shows its line alone." : said }, played);
    state.textContent = said;
    const dead = { first: !at && line === told, previous: !at, next: at === line.length };
    for (const name in dead) tools[name].ariaDisabled = dead[name] ? "true" : null;
    links.forEach((link, i) => { link.ariaCurrent = line === told && i === at - 1 ? "true" : null; });
  }

  /** Puts the board in the place of its picture, at the first need. */
  async function wake() {
    await (drawing ??= import("./board.js"));
    if (board) return;
    board = grid.content.cloneNode(true).querySelector("kingme-board");
    board.removeAttribute("id");
    board.addEventListener("move", ({ detail }) => own(detail));
    board.addEventListener("say", ({ detail: { text, read } }) => {
      if (!read) state.textContent = text || words();
      voice.textContent = text;
    });
    board.querySelector(".trail").before(...face.querySelectorAll(".told"));
    face.replaceChildren(board);
    show(0);
  }

  /** A move that the reader made: that of the text, or the beginning of another line. @param {Move} move */
  function own(move) {
    if (`${line[at]?.path}` !== `${move.path}`) line = [...line.slice(0, at), move];
    show(at + 1, move);
    voice.textContent = state.textContent;
  }

  const acts = { first: () => { line = told; return 0; }, previous: () => at - 1, next: () => at + 1, latest: () => line.length };

  async function act(name) {
    await wake();
    if (name === "try") return board.focus();
    const ply = acts[name]();
    if (ply < 0 || ply > line.length) return;
    show(ply, ply === at + 1 ? line[at] : null);
    voice.textContent = state.textContent;
  }

  figure.addEventListener("click", async ({ target }) => {
    const name = target.closest("[data-act]")?.dataset.act;
    if (name) return act(name);
    const i = links.indexOf(target);
    if (i < 0) return;
    await wake();
    line = told;
    show(i + 1, i === at ? line[i] : null);
    voice.textContent = state.textContent;
  });
  figure.addEventListener("keydown", (event) => {
    const name = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "latest" }[event.key];
    if (!name || event.target.closest("kingme-board") || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    act(name);
  });
  face.addEventListener("pointerenter", ({ pointerType }) => pointerType === "mouse" && wake());
  face.firstElementChild.addEventListener("click", async ({ clientX, clientY }) => {
    await wake();
    const cell = document.elementFromPoint(clientX, clientY)?.closest("[data-square]");
    cell?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  });
}
