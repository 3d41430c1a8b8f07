// The game as a value: every change gives the next game; positions and most results are derived.
import { START, outcome, parseFen, parseMove, play } from "./rules.js";

/** @import {Game, Line, Outcome, Preset} from "./types" */

const KEY = "kingme.game";
const VERSION = 1;

/** A new game. @param {Partial<Game>} [settings] @returns {Game} */
export const create = (settings) => ({ v: VERSION, rev: 0, start: null, moves: [], undone: [], mode: "computer",
  side: "B", level: 3, preset: "standard", flip: false, result: null, ...settings });

/** The game played through; throws where a move is not legal. @param {Game} game @returns {Line} */
export function replay({ start, moves: texts }) {
  const positions = [parseFen(start ?? START)];
  const moves = texts.map((text, i) => {
    const move = parseMove(positions[i], text);
    positions.push(play(positions[i], move));
    return move;
  });
  return { positions, moves };
}

/** How the game ended, if it did. @param {Game} game @param {Line} line @param {Preset} preset @returns {?Outcome} */
export const ending = (game, { positions, moves }, preset) => game.result ?? outcome(positions, moves, preset);

/** @param {Game} game @param {string} text @returns {Game} */
export const push = (game, text) => ({ ...game, moves: [...game.moves, text], undone: [] });

/** How many plies undo takes back: to the start of the person's previous turn. @param {Game} game @param {Line} line */
export function undoable({ mode, side }, { positions, moves }) {
  let i = moves.length - 1;
  while (mode !== "two" && i >= 0 && positions[i].turn !== side) i--;
  return i < 0 ? 0 : moves.length - i;
}

/** @param {Game} game @param {number} plies @returns {Game} */
export const undo = (game, plies) => ({ ...game, result: null, moves: game.moves.slice(0, -plies),
  undone: [...game.moves.slice(-plies), ...game.undone] });

/** Plays again what undo took back: one turn, with the computer's reply. @param {Game} game @returns {Game} */
export function redo(game) {
  const plies = game.mode === "two" ? 1 : 2;
  return { ...game, moves: [...game.moves, ...game.undone.slice(0, plies)], undone: game.undone.slice(plies) };
}

/** Whether what a store or an address holds is a game. @param {Game} game @param {Preset[]} presets */
export function sound(game, presets) {
  const { v, rev, mode, side, level, preset, result, moves, undone } = game;
  try {
    replay({ ...game, moves: [...moves, ...undone] });
  } catch {
    return false;
  }
  return v === VERSION && rev >= 0 && /^(computer|two)$/.test(mode) && /^[BW]$/.test(side) && /^[1-8]$/.test(level)
    && presets.some(({ name }) => name === preset) && (!result || !!result.termination);
}

/** The saved game; undefined when there is none, null when it cannot be read. @param {Preset[]} presets */
export function load(presets) {
  try {
    const text = localStorage.getItem(KEY);
    const game = text ? create(JSON.parse(text)) : undefined;
    return !game || sound(game, presets) ? game : null;
  } catch {
    return null;
  }
}

/** Saves the game and gives it back, or the newer one that another tab has saved. @param {Game} game @param {Preset[]} presets */
export function save(game, presets) {
  const stored = load(presets);
  if (stored?.rev > game.rev) return stored;
  const next = { ...game, rev: game.rev + 1 };
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch { /* no storage here: the game lives as long as the page */ }
  return next;
}

/** Calls back when another tab has saved. @param {() => void} changed */
export const watch = (changed) => addEventListener("storage", ({ key }) => key === KEY && changed());
