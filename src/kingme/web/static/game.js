// The game as a value: every change gives the next game; positions and most results are derived.
import { START, outcome, parseFen, parseMove, play } from "./rules.js";

/** @import {Game, Line, Preset} from "./types" */

const KEY = "kingme.game";
const VERSION = 1;

/** A new game. @param {Partial<Game>} [settings] @returns {Game} */
export const create = (settings) => ({ v: VERSION, rev: 0, start: null, moves: [], undone: [], mode: "computer",
  side: "B", level: 3, preset: "standard", flip: false, result: null, ...settings });

/** The game played through; throws where a move is not legal. @param {Game} game @returns {Line} */
export function replay(game) {
  const positions = [parseFen(game.start ?? START)];
  const moves = game.moves.map((text, i) => {
    const move = parseMove(positions[i], text);
    positions.push(play(positions[i], move));
    return move;
  });
  return { positions, moves };
}

/** How the game ended, if it did. @param {Game} game @param {Line} line @param {Preset} preset */
export const ending = (game, { positions, moves }, preset) => game.result ?? outcome(positions, moves, preset);

/** @param {Game} game @param {string} text @returns {Game} */
export const push = (game, text) => ({ ...game, moves: [...game.moves, text], undone: [] });

/** How many plies undo takes back: to the start of the person's previous turn. @param {Game} game @param {Line} line */
export function undoable({ mode, side }, { positions, moves: { length } }) {
  if (mode === "two") return Math.min(length, 1);
  for (let i = length - 1; i >= 0; i--) if (positions[i].turn === side) return length - i;
  return 0;
}

/** @param {Game} game @param {Line} line @returns {Game} */
export function undo(game, line) {
  const keep = game.moves.length - undoable(game, line);
  return { ...game, result: null, moves: game.moves.slice(0, keep), undone: [...game.moves.slice(keep), ...game.undone] };
}

/** Plays again what undo took back: one turn, and the computer's reply. @param {Game} game @returns {Game} */
export function redo(game) {
  const count = game.mode === "two" ? 1 : 2;
  return { ...game, moves: [...game.moves, ...game.undone.slice(0, count)], undone: game.undone.slice(count) };
}

/** The saved game; undefined when there is none, null when it cannot be read. @param {Preset[]} presets */
export function load(presets) {
  try {
    const text = localStorage.getItem(KEY);
    if (!text) return undefined;
    const game = create(JSON.parse(text));
    const { v, rev, mode, side, level, preset, result } = game;
    const sound = v === VERSION && rev >= 0 && /^(computer|two)$/.test(mode) && /^[BW]$/.test(side) && /^[1-8]$/.test(level)
      && presets.some(({ name }) => name === preset) && (!result || result.termination);
    if (sound) replay({ ...game, moves: [...game.moves, ...game.undone] });
    return sound ? game : null;
  } catch {
    return null;
  }
}

/** Saves the game and gives it back, or the newer one that another tab has saved. @param {Game} game @param {Preset[]} presets */
export function save(game, presets) {
  const stored = load(presets);
  if (stored && stored.rev > game.rev) return stored;
  const next = { ...game, rev: game.rev + 1 };
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch { /* no storage here: the game lives as long as the page */ }
  return next;
}

/** Calls back when another tab has saved. @param {() => void} changed */
export const watch = (changed) => addEventListener("storage", ({ key }) => key === KEY && changed());
