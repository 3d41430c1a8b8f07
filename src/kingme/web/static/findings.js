// What an analysis has found: the verdict in words, and lines that can be played on the board.

import { $, h } from "./dom.js";
import { legalMoves, moveText, play } from "./rules.js";
import { SIDES } from "./speech.js";
import { amount, figure, verdict } from "./worth.js";

/** @import {AnalysisInfo, AnalysisLine, Move, Position, Style} from "./types" */

/** Moves of a line that are shown. */
const SHOWN = 24;

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

/** How it was found out: depth and positions, or the proof. @param {AnalysisInfo} info @param {Position} position */
export function sources({ depth, nodes, lines: [best], proof, server }, position) {
  const mover = `${SIDES[position.turn]} to move`;
  const how = proof === "database" ? "by the endgame tables" : `${server ? "server, " : ""}${depth} plies deep, ${amount(nodes)} positions`;
  return [mover, how, best?.plies && plies(best.plies)].filter(Boolean).join(" · ");
}

const plies = (count) => (count === 1 ? "ends in 1 ply" : `ends in ${count} plies`);

/** Makes the list of lines; choose is called with the moves up to the one that is chosen. Gives what draws it. @param {HTMLElement} host @param {(moves: string[]) => void} choose */
export function lineList(host, choose) {
  const rows = []; // what each shows, so that what stays the same is left alone
  host.addEventListener("click", ({ target }) => {
    const row = target.closest("li");
    const buttons = [...row?.querySelectorAll("button") ?? []];
    const at = buttons.indexOf(target);
    if (at >= 0) choose(rows[[...host.children].indexOf(row)].pv.slice(0, at + 1));
  });
  host.addEventListener("keydown", (event) => {
    const row = event.target.closest("li");
    const step = (to) => to?.focus();
    const at = [...event.target.parentNode.children].indexOf(event.target);
    const go = { ArrowRight: () => step(event.target.nextElementSibling), ArrowLeft: () => step(event.target.previousElementSibling),
      ArrowDown: () => step(nth(row.nextElementSibling, at)), ArrowUp: () => step(nth(row.previousElementSibling, at)) }[event.key];
    if (!go) return;
    event.preventDefault();
    go();
  });
  /** Draws so many lines; those that are not known yet are left blank. @param {Position} position @param {AnalysisLine[]} lines @param {number} count @param {Style} style */
  return (position, lines, count, style) => {
    const wanted = Math.max(count, lines.length);
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
  };
}

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
