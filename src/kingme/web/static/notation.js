// The texts of checkers in the browser: moves and PDN, read as kingme.rules reads them. The page loads this file
// after the board is there.
import { GAME_TYPE, SQUARES, START, legalMoves, letters, sideOf } from "./rules.js";
import { SIDES } from "./speech.js";

/** @import {Game, Line, Move, Outcome, Position} from "./types" */

/** A text or move that the rules refuse; the message can be shown to the player. */
export class RulesError extends Error {}


/** The number of a square in letters: number("c3") is 22; 0 for a light square or none. @param {string} text */
export const number = (text) => SQUARES.find((n) => letters(n) === text.toLowerCase()) ?? 0;

/** @param {string} message @returns {never} */
const refuse = (message) => { throw new RulesError(message); };

const quoted = (text) => `'${text.slice(0, 20)}'`;

/** The legal move that a text names, in any usual spelling. @param {Position} position @param {string} text @returns {Move} */
export function parseMove(position, text) {
  const moves = legalMoves(position);
  const path = squaresIn(text, moves.length ? `. Legal: ${named(moves)}` : "");
  const said = text.trim().replace(/\s+/g, " ");
  const exact = moves.find((move) => `${move.path}` === `${path}`);
  const found = exact ? [exact] : moves.filter((move) => begins(move, path) && path.at(-1) === move.path.at(-1));
  if (!found.length) refuse(objection(position, moves, path, said));
  const result = (move) => `${move.captures.slice().sort()}`;
  if (found.some((move) => result(move) !== result(found[0]))) {
    refuse(`${said} can mean ${named(found, " or ")}: write the whole route`);
  }
  return found[0];
}

const named = (moves, mark = ", ") => moves.slice(0, 40).map((move) => move.text).join(mark);

/** Whether a path is the beginning of a move's, perhaps with some landings left out. @param {Move} move @param {number[]} path */
function begins(move, path) {
  let i = 0;
  for (const n of move.path) if (n === path[i]) i++;
  return i === path.length && path[0] === move.path[0];
}

/** The squares that a move text names. @param {string} text @param {string} hint */
function squaresIn(text, hint) {
  if (text.length > 200) refuse(`this is ${text.length} characters long: a move has 200 at most${hint}`);
  const squares = [];
  let rest = text.replace(/^\s*(\d+\s*)?(\.\s*)+/, "").replace(/([\s!?.*]|\([!?]+\)|\$\d+)*$/, "").trimStart();
  /** @param {string} why @returns {never} */
  const unread = (why) => refuse(`${quoted(rest.trim().split(/\s/)[0])} ${why}${hint}`);
  while (rest) {
    const name = /^([a-z]\d{1,2}|\d+)/i.exec(rest)?.[0] ?? unread("is no square: a move looks like 11-15 or c3-d4");
    const n = +name || number(name);
    if (!SQUARES.includes(n)) refuse(`${quoted(name)} is no square of play: they run from 1 to ${SQUARES.length}${hint}`);
    squares.push(n);
    rest = rest.slice(name.length);
    if (!rest) break;
    const mark = /^(\s*[-‐‑–—−x×:*]\s*|\s+|(?=[a-z]))/i.exec(rest)?.[0] ?? unread("does not belong in a move");
    rest = rest.slice(mark.length);
    if (!rest) refuse(`nothing follows '${mark.trim()}'${hint}`);
  }
  if (squares.length < 2) refuse(`a move names at least two squares, as in 11-15 or c3-d4${hint}`);
  return squares;
}

/** Why a path is no legal move here. @param {Position} position @param {Move[]} moves @param {number[]} path @param {string} said */
function objection({ pieces, turn }, moves, path, said) {
  if (!moves.length) return `${said} cannot be played: ${SIDES[turn]} has no move, the game is over`;
  const [start] = path;
  const starts = [...new Set(moves.map((move) => move.path[0]))];
  let why = `is not legal: the piece on ${start} `;
  if (!pieces[start]) why = `is not legal: there is no piece on ${start}`;
  else if (sideOf(pieces[start]) !== turn) why = `is not legal: ${start} is not ${SIDES[turn]}'s piece`;
  else if (moves.some((move) => begins(move, path))) why = "is not the whole jump: it goes on";
  else if (!moves[0].captures.length) {
    const end = path.at(-1);
    why = pieces[end] ? `is not legal: ${end} is occupied` : why + "cannot go there";
  } else if (starts.includes(start)) why += "must jump, but not so";
  else why = `is not legal: a jump is compulsory, with the piece on ${starts.join(" or ")}`;
  return `${said} ${why}. Legal: ${named(moves)}`;
}

/** A game as PDN; 1-0 means that the first player won, Black in American checkers. @param {{positions: Position[], moves: Move[],
 *  startFen?: ?string, result?: string, black?: string, white?: string, date?: string, event?: string, preset?: string}} game */
export function pdn({ positions, moves, startFen, result = "*", black, white, date, event, preset }) {
  const tags = { Event: event ?? "?", Site: "?", Date: date ?? "????.??.??", Round: "?", Black: black ?? "?", White: white ?? "?", Result: result,
    GameType: GAME_TYPE, ...(preset && { DrawRules: preset }), ...(startFen && startFen !== START && { SetUp: "1", FEN: startFen }) };
  const head = Object.entries(tags).map(([name, value]) => `[${name} "${value.replace(/["\\\n]/g, " ")}"]`);
  const first = positions[0].turn === "B" ? 0 : 1; // half-moves before the first one
  const words = moves.map((m, i) => ((i + first) % 2 ? (i ? "" : "1... ") : `${(i + first) / 2 + 1}. `) + m.text);
  const lines = [""];
  for (const word of [...words, result]) {
    const line = lines.at(-1);
    if (line && line.length + word.length > 78) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return `${head.join("\n")}\n\n${lines.join("\n")}\n`;
}

/** The game on the page as PDN. @param {Game} game @param {Line} line @param {?Outcome} over @param {string} preset */
export function record({ mode, side, level, start }, line, over, preset) {
  const name = (of) => (mode === "two" ? "?" : of === side ? "Player" : `kingme level ${level}`);
  const result = over ? { B: "1-0", W: "0-1" }[over.winner] ?? "1/2-1/2" : "*";
  const date = new Date().toLocaleDateString("sv").replaceAll("-", ".");
  return pdn({ ...line, startFen: start, result, black: name("B"), white: name("W"), date, event: "kingme", preset });
}
