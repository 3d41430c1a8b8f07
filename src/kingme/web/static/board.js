// <kingme-board> draws a position and takes moves by pointer, touch and keyboard. Its SVG is board.html.
// It fires "move" with a whole Move, "say" with a Said, and "route" when the route being entered may have changed.
import { ACROSS, LIFTED, ROWS, column, moveText, row, sideOf, toFen } from "./rules.js";
import { SIDES, cellName, choices, mustJump, pieceName, square } from "./speech.js";

/** @import {Move, State} from "./types" */

const HOP = 190; // milliseconds
const still = matchMedia("(prefers-reduced-motion: reduce)");
const end = (list) => list[list.length - 1];
const starts = (moves) => moves.map(({ path }) => path[0]);
const taken = ({ captures }) => `${captures.toSorted()}`;
const squareOf = (node) => +(node?.closest("[data-square]")?.dataset.square ?? 0);

/** A king is two men stacked, the upper one with a crown. */
const draw = (hook, piece, at, state) => {
  const parts = [`man-${piece.toUpperCase()}`, piece < "a" && `crown-${piece}`, state === "taken" && "cross"];
  const uses = parts.map((id) => (id ? `<use href="#${id}"/>` : "")).join("");
  return `<g class="piece ${state}" ${hook} transform="translate(${at})"><g class="body">${uses}</g></g>`;
};

class Board extends HTMLElement {
  /** @type {State} */ #state;
  #cells = new Map(); // square to its element
  #order = []; // the squares as they are seen, row by row
  #path = []; // the route that is being entered
  #seen = 0; // how many hops of it need no animation any more
  #goal = 0; // the end square to which a route is asked for
  #tab = 0; // the square in the tab order
  #press = null; // the pointer that is down

  connectedCallback() {
    for (const cell of this.querySelectorAll("[data-square]")) this.#cells.set(squareOf(cell), cell);
    const on = (name, act) => this.addEventListener(name, act.bind(this), { passive: false });
    on("pointerdown", this.#down);
    on("pointermove", this.#drag);
    on("pointerup", this.#up);
    on("pointercancel", this.#drop);
    on("keydown", this.#key);
    on("focusin", ({ target }) => this.#reach(squareOf(target)));
    on("click", ({ detail, target }) => detail || this.#choose(squareOf(target))); // from assistive technology
    on("touchstart", (event) => this.#grips(squareOf(event.target)) && event.preventDefault());
  }

  /** Draws a state; played, if any, is the move that led to it. @param {State} state @param {?Move} [played] */
  show(state, played) {
    const old = this.#state;
    this.#state = state;
    if (old?.bottom !== state.bottom || old.style !== state.style) this.#arrange();
    Object.assign(this.dataset, { fen: toFen(state.position), orientation: state.bottom });
    if (old && old.position.turn + old.position.pieces === state.position.turn + state.position.pieces && this.#routes()[0]) return this.#draw();
    const from = `${this.#path}` === `${played?.path}` ? this.#seen : 0;
    this.cancel();
    if (played) this.#animate(played.path.slice(from), played, from, old.position.pieces);
  }

  /** Whether a jump of the route being entered was made. */
  get begun() {
    return this.#path.length > 1;
  }

  /** Gives the focus to the square in the tab order. */
  focus(how) {
    this.#cells.get(this.#tab)?.focus(how);
  }

  /** Forgets the route being entered; tells whether a jump of it was made. */
  cancel() {
    const { begun } = this;
    this.#path = [];
    this.#goal = this.#seen = 0;
    this.#press = null;
    this.#draw();
    return begun;
  }

  /** Puts the squares where the side at the bottom sees them. */
  #arrange() {
    const { bottom, style } = this.#state;
    const focused = this.contains(document.activeElement);
    const rows = this.querySelectorAll("[role=row]");
    this.#order = [...this.#cells.keys()].sort((a, b) => (row(a) - row(b) || column(a) - column(b)) * (bottom === "B" ? -1 : 1));
    this.#order.forEach((n, i) => {
      const cell = this.#cells.get(n);
      cell.setAttribute("transform", `translate(${this.#xy(n).map((v) => v - 5)})`);
      cell.querySelector("text").textContent = square(n, style);
      rows[i / ACROSS | 0].append(cell);
    });
    this.firstElementChild.setAttribute("aria-label", `Checkers board, ${SIDES[bottom]} at the bottom`);
    this.#reach(this.#tab || this.#order.at(-ACROSS), focused);
  }

  #xy(n) {
    return [column(n), row(n)].map((v) => (this.#state.bottom === "B" ? ROWS - 1 - v : v) * 10 + 5);
  }

  /** The legal moves that begin as the route does. */
  #routes() {
    return this.#state.moves.filter(({ path }) => this.#path.every((n, i) => path[i] === n));
  }

  /** Whether the player can take hold of the piece on a square. */
  #grips(n) {
    return this.begun ? n === end(this.#path) : starts(this.#state.moves).includes(n);
  }

  #draw() {
    const { position, last, moves } = this.#state;
    const goal = this.#goal;
    const at = end(this.#path);
    const hops = this.#path.length - 1;
    const routes = at ? this.#routes() : [];
    const jumped = routes[0]?.captures.slice(0, hops) ?? [];
    const pieces = position.pieces.slice();
    if (LIFTED) for (const n of jumped.splice(0)) pieces[n] = "";
    if (hops > 0) [pieces[this.#path[0]], pieces[at]] = ["", pieces[this.#path[0]]];
    const ends = routes.map(({ path }) => end(path));
    const nexts = routes.filter((_, i) => !goal || ends[i] === goal).map(({ path }) => path[hops + 1]);
    for (const [n, cell] of this.#cells) {
      const can = this.#grips(n);
      const marks = { can, jump: can && moves[0].captures[0], next: nexts.includes(n), land: n !== at && (goal ? nexts : [...nexts, ...ends]).includes(n),
        chosen: n === at, goal: n === goal, last: n === last?.path[0] || n === end(last?.path ?? []) };
      cell.setAttribute("class", Object.keys(marks).filter((mark) => marks[mark]).join(" "));
      cell.setAttribute("aria-label", cellName(n, pieces[n], [n === at && "chosen", !at && can && `can ${marks.jump ? "jump" : "move"}`,
        marks.land && "can land here", jumped.includes(n) && "jumped"]));
      if (n === at) cell.ariaSelected = true;
      else cell.removeAttribute("aria-selected");
    }
    this.querySelector(".trail").setAttribute("points", (last?.path ?? []).map((n) => this.#xy(n)).join(" "));
    this.querySelector(".pieces").innerHTML = pieces.map((piece, n) => piece
      && draw(`data-at="${n}"`, piece, this.#xy(n), jumped.includes(n) ? "taken" : "")).join("");
    this.#fire("route");
  }

  /** Shows a piece on its way, hop by hop; what a whole move took leaves together at the end. */
  #animate(way, move, from, before) {
    if (still.matches) return;
    const [x, y] = this.#xy(end(way));
    const duration = HOP * (way.length - 1);
    const layer = this.querySelector(".pieces");
    const body = layer.querySelector(`[data-at="${end(way)}"] .body`);
    layer.append(body.parentNode);
    body.animate(way.map((n) => {
      const [left, top] = this.#xy(n);
      return { transform: `translate(${left - x}px,${top - y}px)`, easing: "ease-in-out" };
    }), duration);
    if (move?.crowned) body.lastChild.animate({ opacity: [0, 1] }, { duration: 250, delay: duration, fill: "backwards" });
    move?.captures.forEach((n, i) => {
      layer.insertAdjacentHTML("afterbegin", draw("", before[n], this.#xy(n), i < from ? "taken" : "ghost"));
      const ghost = layer.firstChild;
      ghost.animate({ opacity: [1, 0.6, 0] }, duration + 200).onfinish = () => ghost.remove();
    });
  }

  /** A square was chosen, by whatever means; dropped: by dragging, so the piece is there already. */
  #choose(n, dropped) {
    const { moves, refusal, position, style } = this.#state;
    const at = end(this.#path);
    const hops = this.#path.length - 1;
    const piece = position.pieces[n];
    if (!n || (hops > 0 && n === at)) return;
    if (!moves[0]) {
      if (piece) this.#say(refusal);
    } else if (n === at) this.#leave();
    else if (at && this.#land(n, dropped)) return;
    else if (hops < 1 && this.#grips(n)) this.#take(n);
    else if (hops < 1 && moves[0].captures[0]) {
      this.#say(mustJump(position.turn, starts(moves), style));
      this.getBoundingClientRect(); // so that the same pulse begins again
      this.dataset.pulse = "";
    } else if (at) {
      this.#say(`From ${square(at, style)} the way is to ${choices(this.#routes().map(({ path }) => path[hops + 1]), style)}.`);
    } else if (piece && sideOf(piece) !== position.turn) this.#say(`That is ${SIDES[sideOf(piece)]}’s ${piece < "a" ? "king" : "man"}.`);
    else if (piece) this.#say(`The ${pieceName(piece)} on ${square(n, style)} has no move now.`);
  }

  #leave() {
    this.cancel();
    this.#say("");
  }

  #take(n) {
    this.#path = [n];
    this.#say("");
    this.#draw();
  }

  /** Leads the route to a square, by one hop or straight; false where no route goes there. */
  #land(n, dropped) {
    const hops = this.#path.length - 1;
    const routes = this.#routes();
    const next = routes.filter(({ path }) => path[hops + 1] === n);
    const goal = next[0] ? this.#goal : n;
    const aim = (next[0] ? next : routes).filter(({ path }) => end(path) === goal);
    if (!next[0] && !aim[0]) return false;
    this.#goal = 0;
    this.#say("");
    if (next[0]) this.#path = [...this.#path, n];
    if (aim[0]) this.#aim(aim);
    this.#seen = dropped ? this.#path.length - 1 : hops;
    const done = routes.find(({ path }) => `${path}` === `${this.#path}`);
    if (done) this.#fire("move", done);
    else {
      this.#draw();
      this.#animate(this.#path.slice(this.#seen));
      const { style } = this.#state;
      const nexts = this.#routes().map(({ path }) => path[this.#path.length]);
      if (!this.#goal) this.#say(`Jump goes on from ${square(end(this.#path), style)}, to ${choices(nexts, style)}.`, true);
    }
    return true;
  }

  /** Follows routes to one square as far as they agree; where they take different pieces, the player is asked. */
  #aim(routes) {
    const { style } = this.#state;
    const { path } = routes[0];
    const same = routes.every((move) => taken(move) === taken(routes[0]));
    const fork = same ? path.length : path.findIndex((n, i) => routes.some((move) => move.path[i] !== n));
    this.#path = path.slice(0, fork);
    if (same) return;
    this.#goal = end(path);
    this.#say(`Several routes lead to ${square(this.#goal, style)}. Choose the next landing: ${choices(routes.map((move) => move.path[fork]), style)}.`);
  }

  #fire(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #say(text, read) {
    delete this.dataset.pulse;
    this.#fire("say", { text, read });
  }

  #down(event) {
    const { target, clientX: x, clientY: y, pointerId, isPrimary, button } = event;
    const n = squareOf(target);
    if (!n || !isPrimary || button) return;
    event.preventDefault();
    this.dataset.pointer = ""; // no focus ring for pointers
    this.#cells.get(n).focus({ preventScroll: true });
    const held = this.#grips(n);
    const chosen = end(this.#path) === n;
    if (held && !chosen) this.#take(n);
    if (held) this.setPointerCapture(pointerId);
    this.#press = { n, x, y, held, chosen };
  }

  #drag({ clientX, clientY }) {
    const press = this.#press;
    if (!press?.held) return;
    const move = [clientX - press.x, clientY - press.y];
    if (!press.body && Math.hypot(...move) < 5) return;
    press.body ??= this.querySelector(`[data-at="${press.n}"] .body`);
    const [x, y] = move.map((v) => v * 10 * ROWS / this.firstElementChild.clientWidth);
    press.body.style.transform = `translate(${x}px,${y}px) scale(1.08)`;
  }

  #up({ clientX, clientY }) {
    const press = this.#press;
    const n = squareOf(document.elementFromPoint(clientX, clientY));
    this.#drop();
    if (press?.body) {
      if (n && n !== press.n) this.#choose(n, true);
      else if (this.#path.length < 2) this.#leave();
    } else if (n === press?.n && (!press.held || press.chosen)) this.#choose(n);
  }

  #drop() {
    this.#press?.body?.removeAttribute("style");
    this.#press = null;
  }

  #reach(n, go) {
    if (!n) return;
    const cell = this.#cells.get(n);
    this.#cells.get(this.#tab)?.setAttribute("tabindex", -1);
    cell.setAttribute("tabindex", 0);
    this.#tab = n;
    if (go) cell.focus();
  }

  #key(event) {
    const { code, ctrlKey, shiftKey } = event;
    const key = event.key[1] ? event.key : event.key[shiftKey ? "toUpperCase" : "toLowerCase"](); // whatever Caps Lock says
    const { lastWords, turnWords } = this.#state;
    const here = this.#tab;
    const i = this.#order.indexOf(here);
    const at = i % ACROSS;
    const choose = () => this.#choose(here);
    const read = (text) => () => this.#say(text, true);
    const go = (to) => () => this.#reach(this.#order[to], true);
    const digit = /^Digit([1-9])$/.exec(code)?.[1];
    const act = digit ? () => this.#leap(shiftKey ? column : row, shiftKey ? digit - 1 : ROWS - digit) : {
      Enter: choose, " ": choose, Escape: () => this.#leave(), ArrowLeft: go(i - (at > 0)), ArrowRight: go(i + (at < ACROSS - 1)), ArrowUp: go(i - ACROSS),
      ArrowDown: go(i + ACROSS), Home: go(ctrlKey ? 0 : i - at), End: go(ctrlKey ? ROWS * ACROSS - 1 : i - at + ACROSS - 1), o: read(this.#cells.get(here).ariaLabel), l: read(lastWords),
      t: read(turnWords), m: () => this.#read(), M: () => this.#read(true) }[key];
    if (!act || event.altKey || event.metaKey || (ctrlKey && key[1] === undefined)) return;
    event.preventDefault();
    delete this.dataset.pointer;
    act();
  }

  /** Goes to the nearest square of a row or column. */
  #leap(line, value) {
    const away = (n) => Math.abs(row(n) - row(this.#tab)) + Math.abs(column(n) - column(this.#tab));
    this.#reach(this.#order.filter((n) => line(n) === value).sort((a, b) => away(a) - away(b))[0], true);
  }

  /** Reads the moves of the piece in focus, or else of all. */
  #read(jumps) {
    const { moves, refusal, style } = this.#state;
    const all = moves.filter(({ captures }) => !jumps || captures[0]);
    const own = all.filter(({ path }) => path[0] === this.#tab);
    const text = (own[0] ? own : all).map((move) => moveText(move, style)).join(", ");
    this.#say(moves[0] ? text || "There is no jump." : refusal, true);
  }
}

customElements.define("kingme-board", Board);
