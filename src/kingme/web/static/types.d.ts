// The types that the page's scripts name in their JSDoc; no browser loads this file.

export type Side = "B" | "W";

/** pieces[1..32] is "" or b, B, w, W; a capital is a king. */
export interface Position {
  pieces: string[];
  turn: Side;
}

/** One legal move, its whole route; text is that route as 11-15 or 15x22x31. */
export interface Move {
  path: number[];
  captures: number[];
  text: string;
  crowned: boolean;
}

export interface Preset {
  name: string;
  title: string;
  summary: string;
  repetition: number | null;
  repetitionReset: string[];
  progressPlies: number | null;
  progress: string[];
  claimed: boolean;
  plyCap: number | null;
  agreement: boolean;
}

export interface Outcome {
  winner: Side | null;
  termination: string;
}

/** How near a draw is, in plies and occurrences. */
export interface DrawCount {
  quiet: number;
  limit: number | null;
  repetitions: number;
  repetitionLimit: number | null;
}

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
  /** The answers to the keys l and t: the last move; the clocks and whose turn it is. */
  lastWords: string;
  turnWords: string;
}

/** What the board tells the page: an answer to read aloud, or a message to show; none when all is well again. */
export interface Said {
  text: string;
  read?: boolean;
}

/** What the server tells the page. */
export interface PageData {
  protocol: number;
  version: string;
  variant: { name: string; title: string; start: string };
  presets: Preset[];
  levels: { number: number; name: string; description: string }[];
  /** The settings that the address names, or what is wrong with them. */
  link?: Partial<Game>;
  linkError?: string;
}
