// The texts of a variant: what ../notation.js is for American checkers. Moves are read in every usual spelling, and
// refused in the names of squares that the person used; PDN is written as players of the variant write it.
import { EXAMPLE, GAME_TYPE, OWN, SQUARES, START, demand, legalMoves, letters, same, sideOf, spelled } from "./rules.js";
import { SIDES, choices, square } from "./speech.js";

/** @import {Game, Line, Move, Outcome, Position, Style} from "../types" */

/** A text or move that the rules refuse; the message can be shown to the player. */
export class RulesError extends Error {}

/** The number of a square in letters; 0 for a square that is not played on, or none. @param {string} text */
export const number = (text) => SQUARES.find((n) => letters(n) === text.toLowerCase()) ?? 0;

/** @param {string} message @returns {never} */
const refuse = (message) => { throw new RulesError(message); };

const quoted = (text) => `'${text.slice(0, 20)}'`;


const end = (list) => list[list.length - 1];

/** The legal move that a text names, in any usual spelling. @param {Position} position @param {string} text @returns {Move} */
export function parseMove(position, text) {
  const style = /[a-l]\d/i.test(text) ? "letters" : /\d/.test(text) ? "numbers" : OWN;
  const moves = legalMoves(position);
  const path = squaresIn(text, moves.length ? `. Legal: ${named(moves, style)}` : "");
  const said = text.trim().split(/\s+/).join(" ");
  const exact = moves.find((move) => `${move.path}` === `${path}`);
  const ending = moves.filter((move) => end(path) === end(move.path));
  const whole = exact ? [exact] : ending.filter((move) => same(move, path));
  const found = whole[0] ? whole : ending.filter((move) => begins(move.path, path));
  if (!found.length) refuse(objection(position, moves, path, said, style));
  const result = (move) => `${move.captures.slice().sort()}`;
  if (found.some((move) => result(move) !== result(found[0]))) {
    refuse(`${said} can mean ${named(found, style, " or ")}: write the whole route`);
  }
  return found[0];
}

const named = (moves, style, mark = ", ") => moves.slice(0, 40).map((move) => spelled(move, style)).join(mark);

/** Whether a path is the beginning of a route, perhaps with some landings left out. @param {number[]} route @param {number[]} path */
function begins(route, path) {
  let i = 0;
  for (const n of route) if (n === path[i]) i++;
  return i === path.length && path[0] === route[0];
}

/** The squares that a move text names. @param {string} text @param {string} hint */
function squaresIn(text, hint) {
  if (text.length > 200) refuse(`this is ${text.length} characters long: a move has 200 at most${hint}`);
  const squares = [];
  let rest = text.replace(/^\s*(\d+\s*)?(\.\s*)+/, "").replace(/([\s!?.*]|\([!?]+\)|\$\d+)*$/, "").trimStart();
  /** @param {string} why @returns {never} */
  const unread = (why) => {
    const said = rest.trim().split(/\s/)[0];
    // A digit of another script, perhaps behind a letter.
    const digit = /^.??((?![0-9])\p{Nd})/u.exec(said)?.[1];
    refuse((digit ? `'${digit}' is no square's digit: squares are written with 0 to 9` : `${quoted(said)} ${why}`) + hint);
  };
  while (rest) {
    const name = /^([a-z]\d{1,2}|\d+)/i.exec(rest)?.[0] ?? unread(`is no square: a move looks like ${EXAMPLE}`);
    const n = +name || number(name);
    if (!SQUARES.includes(n)) refuse(quoted(name) + " is no square of play" + (+name ? ": they run from 1 to " + SQUARES.length : "") + hint);
    squares.push(n);
    rest = rest.slice(name.length);
    if (!rest) break;
    const mark = /^(\s*[-‐‑–—−x×:*]\s*|\s+|(?=[a-z]))/i.exec(rest)?.[0] ?? unread("does not belong in a move");
    rest = rest.slice(mark.length);
    if (!rest) refuse(`nothing follows '${mark.trim()}'${hint}`);
  }
  if (squares.length < 2) refuse(`a move names at least two squares, as in ${EXAMPLE}${hint}`);
  return squares;
}

/** Why a path is no legal move here. @param {Position} position @param {Move[]} moves @param {number[]} path @param {string} said @param {Style} style */
function objection(position, moves, path, said, style) {
  const { pieces, turn } = position;
  if (!moves.length) return `${said} cannot be played: ${SIDES[turn]} has no move, the game is over`;
  const [start] = path;
  const at = square(start, style);
  const starts = moves.map((move) => move.path[0]);
  const rule = demand(position, (route) => begins(route, path)) || demand(position, (route) => route[0] === start);
  let why = `is not legal: the piece on ${at} `;
  if (!pieces[start]) why = `is not legal: there is no piece on ${at}`;
  else if (sideOf(pieces[start]) !== turn) why = `is not legal: ${at} is not ${SIDES[turn]}'s piece`;
  else if (moves.some((move) => begins(move.path, path))) why = "is not the whole jump: it goes on";
  else if (!moves[0].captures.length) why = pieces[end(path)] ? `is not legal: ${square(end(path), style)} is occupied` : `${why}cannot go there`;
  else if (starts.includes(start)) why += "must jump, but not so";
  else why = `is not legal: a jump is compulsory, with the piece on ${choices(starts, style)}`;
  return [`${said} ${why}.`, rule, `Legal: ${named(moves, style)}`].filter(Boolean).join(" ");
}

/** A game as PDN; 1-0 means that the side that moves first won. @param {{positions: Position[], moves: Move[], startFen?: ?string,
 *  result?: string, black?: string, white?: string, date?: string, event?: string, preset?: string}} game */
export function pdn({ positions, moves, startFen, result = "*", black, white, date, event, preset }) {
  const tags = { Event: event ?? "?", Site: "?", Date: date ?? "????.??.??", Round: "?", Black: black ?? "?", White: white ?? "?", Result: result,
    ...(GAME_TYPE && { GameType: GAME_TYPE }), ...(preset && { DrawRules: preset }), ...(startFen && startFen !== START && { SetUp: "1", FEN: startFen }) };
  const head = Object.entries(tags).map(([name, value]) => `[${name} "${value.replace(/["\\\n]/g, " ")}"]`);
  const first = positions[0].turn === START[0] ? 0 : 1; // half-moves before the first one
  const words = moves.map((move, i) => ((i + first) % 2 ? (i ? "" : "1... ") : `${(i + first) / 2 + 1}. `) + spelled(move));
  const lines = [""];
  for (const word of [...words, result]) {
    const line = end(lines);
    if (line && line.length + word.length > 78) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return `${head.join("\n")}\n\n${lines.join("\n")}\n`;
}

/** The game on the page as PDN. @param {Game} game @param {Line} line @param {?Outcome} over @param {string} preset */
export function record({ mode, side, level, start }, line, over, preset) {
  const name = (of) => (mode === "two" ? "?" : of === side ? "Player" : `kingme level ${level}`);
  const result = over ? over.winner ? over.winner === START[0] ? "1-0" : "0-1" : "1/2-1/2" : "*";
  const date = new Date().toLocaleDateString("sv").replaceAll("-", ".");
  return pdn({ ...line, startFen: start, result, black: name("B"), white: name("W"), date, event: "kingme", preset });
}
