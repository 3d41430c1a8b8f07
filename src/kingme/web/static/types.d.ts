// The types that the page's scripts name in their JSDoc; no browser loads this file.
import type { Move, Outcome, Position, Preset, Side } from "./rules.js";

export type { Move, Outcome, Position, Preset, Side };

/** How squares are written. */
export type Style = "numbers" | "letters";

/** One game, as it is saved. */
export interface Game {
  v: number;
  /** Counts the saves, so that a tab left behind never overwrites a newer game. */
  rev: number;
  /** The FEN it began with; null for the usual start. */
  start: string | null;
  moves: string[];
  /** What undo took back, next move first. */
  undone: string[];
  mode: "computer" | "two";
  /** The person's side against the computer; at the bottom of the board in both modes. */
  side: Side;
  level: number;
  preset: string;
  flip: boolean;
  /** A result by agreement, claim or resignation; those on the board are derived. */
  result: Outcome | null;
}

/** A game played through: one position more than moves. */
export interface Line {
  positions: Position[];
  moves: Move[];
}

/** What the board shows. */
export interface State {
  position: Position;
  /** What the player may do now; none when it is not the player's turn, and refusal says why. */
  moves: Move[];
  last: Move | null;
  bottom: Side;
  style: Style;
  refusal: string;
  /** The answers to the keys l and t. */
  lastWords: string;
  turnWords: string;
}

/** What the board tells the page: read aloud only, a question or an error to show, or all well again. */
export interface Said {
  text: string;
  kind: "read" | "ask" | "error" | "clear";
}

/** What the server tells the page. */
export interface PageData {
  protocol: number;
  version: string;
  variant: { name: string; title: string; start: string };
  presets: (Preset & { title: string; summary: string })[];
  levels: { number: number; name: string; description: string }[];
}
