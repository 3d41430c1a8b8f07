// What an analysis has found: the verdict in words, and lines that can be played on the board.

import { $, h } from "./dom.js";
import { legalMoves, moveText, play } from "./rules.js";
import { SIDES } from "./speech.js";
import { amount, figure, verdict } from "./worth.js";

/** @import {AnalysisInfo, AnalysisLine, Move, Position, Style} from "./types" */

/** Moves of a line that are shown. */
const SHOWN = 24;
/** How long lines stay held when the pointer has left them, ms: the click of a tap comes a little after its end. */
const LEFT = 400;

/** The moves of a line, and where they lead. @param {Position} position @param {string[]} pv @returns {{moves: Move[], end: Position}} */
export function readLine(position, pv) {
  const moves = [];
  for (const text of pv) {
    const move = legalMoves(position).find((legal) => legal.text === text);
    if (!move) break;
    moves.push(move);
    position = play(position, move);
  }
  return { moves, end: position };
}

/** The verdict of the best line, in words. @param {Position} position @param {AnalysisLine} line */
export const worthOf = (position, line) => verdict(line, position, readLine(position, line.pv).end);

/** How deep it was looked, or where it was looked up. @param {AnalysisInfo} info */
export const depthOf = ({ depth, proof }) => (proof === "database" ? "by the endgame tables" : `${depth} plies deep`);

/** How it was found out: depth and positions, or the proof. @param {AnalysisInfo} info @param {Position} position */
export function sources(info, position) {
  const { nodes, proof, server } = info;
  const mover = `${SIDES[position.turn]} to move`;
  const how = proof === "database" ? depthOf(info) : `${server ? "server, " : ""}${depthOf(info)}, ${amount(nodes)} positions`;
  return `${mover} · ${how}`;
}

/** What makes sure that no line changes under who is about to press it: tells whether lines are to stay as they are.
 *  They do while a button has the focus by keyboard, or a pointer is over them. @param {HTMLElement} host @param {() => void} release called when that ends */
function hold(host, release) {
  let over = 0; // a timer while the pointer may come back or be about to click, -1 while it is there
  let used = false; // since the position changed
  host.addEventListener("pointerover", () => {
    clearTimeout(over);
    over = -1;
    used = true;
  });
  host.addEventListener("pointerleave", () => {
    over = setTimeout(() => {
      over = 0;
      release();
    }, LEFT);
  });
  host.addEventListener("focusin", () => { used = true; });
  host.addEventListener("focusout", ({ relatedTarget }) => host.contains(relatedTarget) || queueMicrotask(release));
  return {
    /** settled: what is shown is no first guess. */
    on: (settled) => (over !== 0 || host.querySelector(":focus-visible") !== null) && (used || settled),
    /** Another position is shown, or the focus came by itself. */
    renew() { used = false; },
  };
}

/** Makes the list of lines; choose is called with the moves up to the one that is chosen. Gives what draws it. @param {HTMLElement} host @param {(moves: string[]) => void} choose */
export function lineList(host, choose) {
  const rows = []; // what each shows, so that what stays the same is left alone
  let drawn = { of: "", known: 0, settled: false };
  let newest = []; // what would be drawn now
  let place = [0, 0]; // of the button that had the focus: its row, and which it was there
  const held = hold(host, () => newest.length && draw(...newest));
  host.tabIndex = -1; // has the focus of a button that is gone until there is another
  host.addEventListener("click", ({ target }) => {
    const row = target.closest("li");
    const buttons = [...row?.querySelectorAll("button") ?? []];
    const at = buttons.indexOf(target);
    if (at >= 0) choose(rows[indexOf(row)].pv.slice(0, at + 1));
  });
  host.addEventListener("keydown", (event) => {
    const row = event.target.closest("li");
    if (!row) return;
    const step = (to) => to?.focus();
    const at = indexOf(event.target);
    const go = { ArrowRight: () => step(event.target.nextElementSibling), ArrowLeft: () => step(event.target.previousElementSibling),
      ArrowDown: () => step(nth(row.nextElementSibling, at)), ArrowUp: () => step(nth(row.previousElementSibling, at)) }[event.key];
    if (!go) return;
    event.preventDefault();
    go();
  });
  function draw(position, lines, count, style, settled) {
    const wanted = Math.max(count, lines.length);
    const of = `${position.turn}${position.pieces}${style}${wanted}`;
    newest = [position, lines, count, style, settled];
    if (of === drawn.of && drawn.known >= lines.length && held.on(drawn.settled)) return;
    const active = document.activeElement;
    const focused = host.contains(active);
    if (focused && host !== active) place = [active.closest("li"), active].map(indexOf);
    while (host.children.length > wanted) host.lastChild.remove();
    while (host.children.length < wanted) host.append(h("li", {}, h("b"), h("div")));
    rows.length = wanted;
    [...host.children].forEach((row, i) => {
      const line = lines[i];
      const shown = { pv: line?.pv ?? [], mark: `${position.turn}${position.pieces}${line?.pv}${style}` };
      row.firstChild.textContent = line ? figure(line) : "";
      if (rows[i]?.mark !== shown.mark) fill(row.lastChild, readLine(position, shown.pv).moves.slice(0, SHOWN).map((move) => moveText(move, style)));
      rows[i] = shown;
    });
    const lost = focused && !host.querySelector("button:focus");
    if (lost) {
      (nth(host.children[place[0]], place[1]) ?? nth(host.firstChild, place[1]) ?? host).focus({ preventScroll: true });
    }
    if (lost || of !== drawn.of) held.renew();
    drawn = { of, known: lines.length, settled };
  }
  /** Draws so many lines, unless they are held; those that are not known yet are left blank. settled: they are no first
   *  guess. @param {Position} position @param {AnalysisLine[]} lines @param {number} count @param {Style} style @param {boolean} settled */
  return draw;
}

const indexOf = (node) => [...node.parentNode.children].indexOf(node);

/** Shows texts on the buttons of a row; the one in focus stays the one in focus. Else what follows a change is made anew: no button moves. */
function fill(row, texts) {
  const same = row.contains(document.activeElement) ? texts.length : texts.findIndex((text, i) => row.children[i]?.textContent !== text);
  while (row.children.length > (same < 0 ? texts.length : same)) row.lastChild.remove();
  texts.forEach((text, i) => {
    const button = row.children[i] ?? row.appendChild(h("button", { type: "button", tabindex: i ? -1 : 0 }));
    if (button.textContent !== text) button.textContent = text;
  });
}

const nth = (row, at) => {
  const buttons = row?.querySelectorAll("button") ?? [];
  return buttons[Math.min(at, buttons.length - 1)];
};

/** Shows what is known, or that nothing is yet. @param {Position} position @param {?AnalysisInfo} info @param {string} waiting */
export function showVerdict(position, info, waiting) {
  const best = info?.lines[0];
  $("verdict").textContent = best ? worthOf(position, best) : waiting;
  $("proof").hidden = !best?.result;
  $("detail").textContent = best ? sources(info, position) : "";
}
