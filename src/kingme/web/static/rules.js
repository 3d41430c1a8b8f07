// American checkers in the browser: with notation.js the twin of kingme.rules. No DOM, no state.
// Squares are 1 to 32; 1 = b8 and 4 = h8 on Black's side, 29 = a1 and 32 = g1 on White's.

/** @import {DrawCount, Move, Outcome, Position} from "./types" */

/** The type of the game in PDN. */
export const GAME_TYPE = "21,B,8,8,N1,0";
export const START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";

export const SQUARES = Array.from({ length: 32 }, (_, i) => i + 1);
/** Rows of the board, and squares in each. */
export const ROWS = 8;
export const ACROSS = 4;
/** Whether jumped pieces leave at once. */
export const LIFTED = false;
export const row = (n) => (n - 1) >> 2;
export const column = (n) => ((n - 1) & 3) * 2 + 1 - (row(n) & 1);
export const other = (side) => side === "B" ? "W" : "B";
export const sideOf = (piece) => piece.toUpperCase();
const crownRow = (side) => (side === "B" ? 7 : 0);

/** The neighbour of each square: up-left, up-right, down-left, down-right; 0 is off the board. */
const STEP = [[]].concat(SQUARES.map((n) => [[-1, -1], [-1, 1], [1, -1], [1, 1]].map(([dr, dc]) =>
  SQUARES.find((m) => row(m) === row(n) + dr && column(m) === column(n) + dc) ?? 0)));

const directions = (piece) => (piece === "b" ? [2, 3] : piece === "w" ? [0, 1] : [0, 1, 2, 3]);

/** The letters of a square: letters(22) is "c3". */
export const letters = (n) => "abcdefgh"[column(n)] + (8 - row(n));

/** A move as text: its whole path. */
export const moveText = (move, style = "numbers") => style === "letters"
  ? move.path.map(letters).join(move.captures.length ? ":" : "-")
  : move.text;

/** The position of a canonical FEN. @returns {Position} */
export function fromFen(fen) {
  const [turn, ...lists] = fen.split(":");
  const pieces = Array(33).fill("");
  for (const [side, ...rest] of lists) {
    for (const item of rest.join("").split(",")) pieces[item.replace("K", "")] = item[0] === "K" ? side : side.toLowerCase();
  }
  pieces.length = 33;
  return { pieces, turn };
}

/** The canonical FEN. */
export function toFen({ pieces, turn }) {
  const list = (side) => side + SQUARES.filter((n) => sideOf(pieces[n]) === side)
    .map((n) => (pieces[n] === side ? "K" : "") + n).join(",");
  return `${turn}:${list("W")}:${list("B")}`;
}

/** Every legal move as a whole route, in the order of paths. @returns {Move[]} */
export function legalMoves({ pieces, turn }) {
  const jumps = [];
  const steps = [];
  for (const start of SQUARES) {
    const piece = pieces[start];
    if (sideOf(piece) !== turn) continue;
    const crowns = (n) => piece !== turn && row(n) === crownRow(turn);
    const free = (n) => n && (!pieces[n] || n === start);
    const walk = (path, captures) => {
      const at = path[path.length - 1];
      const crowned = crowns(at);
      let ended = true;
      for (const d of crowned ? [] : directions(piece)) {
        const over = STEP[at][d];
        if (sideOf(pieces[over]) !== other(turn) || captures.includes(over) || !free(STEP[over][d])) continue;
        ended = false;
        walk([...path, STEP[over][d]], [...captures, over]);
      }
      if (ended && captures.length) jumps.push({ path, captures, text: path.join("x"), crowned });
    };
    walk([start], []);
    for (const d of directions(piece)) {
      const to = STEP[start][d];
      if (to && !pieces[to]) steps.push({ path: [start, to], captures: [], text: `${start}-${to}`, crowned: crowns(to) });
    }
  }
  return jumps.length ? jumps : steps;
}

/** The position after a legal move. @returns {Position} */
export function play({ pieces, turn }, { path, captures, crowned }) {
  const next = pieces.slice();
  next[path[0]] = "";
  for (const n of captures) next[n] = "";
  next[path[path.length - 1]] = crowned ? turn : pieces[path[0]];
  return { pieces: next, turn: other(turn) };
}

const key = (p) => p.turn + p.pieces;

/** Plies since the last move of one of these kinds: capture, man_move, promotion. */
function since(positions, moves, kinds) {
  let i = moves.length;
  for (; i > 0; i--) {
    const { path, captures, crowned } = moves[i - 1];
    const { pieces, turn } = positions[i - 1];
    if ((captures.length && kinds.includes("capture")) || (crowned && kinds.includes("promotion"))
      || (pieces[path[0]] !== turn && kinds.includes("man_move"))) break;
  }
  return moves.length - i;
}

/** How near a draw is after these moves; positions go from the start to now. @returns {DrawCount} */
export function drawCount(positions, moves, preset) {
  const now = key(positions[moves.length]);
  const from = moves.length - since(positions, moves, preset.repetitionReset);
  return {
    quiet: since(positions, moves, preset.progress),
    limit: preset.progressPlies,
    repetitions: positions.slice(from).filter((p) => key(p) === now).length,
    repetitionLimit: preset.repetition,
  };
}

/** The result that the board and the preset give by themselves. @returns {?Outcome} */
export function outcome(positions, moves, preset) {
  const now = positions[moves.length];
  if (!legalMoves(now).length) {
    const bare = !now.pieces.some((p) => sideOf(p) === now.turn);
    return { winner: other(now.turn), termination: bare ? "no_pieces" : "no_moves" };
  }
  const { quiet, limit, repetitions, repetitionLimit } = drawCount(positions, moves, preset);
  const draw = (termination) => ({ winner: null, termination });
  if (!preset.claimed && repetitionLimit && repetitions >= repetitionLimit) return draw("repetition");
  if (!preset.claimed && limit && quiet >= limit) return draw("no_progress");
  return preset.plyCap && moves.length >= preset.plyCap ? draw("ply_cap") : null;
}

/** What the side to move may claim: a draw now, or by showing one of these moves. */
export function claims(positions, moves, preset) {
  if (!preset.claimed || outcome(positions, moves, preset)) return { progress: false, moves: [] };
  const now = positions[moves.length];
  const { quiet, limit, repetitionLimit } = drawCount(positions, moves, preset);
  return {
    progress: !!limit && quiet >= limit,
    moves: legalMoves(now).filter((m) => repetitionLimit && drawCount([...positions, play(now, m)], [...moves, m], preset)
      .repetitions >= repetitionLimit).map((m) => m.text),
  };
}
