// <kingme-board>: one SVG that draws a position and takes moves by pointer, touch and keyboard.
// Its SVG comes with the page (board.html). It fires "move" with a whole Move and "say" with a Said.
import { moveText, toFen } from "./rules.js";
import { SIDES, cellName, choices, mustJump, pieceName, square } from "./speech.js";

/** @import {Move, Said, State} from "./types" */

const row = (n) => (n - 1) >> 2;
const column = (n) => ((n - 1) & 3) * 2 + 1 - (row(n) & 1);
const end = (list) => list[list.length - 1];
const taken = (move, hops) => `${move.captures.slice(0, hops).sort()}`;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const HOP = 190; // milliseconds

/** A piece; a king is two men stacked, the upper with a crown. @param {number[]} at @param {string} [state] taken or ghost */
const draw = (n, piece, at, state = "") => `<g class="piece ${state}" data-at="${n}" transform="translate(${at})"><g class="body"><use
  href="#man-${piece.toUpperCase()}"/>${piece < "a" ? `<use class="top" href="#crown-${piece}"/>` : ""}${state && '<use href="#cross"/>'}</g></g>`;

class Board extends HTMLElement {
  /** @type {State} */ #state;
  #cells = new Map(); // square to its element
  #order = []; // the squares as they are seen, row by row
  #path = []; // the route being entered: its squares up to now
  #seen = 0; // hops of that route that need no animation any more
  #goal = 0; // the end square whose route is asked for
  #tab = 0; // the square in the tab order
  #press = null; // the pointer that is down: its square and place, and the piece that it drags

  connectedCallback() {
    for (const cell of this.querySelectorAll("[data-square]")) this.#cells.set(this.#at(cell), cell);
    const on = (name, act, options) => this.firstElementChild.addEventListener(name, act, options);
    on("pointerdown", (event) => this.#down(event));
    on("pointermove", (event) => this.#drag(event));
    on("pointerup", (event) => this.#up(event));
    on("pointercancel", () => this.#drop());
    on("keydown", (event) => this.#key(event));
    on("focusin", (event) => this.#reach(this.#at(event.target)));
    on("click", (event) => event.detail || this.#choose(this.#at(event.target))); // assistive technology
    on("touchstart", (event) => this.#grips(this.#at(event.target)) && event.preventDefault(), { passive: false });
  }

  /** Draws a state; played is the move that led to it, to be seen on its way. @param {State} state @param {?Move} [played] */
  show(state, played) {
    const old = this.#state;
    this.#state = state;
    if (old?.bottom !== state.bottom || old.style !== state.style) this.#arrange();
    Object.assign(this.dataset, { fen: toFen(state.position), turn: state.position.turn, orientation: state.bottom });
    const from = played && `${this.#path}` === `${played.path}` ? this.#seen : 0;
    this.#reset();
    this.#draw();
    if (played && old) this.#animate(played.path.slice(from), played, from, old.position.pieces);
  }

  /** Puts the keyboard on the board. */
  focus() {
    this.#cells.get(this.#tab)?.focus({ preventScroll: true });
  }

  /** Forgets a route in progress; false when no jump of it was made. */
  cancel() {
    const begun = this.#path.length > 1;
    this.#reset();
    this.#draw();
    return begun;
  }

  #reset() {
    this.#path = [];
    this.#seen = this.#goal = 0;
    this.#press = null;
  }

  /** Puts the squares where this side sees them. */
  #arrange() {
    const { bottom, style } = this.#state;
    const focused = this.contains(document.activeElement);
    const squares = [...this.#cells.keys()].sort((a, b) => a - b);
    this.#order = bottom === "B" ? squares.reverse() : squares;
    const rows = this.querySelectorAll("[role=row]");
    this.#order.forEach((n, i) => {
      const cell = this.#cells.get(n);
      const [x, y] = this.#xy(n);
      cell.setAttribute("transform", `translate(${x - 5} ${y - 5})`);
      cell.setAttribute("aria-colindex", (x + 5) / 10);
      cell.querySelector("text").textContent = square(n, style);
      rows[i >> 2].append(cell);
    });
    this.firstElementChild.setAttribute("aria-label", `Checkers board, ${SIDES[bottom]} at the bottom`);
    this.#reach(this.#tab || this.#order[28], focused);
  }

  /** The centre of a square in the drawing. @param {number} n */
  #xy(n) {
    const at = [column(n) * 10 + 5, row(n) * 10 + 5];
    return this.#state.bottom === "B" ? at.map((v) => 80 - v) : at;
  }

  /** The square of a node, 0 for none. @param {?Element} node */
  #at(node) {
    return +(node?.closest?.("[data-square]")?.dataset.square ?? 0);
  }

  /** The legal moves that begin with the route entered so far. */
  #routes() {
    return this.#state.moves.filter((move) => this.#path.every((n, i) => move.path[i] === n));
  }

  /** Whether the player can take hold of the piece on this square. @param {number} n */
  #grips(n) {
    return this.#path.length > 1 ? n === end(this.#path) : this.#state.moves.some((move) => move.path[0] === n);
  }

  #draw() {
    const { position, last, moves } = this.#state;
    const hops = this.#path.length - 1;
    const at = end(this.#path);
    const routes = at ? this.#routes() : [];
    const jumped = hops > 0 ? routes[0].captures.slice(0, hops) : [];
    const pieces = position.pieces.slice();
    if (hops > 0) [pieces[this.#path[0]], pieces[at]] = ["", pieces[this.#path[0]]];
    const next = routes.filter((move) => !this.#goal || end(move.path) === this.#goal).map((move) => move.path[hops + 1]);
    const ends = this.#goal ? [] : routes.map((move) => end(move.path));
    for (const [n, cell] of this.#cells) {
      const can = this.#grips(n);
      const jump = can && moves[0].captures.length > 0;
      const land = n !== at && (next.includes(n) || ends.includes(n));
      const marks = { can, jump, chosen: n === at, land, next: next.includes(n), goal: n === this.#goal,
        last: !!last && (n === last.path[0] || n === end(last.path)) };
      cell.setAttribute("class", Object.keys(marks).filter((name) => marks[name]).join(" "));
      const notes = [n === at && "chosen", can && !at && (jump ? "can jump" : "can move"), land && "can land here",
        jumped.includes(n) && "jumped"];
      cell.setAttribute("aria-label", cellName(n, pieces[n], notes.filter(Boolean)));
      cell.dataset.piece = pieces[n];
    }
    this.querySelector(".trail").setAttribute("points", (last?.path ?? []).map((n) => this.#xy(n)).join(" "));
    this.querySelector(".pieces").innerHTML = pieces.map((piece, n) => piece
      && draw(n, piece, this.#xy(n), jumped.includes(n) ? "taken" : "")).join("");
  }

  /** Shows a piece on its way, hop by hop; what it took leaves when it has arrived.
   *  @param {number[]} way @param {Move} [move] the move that ends here @param {number} [from] @param {string[]} [before] */
  #animate(way, move, from = 0, before = []) {
    if (still.matches) return;
    const hops = way.length - 1;
    const [x, y] = this.#xy(way[hops]);
    const time = HOP * hops;
    const layer = this.querySelector(".pieces");
    const body = layer.querySelector(`[data-at="${way[hops]}"] .body`);
    if (!body) return;
    const frames = way.map((n) => {
      const [left, top] = this.#xy(n);
      return { transform: `translate(${left - x}px,${top - y}px)`, easing: "ease-in-out" };
    });
    layer.append(body.parentNode);
    if (hops > 0) body.animate(frames, time);
    if (move?.crowned) body.querySelector(".top")?.animate({ opacity: [0, 1] }, { duration: 200, delay: time, fill: "backwards" });
    (move?.captures ?? []).forEach((n, i) => {
      if (!before[n]) return;
      layer.insertAdjacentHTML("afterbegin", draw(n, before[n], this.#xy(n), i < from ? "taken" : "ghost"));
      const ghost = layer.firstElementChild;
      const all = time + 200;
      const passed = Math.max(0, i + 1 - from) * HOP / all;
      ghost.animate([{ opacity: i < from ? 0.45 : 1 }, { opacity: 0.45, offset: passed }, { opacity: 0.45, offset: time / all }, { opacity: 0 }], all)
        .finished.then(() => ghost.remove(), () => ghost.remove());
    });
  }

  /** A square was chosen, by whatever means. @param {number} n @param {boolean} [dropped] */
  #choose(n, dropped) {
    const { moves, refusal, position, style } = this.#state;
    const hops = this.#path.length - 1;
    if (!n) return;
    if (!moves.length) return position.pieces[n] && this.#say(refusal, "error");
    if (hops > 0 && n === end(this.#path)) return;
    if (hops === 0 && n === this.#path[0]) return this.cancel();
    if (hops >= 0 && this.#land(n, dropped)) return;
    if (hops < 1 && this.#grips(n)) return this.#take(n);
    const jump = moves[0].captures.length > 0;
    const routes = hops < 0 ? [] : this.#routes();
    const own = position.pieces[n].toUpperCase() === position.turn;
    if (hops > 0) {
      this.#say(`The jump goes on: from ${square(end(this.#path), style)} to ${choices(routes.map((m) => m.path[hops + 1]), style)}. Escape takes it back.`, "error");
    } else if (jump) {
      this.#say(mustJump(position.turn, moves, style), "error");
      this.#pulse(moves.map((m) => m.path[0]));
    } else if (own) {
      this.#say(`The ${pieceName(position.pieces[n])} on ${square(n, style)} has no move now.`, "error");
    } else if (routes.length) {
      this.#say(`From ${square(this.#path[0], style)} the way is to ${choices(routes.map((m) => m.path[1]), style)}.`, "error");
    } else if (position.pieces[n]) {
      this.#say(`It is ${SIDES[position.turn]}’s turn.`, "error");
    }
    if (own) this.cancel();
  }

  #take(n) {
    this.#path = [n];
    this.#goal = 0;
    this.#say("", "clear");
    this.#draw();
  }

  /** Leads the route to a square, by the next hop or straight; false where no route leads there. */
  #land(n, dropped) {
    const hops = this.#path.length - 1;
    const routes = this.#routes();
    const next = routes.filter((move) => move.path[hops + 1] === n);
    const ending = routes.filter((move) => end(move.path) === n);
    if (next.length) {
      this.#path = [...this.#path, n];
      const rest = this.#goal ? next.filter((move) => end(move.path) === this.#goal) : [];
      if (rest.length) this.#aim(rest);
      else this.#goal = 0;
    } else if (ending.length) this.#aim(ending);
    else return false;
    const done = this.#routes().find((move) => move.path.length === this.#path.length);
    this.#seen = dropped ? this.#path.length - 1 : hops;
    if (done) this.dispatchEvent(new CustomEvent("move", { detail: done }));
    else {
      this.#draw();
      this.#animate(this.#path.slice(this.#seen));
      if (!this.#goal) this.#say("", "clear");
    }
    return true;
  }

  /** Follows these routes as far as they agree; where they take different pieces the player is asked. @param {Move[]} routes */
  #aim(routes) {
    const { style } = this.#state;
    const [first] = routes;
    if (routes.every((move) => taken(move, 99) === taken(first, 99))) this.#path = first.path;
    else {
      let i = this.#path.length;
      while (routes.every((move) => move.path[i] === first.path[i])) i++;
      this.#path = first.path.slice(0, i);
      this.#goal = end(first.path);
      this.#say(`Several routes lead to ${square(this.#goal, style)}. Choose the next landing: ${
        choices(routes.map((move) => move.path[i]), style)}.`, "ask");
    }
  }

  #pulse(squares) {
    for (const n of squares) {
      const cell = this.#cells.get(n);
      cell.classList.remove("pulse");
      cell.getBoundingClientRect(); // so that the same pulse can begin again
      cell.classList.add("pulse");
    }
  }

  /** @param {string} text @param {"read"|"ask"|"error"|"clear"} kind */
  #say(text, kind) {
    this.dispatchEvent(new CustomEvent("say", { detail: { text, kind } }));
  }

  /** @param {PointerEvent} event */
  #down(event) {
    const n = this.#at(event.target);
    if (!n || !event.isPrimary || event.button) return;
    event.preventDefault();
    this.#cells.get(n).focus({ preventScroll: true });
    const held = this.#grips(n);
    const chosen = end(this.#path) === n;
    if (held && !chosen) this.#take(n);
    if (held) this.firstElementChild.setPointerCapture(event.pointerId);
    this.#press = { n, x: event.clientX, y: event.clientY, held, chosen, body: null };
  }

  /** @param {PointerEvent} event */
  #drag(event) {
    const press = this.#press;
    if (!press?.held) return;
    const [x, y] = [event.clientX - press.x, event.clientY - press.y];
    if (!press.body) {
      if (Math.hypot(x, y) < 5) return;
      press.body = this.querySelector(`[data-at="${press.n}"]:not(.taken) .body`);
      press.body.parentNode.parentNode.append(press.body.parentNode);
      press.body.classList.add("lifted");
    }
    const unit = 80 / this.firstElementChild.clientWidth;
    press.body.style.transform = `translate(${x * unit}px,${y * unit}px) scale(1.08)`;
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const press = this.#press;
    if (!press) return;
    const n = this.#at(document.elementFromPoint(event.clientX, event.clientY));
    const dragged = press.body;
    this.#drop();
    if (!dragged) {
      if (n === press.n && (!press.held || press.chosen)) this.#choose(n);
    } else if (n && n !== press.n) {
      this.#choose(n, true);
    } else if (this.#path.length === 1) this.cancel();
  }

  /** Lets go of a dragged piece. */
  #drop() {
    const body = this.#press?.body;
    this.#press = null;
    if (!body) return;
    body.classList.remove("lifted");
    body.style.transform = "";
  }

  /** Makes a square the one in the tab order. @param {number} n @param {boolean} [go] with the focus */
  #reach(n, go) {
    if (!n) return;
    this.#tab = n;
    for (const [m, cell] of this.#cells) cell.setAttribute("tabindex", m === n ? "0" : "-1");
    if (go) this.#cells.get(n).focus();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.altKey || event.metaKey || (event.ctrlKey && !/^(Home|End)$/.test(event.key))) return;
    const i = this.#order.indexOf(this.#tab);
    const to = this.#goes(event, i);
    const { lastWords, turnWords } = this.#state;
    const act = { Enter: () => this.#choose(this.#tab), " ": () => this.#choose(this.#tab), Escape: () => this.cancel(),
      o: () => this.#say(this.#cells.get(this.#tab).getAttribute("aria-label"), "read"), l: () => this.#say(lastWords, "read"),
      t: () => this.#say(`There are no clocks. ${turnWords}`, "read"), m: () => this.#read(false), M: () => this.#read(true) }[event.key];
    if (act) act();
    else if (to) this.#reach(to, true);
    else return;
    event.preventDefault();
  }

  /** Where a key leads from the i-th square as seen; undefined for other keys, 0 off the board. */
  #goes({ key, code, ctrlKey, shiftKey }, i) {
    const by = (ok, step) => this.#order[ok ? i + step : i];
    const digit = +(/^Digit([1-8])$/.exec(code)?.[1] ?? 0);
    if (digit) {
      const here = this.#tab;
      const fits = this.#order.filter((n) => (shiftKey ? column(n) === digit - 1 : row(n) === 8 - digit));
      const away = (n) => (shiftKey ? Math.abs(row(n) - row(here)) : Math.abs(column(n) - column(here)));
      return fits.reduce((best, n) => (away(n) < away(best) ? n : best));
    }
    return { ArrowLeft: by(i % 4, -1), ArrowRight: by(i % 4 < 3, 1), ArrowUp: by(i > 3, -4), ArrowDown: by(i < 28, 4),
      Home: ctrlKey ? this.#order[0] : by(true, -(i % 4)), End: ctrlKey ? this.#order[31] : by(true, 3 - (i % 4)) }[key];
  }

  /** Reads the moves of the focused piece, or all. @param {boolean} jumps jumps only */
  #read(jumps) {
    const { moves, refusal, style } = this.#state;
    if (!moves.length) return this.#say(refusal, "read");
    const all = moves.filter((move) => !jumps || move.captures.length);
    const own = all.filter((move) => move.path[0] === this.#tab);
    const list = own.length ? own : all;
    this.#say(list.length ? `${list.map((move) => moveText(move, style)).join(", ")}.` : "There is no jump.", "read");
  }
}

customElements.define("kingme-board", Board);
