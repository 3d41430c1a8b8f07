// Setting up a position on the board that is there: pieces are put, moved and taken by mouse, touch and keyboard.
// While it is on, the board itself hears nothing of pointers; its arrow keys go on leading from square to square.

/** @import {Position} from "./types" */

const DRAGGED = 5; // pixels from which on a press is a drag
const squareOf = (node) => +(node?.closest?.("[data-square]")?.dataset.square ?? 0);

export class Editor {
  #on = false;
  /** @type {Position} */ #position;
  #board;
  #tool;
  #changed;
  #press = null;
  #held = 0; // the square whose piece was taken hold of with the tool that moves

  /** tool tells what a chosen square gets: b, B, w, W, "" (nothing) or "move"; changed hears each position, and what was done.
   *  @param {HTMLElement} board @param {() => string} tool @param {(position: Position, square: number, done: string) => void} changed */
  constructor(board, tool, changed) {
    this.#board = board;
    this.#tool = tool;
    this.#changed = changed;
    const around = board.parentElement; // whose listeners come before the board's own
    const on = (name, act) => around.addEventListener(name, (event) => this.#on && act.call(this, event), { capture: true, passive: false });
    on("pointerdown", this.#down);
    on("pointermove", this.#drag);
    on("pointerup", this.#up);
    on("pointercancel", this.#drop);
    on("keydown", this.#key);
    on("click", this.#click);
    on("touchstart", (event) => this.#position.pieces[squareOf(event.target)] && event.preventDefault());
  }

  /** Begins with a position. @param {Position} position */
  begin(position) {
    this.#on = true;
    this.#position = position;
    this.#held = 0;
  }

  end() {
    this.#on = false;
    this.#drop();
  }

  get on() {
    return this.#on;
  }

  get position() {
    return this.#position;
  }

  #set(squares, done) {
    const pieces = this.#position.pieces.slice();
    for (const [n, piece] of Object.entries(squares)) pieces[n] = piece;
    this.#position = { ...this.#position, pieces };
    this.#changed(this.#position, +Object.keys(squares).at(-1), done);
  }

  /** Puts a piece on a square; the same again takes it away. */
  #put(n, piece) {
    const gone = !piece || this.#position.pieces[n] === piece;
    this.#set({ [n]: gone ? "" : piece }, gone ? "cleared" : "put");
  }

  /** Moves a piece to another square, or off the board. */
  #move(from, to) {
    const piece = this.#position.pieces[from];
    this.#held = 0;
    this.#set(to ? { [from]: "", [to]: piece } : { [from]: "" }, to ? "moved" : "cleared");
  }

  /** A square was chosen. */
  #choose(n) {
    const tool = this.#tool();
    if (!n) return;
    if (tool !== "move") return this.#put(n, tool);
    if (this.#held && this.#held !== n) return this.#move(this.#held, n);
    this.#held = this.#held || !this.#position.pieces[n] ? 0 : n;
    this.#changed(this.#position, n, this.#held ? "held" : "");
  }

  #down(event) {
    const { target, clientX: x, clientY: y, isPrimary, button, pointerId } = event;
    const n = squareOf(target);
    event.stopPropagation();
    if (!n || !isPrimary || button) return;
    event.preventDefault();
    this.#board.dataset.pointer = ""; // no focus ring for pointers
    target.closest("[data-square]").focus({ preventScroll: true });
    this.#press = { n, x, y, body: null };
    if (this.#position.pieces[n]) this.#board.setPointerCapture(pointerId);
  }

  #drag(event) {
    const press = this.#press;
    event.stopPropagation();
    if (!press || !this.#position.pieces[press.n]) return;
    const move = [event.clientX - press.x, event.clientY - press.y];
    if (!press.body && Math.hypot(...move) < DRAGGED) return;
    press.body ??= this.#board.querySelector(`[data-at="${press.n}"] .body`);
    const [x, y] = move.map((v) => v * 80 / this.#board.firstElementChild.clientWidth);
    press.body.style.transform = `translate(${x}px,${y}px) scale(1.08)`;
  }

  #up(event) {
    const press = this.#press;
    event.stopPropagation();
    const n = squareOf(document.elementFromPoint(event.clientX, event.clientY));
    this.#drop();
    if (press?.body && n !== press.n) this.#move(press.n, n);
    else if (press && n === press.n) this.#choose(n);
  }

  #drop() {
    this.#press?.body?.removeAttribute("style");
    this.#press = null;
  }

  /** From assistive technology; what pointers do has been heard before. */
  #click(event) {
    event.stopPropagation();
    if (!event.detail) this.#choose(squareOf(event.target));
  }

  #key(event) {
    const n = squareOf(event.target);
    const { key, shiftKey } = event;
    const letter = /^[bw]$/i.test(key) && key[shiftKey ? "toUpperCase" : "toLowerCase"](); // whatever Caps Lock says
    if (!n || event.ctrlKey || event.altKey || event.metaKey) return;
    if (key === "Enter" || key === " ") this.#choose(n);
    else if (key === "Escape" && this.#held) {
      this.#held = 0;
      this.#changed(this.#position, n, "");
    } else if (letter || key === "Delete" || key === "Backspace") {
      this.#held = 0;
      if (letter) this.#put(n, letter);
      else this.#set({ [n]: "" }, "cleared");
    } else return;
    event.preventDefault();
    event.stopPropagation();
    delete this.#board.dataset.pointer;
  }
}
