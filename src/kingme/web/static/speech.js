// The game in words: the sentences that the page shows and a screen reader hears, and the list of moves.
import { START, letters, moveText } from "./rules.js";

/** @import {DrawCount, Line, Outcome, Preset, Style} from "./types" */

export const SIDES = { B: "Black", W: "White" };

export const square = (n, style) => (style === "letters" ? letters(n) : `${n}`);

const join = (words, type) => new Intl.ListFormat("en-GB", { type }).format(words);

/** "9, 14 or 18". */
export const choices = (squares, style) => join([...new Set(squares)].map((n) => square(n, style)), "disjunction");

export const pieceName = (piece) => `${/b/i.test(piece) ? "dark" : "light"} ${piece < "a" ? "king" : "man"}`;

/** "c3, square 22, dark king, can jump". */
export const cellName = (n, piece, notes) =>
  [letters(n), `square ${n}`, piece ? pieceName(piece) : "empty", ...notes].filter(Boolean).join(", ");

/** "White jumps from 22 over 18 and 11 to 8 and is crowned." */
export function moveSentence(side, { path, captures, crowned }, style) {
  const [from, to] = [path[0], path[path.length - 1]].map((n) => square(n, style));
  const over = captures[0] ? ` over ${join(captures.map((n) => square(n, style)))}` : "";
  return `${SIDES[side]} ${over ? "jumps" : "moves"} from ${from}${over} to ${to}${crowned ? " and is crowned" : ""}.`;
}

export const mustJump = (side, squares, style) => `${SIDES[side]} must jump, with the piece on ${choices(squares, style)}.`;

/** Why the game ended, in plain words; an outcome may bring its own reason. @param {Outcome} outcome @param {Preset} preset @param {Object<string, string>} [names] what the sides are called */
export function resultSentence({ winner, termination, reason }, { progress, progressPlies }, names = SIDES) {
  const loser = names[winner === "B" ? "W" : "B"];
  const without = join(progress.map((kind) => "a " + kind.replace("_", "’s ")), "disjunction");
  const reasons = {
    no_pieces: `${loser} has no piece left.`,
    no_moves: `${loser} has no move left.`,
    resignation: `${loser} resigned.`,
    agreement: "Both players agreed.",
    repetition: "The same position came up for the third time.",
    no_progress: `${progressPlies / 2} moves each without ${without}.`,
    ply_cap: "The game reached its longest length.",
  };
  return `${winner ? names[winner] + " wins." : "The game is a draw."} ${reason ?? reasons[termination]}`;
}

/** How near a draw is; "" while it is far; due: the player may claim one. @param {DrawCount} count @param {Preset} preset */
export function drawNote({ quiet, limit, repetitions, repetitionLimit }, { claimed }, due) {
  const each = limit ? Math.ceil((limit - quiet) / 2) : 99;
  if (due || (claimed && each < 1)) return "A draw can be claimed now.";
  if (repetitions >= repetitionLimit && repetitionLimit) return `This position has come up ${repetitions} times.`;
  if (repetitionLimit && repetitions === repetitionLimit - 1) {
    return `This position has come up twice; a third time ${claimed ? "can be claimed as" : "makes"} a draw.`;
  }
  return each < 11 ? `${each} move${each < 2 ? "" : "s"} each left until a draw${claimed ? " can be claimed" : ""}.` : "";
}

/** The number of the move that a ply belongs to. @param {Line} line @param {number} ply */
export const numberOf = ({ positions: [{ turn }] }, ply) => Math.ceil((ply + (turn !== START[0])) / 2);

/** Makes a list of moves, one tab stop through which arrows lead; visit is called with a ply that is chosen. Gives what draws it. @param {HTMLElement} host @param {(ply: number) => void} visit */
export function moveList(host, visit) {
  let at = 0;
  host.addEventListener("click", ({ target }) => target.dataset.ply && visit(+target.dataset.ply));
  host.addEventListener("keydown", (event) => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, ArrowUp: at - 2, ArrowDown: at + 2, Home: 1, End: Infinity }[event.key];
    if (!to && to !== 0) return;
    event.preventDefault();
    visit(Math.max(to, 1));
  });
  /** Draws a line with the move after `ply` plies marked. @param {Line} line @param {number} ply @param {Style} style */
  return (line, ply, style) => {
    const focused = host.contains(document.activeElement);
    const rows = [];
    at = ply;
    line.moves.forEach((move, i) => {
      const n = numberOf(line, i + 1);
      rows[n] ??= line.positions[i].turn !== START[0] ? "<span>…</span>" : "";
      rows[n] += `<button type="button" data-ply="${i + 1}" tabindex="${i === Math.max(ply - 1, 0) ? 0 : -1}"${
        i + 1 === ply ? ' aria-current="true"' : ""}>${moveText(move, style)}</button>`;
    });
    host.innerHTML = rows.map((row) => `<li>${row}</li>`).join("");
    const current = host.querySelector("[tabindex='0']");
    if (current) host.scrollTop = current.offsetTop - host.clientHeight / 2;
    if (focused) current?.focus({ preventScroll: true });
  };
}
