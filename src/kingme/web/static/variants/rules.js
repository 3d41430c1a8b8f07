// The rules of the variant of this page, from its record: what ../rules.js is for American checkers, with the same
// names. The page's other scripts are taken from the folder above, and find this one in its place.
// The twin of kingme.rules.longrange: captures are walked in the same order, and bounded in the same way.
import { other, play as moved, sideOf } from "../rules.js";

/** @import {DrawCount, Ending, Move, Outcome, Position, RulesRecord, Style} from "../types" */

export { other, sideOf };

/** @type {RulesRecord} */
const told = JSON.parse(document.getElementById("kingme-data").textContent).variant;
const V = told.rules;

export const START = told.start;
export const GAME_TYPE = V.gameType;
export const EXAMPLE = V.example;
export const ROWS = V.rows;
export const SQUARES = V.names.map((_, i) => i + 1);
export const ACROSS = SQUARES.length / ROWS;
export const LIFTED = V.removal === "now";

/** The letters of a square. */
export const letters = (n) => V.names[n - 1];
/** Rows count from Black's side, columns from file a. */
export const row = (n) => ROWS - letters(n).slice(1);
export const column = (n) => letters(n).charCodeAt(0) - 97;

/** Whether a path, every landing named, is a route said otherwise: going straight on, a king may rest on any square up to the next
 *  piece. @param {Move} move @param {number[]} path */
export const same = ({ path: own, captures }, path) => path.length === own.length && own.every((at, i) => at === path[i]
  || (i > 0 && i < own.length - 1 && straight(own[i - 1], at, own[i + 1]) && amid(at, path[i], captures[i])));

/** Whether a king that comes from one square goes straight on to another. */
const straight = (from, at, to) => [row, column].every((axis) => Math.sign(axis(at) - axis(from)) === Math.sign(axis(to) - axis(at)));

/** Whether a square lies between two others on a line. */
function amid(a, n, b) {
  const [down, right, far, wide] = [row(n) - row(a), column(n) - column(a), row(b) - row(n), column(b) - column(n)];
  return (!down || !right || Math.abs(down) === Math.abs(right)) && down * wide === right * far
    && Math.sign(down) === Math.sign(far) && Math.sign(right) === Math.sign(wide);
}

/** Landings that one look at the captures may take. */
const LIMIT = 100000;
/** Frisian values: n kings are worth less than 2n men and more than 2n - 1. */
const MAN = 100;
const KING = 199;
const MOST_ROUTES = "This position has too many captures to list.";

/** Steps as rows and files, for Black, whose men go down. */
const STEPS = {
  forward: [[1, 0]],
  backward: [[-1, 0]],
  sideways: [[0, 1], [0, -1]],
  forward_diagonal: [[1, 1], [1, -1]],
  backward_diagonal: [[-1, 1], [-1, -1]],
};
const VECTORS = Object.values(STEPS).flat();
const OPPOSITE = VECTORS.map(([r, f]) => VECTORS.findIndex(([r2, f2]) => r === -r2 && f === -f2));

const AT = new Map(SQUARES.map((n) => [row(n) * 100 + column(n), n]));

/** The squares of play that lie from a square in a direction, the nearest first. */
function ray(n, [rows, files]) {
  const found = [];
  for (let r = row(n) + rows, f = column(n) + files; r >= 0 && r < ROWS && f >= 0 && f < ROWS; r += rows, f += files) {
    if (AT.has(r * 100 + f)) found.push(AT.get(r * 100 + f));
  }
  return found;
}

/** For each square its rays in some directions, seen by a side, each with the number of its direction. */
function rays(names, side) {
  const turn = side === "B" ? 1 : -1;
  const wanted = names.flatMap((name) => STEPS[name]).map(([r, f]) => [r * turn, f]);
  const numbers = VECTORS.map((_, i) => i).filter((i) => wanted.some(([r, f]) => r === VECTORS[i][0] && f === VECTORS[i][1]));
  return [[]].concat(SQUARES.map((n) => numbers.map((way) => [way, ray(n, VECTORS[way])]).filter(([, squares]) => squares[0])));
}

const both = (make) => ({ B: make("B"), W: make("W") });
const MAN_STEPS = both((side) => rays(V.manMoves, side));
const MAN_JUMPS = both((side) => rays(V.manJumps, side));
const KING_STEPS = rays(V.kingMoves, "B");
const KING_JUMPS = rays(V.kingJumps, "B");
const crownRow = (side) => (side === "B" ? ROWS - 1 : 0);

/** How players of the variant name squares: by letters or by numbers. @type {Style} */
export const OWN = V.lettersFirst ? "letters" : "numbers";

/** A move as players of the variant write it, perhaps with the other names of squares. @param {Move} move @param {Style} [style] */
export const spelled = ({ path, captures }, style = OWN) =>
  path.map((n) => (style === "letters" ? letters(n) : n)).join(captures.length ? V.jumpMark : "-");

/** A move as text: its whole path. */
export const moveText = (move, style = "numbers") => style === "letters"
  ? move.path.map(letters).join(move.captures.length ? ":" : "-")
  : move.text;

/** For each side the square of the king that moved last, and how often in a row; counted where the record limits it. */
const FRESH = { B: [0, 0], W: [0, 0] };

/** The position of a canonical FEN. @returns {Position} */
export function fromFen(fen) {
  const [turn, ...lists] = fen.split(":");
  const pieces = Array(SQUARES.length + 1).fill("");
  for (const [side, ...rest] of lists) {
    for (const item of rest.join("").split(",")) pieces[item.replace("K", "")] = item[0] === "K" ? side : side.toLowerCase();
  }
  pieces.length = SQUARES.length + 1;
  return { pieces, turn, runs: FRESH };
}

/** The canonical FEN. */
export function toFen({ pieces, turn }) {
  const list = (side) => side + SQUARES.filter((n) => sideOf(pieces[n]) === side)
    .map((n) => (pieces[n] === side ? "K" : "") + n).join(",");
  return `${turn}:${list("W")}:${list("B")}`;
}

/** Whether a man of a side that goes along a path is a king at its end. */
const crowns = (path, side) => (V.crowning === "become" ? path.slice(1) : path.slice(-1)).some((n) => row(n) === crownRow(side));

/** Every capture of a position, as a path and what it takes, before the rules of choice. */
function captures({ pieces, turn }) {
  const found = [];
  const enemy = other(turn);
  let work = 0;
  let start = 0;
  const spend = () => {
    if (++work > LIMIT) throw RangeError(MOST_ROUTES);
  };
  const empty = (n, taken) => !pieces[n] || n === start || (LIFTED && taken.includes(n));
  const prey = (n, taken) => sideOf(pieces[n]) === enemy && !taken.includes(n);

  /** Goes on as a man. */
  function man(path, taken, skip) {
    spend();
    let ended = true;
    for (const [way, [over, land]] of MAN_JUMPS[turn][path[path.length - 1]]) {
      if (!land || way === skip || !prey(over, taken) || !empty(land, taken)) continue;
      if (!V.menMayJumpKings && pieces[over] === enemy) continue;
      ended = false;
      const onward = [...path, land];
      const jumped = [...taken, over];
      const back = V.mayReverse ? -1 : OPPOSITE[way];
      if (row(land) !== crownRow(turn) || V.crowning === "pass") man(onward, jumped, back);
      else if (V.crowning !== "become" || !king(onward, jumped, [back])) found.push({ path: onward, captures: jumped });
    }
    if (ended && taken[0]) found.push({ path, captures: taken });
  }

  /** Goes on as a king, in all but some directions; tells whether there is a way. */
  function king(path, taken, skip) {
    spend();
    let any = false;
    for (const [way, squares] of KING_JUMPS[path[path.length - 1]]) {
      if (!skip.includes(way) && line(path, taken, way, squares)) any = true;
    }
    return any;
  }

  /** Takes along one ray, and goes on. Straight on is one route, whichever square between the king rests on. */
  function line(path, taken, way, squares) {
    let i = 0;
    if (V.flyingKings) while (i < squares.length && empty(squares[i], taken)) i++;
    if (i >= squares.length || !prey(squares[i], taken)) return false;
    const landings = [];
    for (const n of squares.slice(i + 1)) {
      if (!empty(n, taken)) break;
      landings.push(n);
      if (V.kingLandsNext || !V.flyingKings) break;
    }
    if (!landings[0]) return false;
    const jumped = [...taken, squares[i]];
    let onward = line([...path, landings[0]], jumped, way, squares.slice(i + 2));
    const skip = V.mayReverse ? [way] : [way, OPPOSITE[way]];
    for (const land of landings) onward = king([...path, land], jumped, skip) || onward;
    if (!onward) found.push(...landings.map((land) => ({ path: [...path, land], captures: jumped })));
    return true;
  }

  for (start of SQUARES) {
    if (sideOf(pieces[start]) !== turn) continue;
    if (pieces[start] === turn) king([start], [], []);
    else man([start], [], -1);
  }
  return found;
}

/** The captures that a rule of choice leaves. */
const chosen = (routes, rule, { pieces }) => best(routes, (route) => rank(rule, route, pieces));

/** What a rule of choice makes of a capture, as numbers to compare one by one: the greater, the better. */
function rank(rule, { path, captures: taken }, pieces) {
  const kings = taken.map((n) => +(pieces[n] < "a"));
  const crowned = kings.filter(Boolean).length;
  return {
    most_pieces: [taken.length],
    most_kings: [crowned],
    with_king: [+(pieces[path[0]] < "a")],
    most_value: [MAN * (taken.length - crowned) + KING * crowned],
    king_earliest: kings,
  }[rule];
}

function compare(a, b) {
  const i = a.findIndex((v, at) => v !== b[at]);
  return i < 0 ? a.length - b.length : a[i] - (b[i] ?? -1);
}

function best(routes, rankOf) {
  if (!routes[1]) return routes;
  const ranks = routes.map(rankOf);
  const top = ranks.reduce((one, another) => (compare(another, one) > 0 ? another : one));
  return routes.filter((_, i) => compare(ranks[i], top) === 0);
}

function quiet({ pieces, turn }) {
  const found = [];
  for (const start of SQUARES) {
    if (sideOf(pieces[start]) !== turn) continue;
    const isKing = pieces[start] === turn;
    for (const [, squares] of (isKing ? KING_STEPS : MAN_STEPS[turn])[start]) {
      for (const n of isKing && V.flyingKings ? squares : squares.slice(0, 1)) {
        if (pieces[n]) break;
        found.push({ path: [start, n], captures: [] });
      }
    }
  }
  return found;
}

/** Whether the first king wins here, and there is one. */
const crowned = ({ pieces }) => V.goal === "crown_first" && pieces.some((piece) => piece && piece < "a");

const known = new WeakMap();

/** Every legal move as a whole route, in the order of paths. @returns {Move[]} */
export function legalMoves(position) {
  if (!known.has(position)) known.set(position, crowned(position) ? [] : listed(position));
  return known.get(position);
}

function listed(position) {
  const { pieces, turn } = position;
  const jumps = V.choice.reduce((routes, rule) => chosen(routes, rule, position), captures(position));
  const [tired, count] = position.runs[turn];
  const routes = jumps[0] ? jumps : quiet(position).filter(({ path }) => !V.kingLimit || count < V.kingLimit || path[0] !== tired);
  return routes.map(({ path, captures: taken }) => ({ path, captures: taken, text: path.join(taken[0] ? "x" : "-"),
    crowned: pieces[path[0]] !== turn && crowns(path, turn) }))
    .sort((a, b) => compare(a.path, b.path) || compare(a.captures, b.captures));
}

/** What each rule of choice demands. */
const DEMANDS = {
  most_pieces: ([{ captures: taken }]) => `The capture that takes the most pieces is compulsory: ${taken.length} here.`,
  most_kings: () => "Among equal captures the one that takes the most kings is compulsory.",
  with_king: () => "Where a king can capture so, a man may not.",
  most_value: () => "The capture that is worth the most is compulsory; a king counts for nearly two men.",
  king_earliest: () => "Among equal captures the one in which a king is taken earliest is compulsory.",
};

/** The rule that forbids ways which the pieces alone would allow, as a sentence; "" where none does.
 * @param {Position} position @param {(path: number[]) => boolean} fits whether a path is such a way */
export function demand(position, fits) {
  const some = (routes) => routes.some(({ path }) => fits(path));
  let routes = captures(position);
  for (const rule of V.choice) {
    const left = chosen(routes, rule, position);
    if (some(routes) && !some(left)) return DEMANDS[rule](left);
    routes = left;
  }
  return !routes[0] && V.kingLimit && some(quiet(position))
    ? `A king that has moved ${V.kingLimit} times in a row must rest while its side has men.` : "";
}

/** The position after a legal move. @returns {Position} */
export function play(position, move) {
  const next = moved(position, move);
  const { path, captures: taken } = move;
  const { turn } = position;
  const runs = { ...position.runs };
  if (V.kingLimit) {
    const [king, count] = runs[turn];
    const still = position.pieces[path[0]] === turn && !taken[0];
    runs[turn] = still ? [path[1], king === path[0] ? count + 1 : 1] : [0, 0];
    for (const side of ["B", "W"]) if (!next.pieces.includes(side.toLowerCase())) runs[side] = [0, 0];
  }
  return { ...next, runs };
}

const key = ({ turn, pieces, runs }) => `${turn}${pieces}/${runs.B}/${runs.W}`;

/** Whether a ply did one of these things for progress: capture, man_move, promotion. */
function did(positions, moves, ply, kinds) {
  const { path, captures: taken, crowned: promoted } = moves[ply];
  const { pieces, turn } = positions[ply];
  return (taken[0] && kinds.includes("capture")) || (promoted && kinds.includes("promotion"))
    || (pieces[path[0]] !== turn && kinds.includes("man_move"));
}

/** How many plies in a row, up to now, something was so before the ply, and nothing of these kinds was done. */
function lasted(positions, moves, kinds, so = () => true) {
  let i = moves.length;
  while (i > 0 && so(positions[i - 1]) && !did(positions, moves, i - 1, kinds)) i--;
  return moves.length - i;
}

const LONG = SQUARES.filter((n) => Math.abs(column(n) - (V.mirrored ? ROWS - 1 : 0)) === ROWS - 1 - row(n));
const within = (n, [least, most]) => n >= least && n <= most;

/** Whether the pieces of a position are in the balance of an ending. @param {Ending} ending */
const holds = (ending) => ({ pieces }) => {
  const kings = (side) => pieces.filter((piece) => piece === side).length;
  const count = (side) => pieces.filter((piece) => sideOf(piece) === side).length;
  if (!within(count("B") + count("W"), ending.total)) return false;
  return [["B", "W"], ["W", "B"]].some(([weak, strong]) => within(count(weak), ending.weaker)
    && within(count(strong), ending.stronger) && within(kings(weak), ending.weakerKings) && within(kings(strong), ending.strongerKings)
    && (!ending.onLongDiagonal || (LONG.some((n) => sideOf(pieces[n]) === weak) && !LONG.some((n) => sideOf(pieces[n]) === strong))));
};

/** The endings that the board is in, each with the plies that it has lasted. */
const endings = (positions, moves, preset) => preset.endings.map((ending) => [ending, holds(ending)])
  .filter(([, so]) => so(positions[moves.length]))
  .map(([ending, so]) => ({ limit: ending.plies, quiet: lasted(positions, moves, ending.restarts, so) }));

/** How near a draw is after these moves, by the rule that is nearest. @returns {DrawCount} */
export function drawCount(positions, moves, preset) {
  const now = key(positions[moves.length]);
  const from = moves.length - lasted(positions, moves, preset.repetitionReset);
  const counts = endings(positions, moves, preset);
  if (preset.progressPlies) counts.push({ limit: preset.progressPlies, quiet: lasted(positions, moves, preset.progress) });
  const [nearest] = counts.sort((a, b) => a.limit - a.quiet - b.limit + b.quiet);
  return {
    quiet: nearest?.quiet ?? 0,
    limit: nearest?.limit ?? null,
    repetitions: positions.slice(from, moves.length + 1).filter((p) => key(p) === now).length,
    repetitionLimit: preset.repetition,
  };
}

const NAMES = { B: "Black", W: "White" };

/** The result that the board and the draw rules give by themselves. @returns {?Outcome} */
export function outcome(positions, moves, preset) {
  const now = positions[moves.length];
  const { turn } = now;
  if (crowned(now)) return { winner: other(turn), termination: "crowned", reason: `${NAMES[other(turn)]} made the first king.` };
  if (!legalMoves(now)[0]) {
    const bare = !now.pieces.some((piece) => sideOf(piece) === turn);
    const winner = V.goal === "lose_all" ? turn : other(turn);
    return { winner, termination: bare ? "no_pieces" : "no_moves", reason: `${NAMES[turn]} has no ${bare ? "piece" : "move"} left.` };
  }
  const { repetitions, repetitionLimit } = drawCount(positions, moves, preset);
  const draw = (termination, reason) => ({ winner: null, termination, reason });
  if (repetitionLimit && repetitions >= repetitionLimit) return draw("repetition");
  if (preset.progressPlies && lasted(positions, moves, preset.progress) >= preset.progressPlies) return draw("no_progress");
  const over = endings(positions, moves, preset).find(({ limit, quiet: plies }) => plies >= limit);
  if (over) return draw("no_progress", `This ending was not won within ${over.limit / 2} moves each.`);
  return preset.plyCap && moves.length >= preset.plyCap ? draw("ply_cap") : null;
}

/** No draw of a variant is claimed. */
export const claims = () => ({ progress: false, moves: [] });
