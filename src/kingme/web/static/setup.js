// Positions as people write them and set them up: FEN read as kingme.rules.fen reads it, and what makes a position
// impossible, as kingme.rules.status says it.

import { SQUARES, row, sideOf } from "./rules.js";
import { RulesError, number } from "./notation.js";
import { SIDES } from "./speech.js";

/** @import {Position, Side} from "./types" */

const LONGEST = 2000;
const MEN = 12;
const EXAMPLE = "a position looks like B:W21,22,K30:B1,2";
const WRAPPED = /^\s*[[/]?\s*(?:FEN\s*)?["'“”]?([^"'“”\]/]*)["'“”]?\s*[\]/]?\s*$/i;
const TURN = /^(?:(W|B)(?:hite|lack)?\b.*|.*\b(W|B)(?:hite|lack)?)$/i;
const TAIL = /^(?:[HF]\d+|\+\d+\+\d+)$/i;
const SQUARE = /^(K?) *(\d+|[A-Z]\d+)$/i;
const CROWN = { B: 7, W: 0 };

/** @param {string} message @returns {never} */
const refuse = (message) => { throw new RulesError(message); };
const quoted = (text) => `'${text.slice(0, 20)}'`;
const cut = (text, mark) => text.split(mark).map((part) => part.trim());

/** The position of a FEN, possible or not. Throws RulesError. @param {string} text @returns {Position} */
export function readFen(text) {
  if (text.length > LONGEST) refuse(`this is ${text.length} characters long: a FEN has ${LONGEST} at most`);
  const body = WRAPPED.exec(text)?.[1] ?? refuse(`stray quotes or brackets: ${EXAMPLE}`);
  const [head, ...sections] = cut(body.replace(/[ \t\r\n.]+$/, ""), ":");
  const named = TURN.exec(head) ?? refuse(`${head ? quoted(head) + " says no side" : "nothing says the side"} to move: it begins with B: or W: (${EXAMPLE})`);
  const pieces = Array(33).fill("");
  const seen = [];
  if (!sections.some(Boolean)) refuse(`this FEN names no pieces: ${EXAMPLE}`);
  for (const section of sections) {
    if (!section || TAIL.test(section)) continue;
    const side = section[0].toUpperCase();
    if (!SIDES[side]) refuse(`${quoted(section)} names no side: a list of squares begins with B or W`);
    const listed = section.slice(1).trim();
    if (!listed) continue;
    if (seen.includes(side)) refuse(`${SIDES[side]}'s pieces are listed twice`);
    seen.push(side);
    for (const token of cut(listed, ",")) if (token) put(pieces, side, token);
  }
  if (!pieces.some(Boolean)) refuse("there is no piece on the board: a position has at least one");
  return { pieces, turn: /** @type {Side} */ ((named[1] ?? named[2]).toUpperCase()) };
}

/** Puts the pieces of one word on the board: a square, a king's, or a range. */
function put(pieces, side, token) {
  const dash = token.indexOf("-");
  const [first, last] = dash < 0 ? [token, token] : [token.slice(0, dash), token.slice(dash + 1)];
  const [low, high] = [first, last].map((name) => squareIn(name.trim(), token));
  if (high.n < low.n) refuse(`the range ${token} runs backward`);
  for (let n = low.n; n <= high.n; n++) {
    if (pieces[n]) refuse(`square ${n} is named twice: it holds one piece at most`);
    pieces[n] = low.king || high.king ? side : side.toLowerCase();
  }
}

function squareIn(text, token) {
  const [, king, name] = SQUARE.exec(text) ?? [];
  const n = /^\d/.test(name ?? "") ? +name : number(name ?? "");
  if (!SQUARES.includes(n)) refuse(`${quoted(token)} is no square: they run from 1 to 32, with K before a king's`);
  return { king: !!king, n };
}

/** Why a position cannot occur, each reason a phrase; none where nothing speaks against it. @param {Position} position @returns {string[]} */
export function faults({ pieces, turn }) {
  const own = (side) => SQUARES.filter((n) => sideOf(pieces[n]) === side);
  const crowned = (side) => own(side).some((n) => pieces[n] !== side && row(n) === CROWN[side]);
  if (!pieces.some(Boolean)) return ["there is no piece on the board"];
  return Object.entries({
    "Black has more pieces than at the start": own("B").length > MEN,
    "White has more pieces than at the start": own("W").length > MEN,
    "a black man stands on its crown row and would be a king there": crowned("B"),
    "a white man stands on its crown row and would be a king there": crowned("W"),
    "the side that moved last has no piece": !own(turn === "B" ? "W" : "B").length,
  }).filter(([, holds]) => holds).map(([reason]) => reason);
}

/** The same position with the colours reversed and the board turned. @param {Position} position @returns {Position} */
export function mirrored({ pieces, turn }) {
  const flipped = (piece) => ({ b: "w", B: "W", w: "b", W: "B" })[piece] ?? "";
  return { pieces: pieces.map((_, n) => (n ? flipped(pieces[33 - n]) : "")), turn: turn === "B" ? "W" : "B" };
}
