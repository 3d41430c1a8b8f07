// The game as a value: every change gives the next game; positions and most results are derived.
import { START, fromFen, legalMoves, play, toFen } from "./rules.js";

/** @import {Game, Line} from "./types" */

const KEY = "kingme.game" + location.pathname.slice(9); // each variant has its page, /variants/NAME

/** A new game. @returns {Game} */
export const create = (settings) => ({ v: 1, rev: 0, start: null, moves: [], undone: [], mode: "computer",
  side: START[0], level: 3, preset: "standard", flip: false, result: null, ...settings });

/** The legal move of this very text, if there is one. */
export const named = (position, text) => legalMoves(position).find((move) => move.text === text);

/** The game played through; throws where a move is not legal. @returns {Line} */
export function replay({ start, moves: texts }) {
  const positions = [fromFen(start ?? START)];
  const moves = texts.map((text, i) => {
    const move = named(positions[i], text);
    positions.push(play(positions[i], move));
    return move;
  });
  return { positions, moves };
}

export const push = (game, text) => ({ ...game, moves: [...game.moves, text], undone: [] });

/** How many plies undo takes back: to the start of the person's previous turn. */
export function undoable({ mode, side }, { positions, moves }) {
  let i = moves.length - 1;
  while (mode !== "two" && i >= 0 && positions[i].turn !== side) i--;
  return i < 0 ? 0 : moves.length - i;
}

export const undo = (game, plies) => ({ ...game, result: null, moves: game.moves.slice(0, -plies),
  undone: [...game.moves.slice(-plies), ...game.undone] });

/** Plays again what undo took back: one turn, with the computer's reply. */
export function redo(game) {
  const plies = game.mode === "two" ? 1 : 2;
  return { ...game, moves: [...game.moves, ...game.undone.slice(0, plies)], undone: game.undone.slice(plies) };
}

/** What a saved game may hold besides its moves. */
const FORM = /^\[1,\d{1,15},"(computer|two)","[BW]",[1-8],(true|false),(null|\{"winner":("[BW]","termination":"resignation"|null,"termination":"(agreement|repetition|no_progress)")\})]$/;

/** Whether what a store holds is a game. */
function sound(game, presets) {
  const { v, rev, start, mode, side, level, preset, flip, result, moves, undone } = game;
  try {
    const { positions: [first] } = replay({ ...game, moves: [...moves, ...undone] });
    if (start !== null && toFen(first) !== start) return false;
  } catch {
    return false;
  }
  return FORM.test(JSON.stringify([v, rev, mode, side, level, flip, result])) && [moves, undone].every(Array.isArray)
    && presets.some(({ name }) => name === preset);
}

/** The saved game; undefined when there is none, null when it cannot be read. */
export function load(presets) {
  try {
    const text = localStorage[KEY];
    const game = text ? create({ v: 0, ...JSON.parse(text) }) : undefined;
    return !game || sound(game, presets) ? game : null;
  } catch {
    return null;
  }
}

const bare = (game) => JSON.stringify({ ...game, rev: 0, flip: 0 });

/** Whether two games differ at most in how the board lies. */
export const alike = (one, another) => bare(one) === bare(another);

/** Saves the game and gives it back, or the newer one that another tab has saved. */
export function save(game, presets) {
  const stored = load(presets);
  if (stored?.rev > game.rev) return stored;
  const next = { ...game, rev: game.rev + 1 };
  try {
    localStorage[KEY] = JSON.stringify(next);
  } catch { /* no storage here: the game lives as long as the page */ }
  return next;
}
