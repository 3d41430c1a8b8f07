// The types that the page's scripts name in their JSDoc; no browser loads this file.

export type Side = "B" | "W";

/** pieces[1..32] is "" or b, B, w, W; a capital is a king. */
export interface Position {
  pieces: string[];
  turn: Side;
  /** For each side the square of the king that moved last, and how often in a row: in variants alone. */
  runs?: Record<Side, [number, number]>;
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
  endings: Ending[];
}

/** A balance of few pieces that is a draw once it has lasted for so many plies; counts are the least and the most. */
export interface Ending {
  plies: number;
  weaker: [number, number];
  weakerKings: [number, number];
  stronger: [number, number];
  strongerKings: [number, number];
  total: [number, number];
  onLongDiagonal: boolean;
  restarts: string[];
}

export interface Outcome {
  winner: Side | null;
  termination: string;
  /** Why, as a sentence, where the termination alone does not tell. */
  reason?: string;
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

/** A variant as data: the rules of its pieces by the names that kingme.rules.terms gives them. */
export interface RulesRecord {
  rows: number;
  mirrored: boolean;
  names: string[];
  gameType: string | null;
  manMoves: string[];
  manJumps: string[];
  kingMoves: string[];
  kingJumps: string[];
  flyingKings: boolean;
  kingLandsNext: boolean;
  menMayJumpKings: boolean;
  choice: string[];
  crowning: "stop" | "pass" | "become";
  removal: "end" | "now";
  mayReverse: boolean;
  kingLimit: number | null;
  goal: "take_or_block" | "lose_all" | "crown_first";
  /** How its players write moves: by letters or numbers, and what stands between the squares of a jump. */
  lettersFirst: boolean;
  jumpMark: string;
  /** A first move in their way, and with the other names of the squares. */
  example: string;
}

/** What the server tells the page. */
export interface PageData {
  protocol: number;
  version: string;
  variant: { name: string; title: string; start: string; rules?: RulesRecord };
  presets: Preset[];
  levels: Level[];
  /** The settings that the address names, or what is wrong with them. */
  link?: Partial<Game>;
  linkError?: string;
}

// --- live play: the views of kingme.play.views and the frames of kingme.web.live.frames ---

/** A frame either way; t is its name. */
export interface Frame {
  t: string;
  [field: string]: unknown;
}

/** The answer to what was asked. */
export interface Ack {
  id: string;
  version?: number;
  game?: string;
  seek?: string;
  code?: string;
}

export interface Person {
  id: number;
  name: string;
  guest: boolean;
  membership: string;
  rating: number | null;
  provisional: boolean;
}

export interface Control {
  kind: "increment" | "per_move" | "days" | "unlimited";
  initial: number;
  increment: number;
}

/** left is Black's and White's time in ms as of since, a time of the server; from then on that of running runs. */
export interface ClockView {
  left: [number, number];
  running: Side | null;
  since: number | null;
}

export interface Terms {
  room?: string;
  stake?: number;
  chips?: Record<string, number>;
  points?: Record<string, number>;
}

/** What a game brought one player; what is nothing is left out. */
export interface Share {
  chips?: number;
  points?: number;
  rating?: number;
  ratingAfter?: number;
}

export interface ChatLine {
  side: Side;
  at: number;
  phrase?: string;
  text?: string;
}

/** A whole game as one viewer may see it. */
export interface GameView {
  id: string;
  version: number;
  preset: string;
  start: string | null;
  moves: string[];
  control: Control;
  text: string;
  speed: string;
  clock: ClockView;
  status: "playing" | "over" | "aborted";
  outcome: { winner: Side | null; termination: string; result: string; text: string } | null;
  black: Person;
  white: Person;
  rated: boolean;
  private: boolean;
  room: string;
  stake: number;
  terms: Terms;
  you: Side | null;
  draw: Side | null;
  takeback: Side | null;
  rematch: Side | null;
  chat: { black: boolean; white: boolean; lines: ChatLine[] } | null;
  next: string | null;
  rematchOf: string | null;
  startedAt: number;
  endedAt: number | null;
  settled: { at: number; black: Share; white: Share } | null;
  startDeadline: number | null;
}

/** Something that happened in a game; kind says what. */
export interface GameEvent {
  kind: string;
  at: number;
  side?: Side;
  [field: string]: unknown;
}

/** Who is there; gone may be claimed against from claimable (ms) on. */
export interface Presence {
  black: boolean;
  white: boolean;
  watchers: number;
  gone: Side | null;
  claimable: number | null;
}

export interface SeekShown {
  id: string;
  owner: Person;
  control: Control;
  text: string;
  speed: string;
  preset: string;
  rated: boolean;
  room: string;
  stake: number;
  side: Side | null;
  yours: boolean;
  code: string | null;
}

export interface GameShown {
  id: string;
  black: Person;
  white: Person;
  text: string;
  speed: string;
  plies: number;
  rated: boolean;
  room: string;
  stake: number;
  fen: string;
  last: string | null;
}

/** The lobby as it is now. */
export interface Lobby {
  seeks: SeekShown[];
  games: GameShown[];
  online: Person[];
  mine: GameShown[];
  people: number;
  playing: number;
}

/** A room as it is for the viewer: refusal says why a stake is not open to them. */
export interface Room {
  name: string;
  title: string;
  summary: string;
  opensTo: string;
  preset: string | null;
  open: boolean;
  tables: { stake: number; lines: { ending: string; title: string; chips: number; points: number }[]; refusal: string | null }[];
}

/** What the lobby is told. */
export interface LobbyData {
  version: string;
  guest: boolean;
  chips: number | null;
  presets: Preset[];
  rooms: Room[];
  clocks: { text: string; speed: string; control: Control }[];
}

/** What the page of a game is told. */
export interface GameData {
  version: string;
  game: GameView;
  preset: Preset;
  phrases: Record<string, string>;
  muted: boolean;
}

/** How a level of the computer thinks: see kingme.engine.levels. */
export interface Level {
  number: number;
  name: string;
  description: string;
  depth: number;
  seconds: number;
  glance: number;
  oversight: number;
  whim: number;
  varied: number;
  /** How much worse than the best a move of the opening book may be; 0: no book. */
  book: number;
}

/** The opening book by position: the value of the best move, and the moves as words, the best first. */
export type Book = Map<bigint, { value: number; moves: number[] }>;

/** When a search ends, whichever comes first: plies, positions, seconds. */
export interface Limits {
  depth?: number;
  nodes?: number;
  seconds?: number;
}

/** What a search knows after an iteration; pv is the line it expects, best move first. */
export interface EngineInfo {
  depth: number;
  score: number;
  nodes: number;
  seconds: number;
  pv: Move[];
}

/** What the page asks its engine for. */
export interface WorkerTask {
  what: "reply" | "draw";
  start: string | null;
  moves: string[];
  preset: Preset;
  level: Level;
}

/** What a page wants analysed: the position after the moves of a game. Without a bound it goes on until it is stopped. */
export interface AnalysisTask extends Limits {
  /** The FEN the game began with; the usual start where there is none. */
  start?: string | null;
  /** The moves as the rules write them: 11-15, 15x22x31. */
  moves?: string[];
  preset?: Partial<Preset>;
  /** How many of the best moves get a line. */
  lines?: number;
}

/** The same for the worker; a task without moves only ends the one before. */
export interface AnalystTask extends AnalysisTask {
  id: number;
}

/** One move and what is expected after it. */
export interface AnalysisLine {
  /** Plies to which this line was searched. */
  depth: number;
  /** Hundredths of a man for the side to move. */
  score: number;
  /** For the side to move, where it is certain. */
  result: "win" | "loss" | "draw" | null;
  /** Plies to the end of a game that is won by force: no more than these, and just these where they are no more than depth. */
  plies: number | null;
  /** The texts of the moves, the best first. */
  pv: string[];
}

/** What an analysis knows; the best line first. */
export interface AnalysisInfo {
  /** Plies to which every line was searched. */
  depth: number;
  nodes: number;
  /** Nodes a second. */
  nps: number;
  seconds: number;
  lines: AnalysisLine[];
  /** Whether this is the last word: a bound is reached, or all is decided. */
  done: boolean;
  /** What proves it beside the search: the endgame tables. */
  proof?: "database" | "search" | null;
  /** Whether the server's engine found it. */
  server?: boolean;
}

/** What the endgame database knows of a position: the value for the side to move, and plies to the end, null for a draw. */
export interface Exact {
  value: "win" | "draw" | "loss";
  plies: number | null;
}

/** What the endgame databases are asked: of a position its value, its best moves, or the move to play, where left are the
 *  plies until a draw rule comes, null for none; without a position, the whole block or a whole file of packed values. */
export interface EndingTask {
  id: number;
  want: "exact" | "best" | "move" | "block" | "values";
  position?: Position;
  left?: number | null;
}

/** What they know; nothing but the id where that is nothing. */
export interface EndingAnswer {
  id: number;
  exact?: Exact;
  best?: Move[];
  move?: { text: string; score: number } | null;
  bytes?: ArrayBuffer;
}

/** A slice of a packed file: how many positions, blocks and bits it has, where it is, and the value of a block without bits. */
export interface PackedSlice {
  positions: number;
  parts: number;
  bits: number;
  place: number;
  size: number;
  value: number;
}

/** A step of a lesson; what is asked is told by kind, and each kind has fields of its own. */
export interface LessonStep {
  fen: string;
  bottom: Side;
  marks: number[];
  kind?: "moves" | "point" | "choose" | "win" | "hold";
  /** Said when the task is done. */
  after: string;
  hint?: string;
  /** moves: those of the learner, several divided by |, and the answers to them in turn. */
  line?: string[];
  /** moves and point: why a try is not right, where nothing more is known. */
  otherwise?: string;
  wrong?: [string, string][];
  /** point: what is said of a square that is not right, where that is plainer. */
  squares?: Record<number, string>;
  /** point: the squares; choose: the number of the choice. */
  answer?: number[] | number;
  choices?: [string, string][];
  /** win and hold: how many plies there are. */
  plies?: number;
}

/** A NodeRead as a tree on the page has it: what nobody said of the move is left out. */
export interface NodeSaid extends Partial<Omit<NodeRead, "move" | "variations">> {
  move: string | null;
  variations: NodeSaid[][];
}

// --- the review: the twin of kingme.analysis, and what kingme.web.reading tells of a PDN text ---

/** What the review goes by; worst classes first. */
export interface ReviewRules {
  version: string;
  /** Hundredths of a man at which the side ahead may expect e points to one. */
  scale: number;
  win: number;
  nearWin: number;
  /** Plies of a line by the endgame database, at most. */
  line: number;
  classes: { mark: string; least: number; sign: string }[];
  /** Patterns of the comments that a review writes: of a fault, with its class and the better move, and of the opening. */
  fault: string;
  opening: string;
}

/** What a position is worth to the side to move, with the line that shows it; result is set where it is certain. */
export interface Verdict {
  score: number;
  line: Move[];
  result: "win" | "draw" | "loss" | null;
  plies: number | null;
  proof: "search" | "database" | "rules" | null;
}

/** A line in which men are given and more are taken. */
export interface Shot {
  given: number;
  taken: number;
  line: Move[];
}

/** What is to be said of one move, seen by the side that made it; sign is empty where it is no fault. */
export interface Judgement {
  ply: number;
  position: Position;
  move: Move;
  best: Verdict;
  after: Verdict;
  mark: string;
  given: number;
  sign: string;
  missed: Shot | null;
  allowed: Shot | null;
}

/** A move as it was read: move is null where it is not known. */
export interface NodeRead {
  move: string | null;
  text: string;
  path: number[];
  captures: number[];
  nags: number[];
  strength: string;
  before: string[];
  comments: string[];
  variations: NodeRead[][];
}

/** A game of a PDN text; moves are null where they were not read. */
export interface GameRead {
  offset: number;
  line: number;
  tags: [string, string][];
  variant: string;
  start: string;
  result: string;
  opening: string | null;
  comments: string[];
  moves: NodeRead[] | null;
  notes: { kind: "odd" | "repair" | "error"; message: string; line: number; column: number; token: string }[];
  /** What could not be read, with its lines, in a sentence; empty where all could. */
  unread: string;
}

/** A move in the opening explorer; value is for the side that makes it, in hundredths of a man. */
export interface ExploredMove {
  move: string;
  path: number[];
  captures: number[];
  games: number;
  black: number;
  white: number;
  draws: number;
  score: number | null;
  value: number | null;
  booked: boolean;
}

/** What the opening explorer knows of a position. */
export interface Explored {
  fen: string;
  source: "collection" | "package";
  opening: { deck: string; number: number; name: string; status: string; text: string } | null;
  games: number;
  black: number;
  white: number;
  draws: number;
  moves: ExploredMove[];
}

/** A puzzle as its page is told it. */
export interface PuzzleData {
  name: string;
  fen: string;
  rating: number;
  /** The solver's moves: those that are right, the line's first, what answers the others, and the defence's reply. */
  steps: { accepted: string[]; refuted: Record<string, string>; reply: string | null }[];
  /** What every wrong move has in common, in a sentence. */
  worse: string;
  /** The day of the server, counted, and the same where the puzzle is that day's. */
  today: number;
  day: number | null;
}

/** How one has done at puzzles, as it is kept on the device; days are counted. */
export interface Tally {
  rating: number;
  deviation: number;
  /** The day of the last puzzle. */
  day: number;
  /** Puzzles in a row solved at the first try, and the most of them. */
  run: number;
  bestRun: number;
  /** Days in a row with the puzzle of the day solved at the first try, the most of them, and the last day. */
  days: number;
  bestDays: number;
  lastDay: number;
  /** By the name of each puzzle that was tried: whether the first try solved it. */
  tried: Record<string, 0 | 1>;
}
