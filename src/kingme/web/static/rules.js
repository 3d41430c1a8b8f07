// American checkers in the browser: the twin of kingme.rules. No DOM, no state, no dependencies.
// Squares are 1 to 32; 1 = b8 and 4 = h8 on Black's side, 29 = a1 and 32 = g1 on White's.

/** @typedef {"B"|"W"} Side
 *  @typedef {{pieces: string[], turn: Side}} Position  pieces[1..32]: "" or b, B, w, W (capital: king)
 *  @typedef {{path: number[], captures: number[], text: string, crowned: boolean}} Move
 *  @typedef {{name: string, repetition: ?number, repetitionReset: string[], progressPlies: ?number,
 *    progress: string[], claimed: boolean, plyCap: ?number, agreement: boolean}} Preset
 *  @typedef {{winner: ?Side, termination: string}} Outcome */

/** A text or move that the rules refuse; the message can be shown to the player. */
export class RulesError extends Error {}

export const START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";

const SIDES = /** @type {Record<Side, string>} */ ({ B: "Black", W: "White" });
const SQUARES = Array.from({ length: 32 }, (_, i) => i + 1);
const row = (/** @type {number} */ n) => (n - 1) >> 2;
const column = (/** @type {number} */ n) => ((n - 1) & 3) * 2 + 1 - (row(n) & 1);
const other = (/** @type {Side} */ side) => /** @type {Side} */ (side === "B" ? "W" : "B");
const sideOf = (/** @type {string} */ piece) => piece.toUpperCase();
const crownRow = (/** @type {string} */ side) => (side === "B" ? 7 : 0);

/** The neighbour of each square: up-left, up-right, down-left, down-right; 0 is off the board. */
const STEP = [[]].concat(SQUARES.map((n) => [[-1, -1], [-1, 1], [1, -1], [1, 1]].map(([dr, dc]) =>
  SQUARES.find((m) => row(m) === row(n) + dr && column(m) === column(n) + dc) ?? 0)));

/** @param {string} piece */
const directions = (piece) => (piece === "b" ? [2, 3] : piece === "w" ? [0, 1] : [0, 1, 2, 3]);

/** The letters of a square: letters(22) is "c3". @param {number} n */
export const letters = (n) => "abcdefgh"[column(n)] + (8 - row(n));

/** The number of a square in letters: number("c3") is 22; 0 for a light square or none. @param {string} text */
export const number = (text) => SQUARES.find((n) => letters(n) === text.toLowerCase()) ?? 0;

/** A move as text: its whole path. @param {Move} move @param {"numbers"|"letters"} [style] */
export const moveText = (move, style = "numbers") => style === "letters"
  ? move.path.map(letters).join(move.captures.length ? ":" : "-")
  : move.text;

/** Read a FEN, forgiving its spelling but not an impossible position. @param {string} text @returns {Position} */
export function parseFen(text) {
  const clean = text.replace(/["'\s]/g, "").replace(/\.+$/, "").toUpperCase();
  const [turn, ...sections] = clean.split(":");
  if (!/^[BW]$/.test(turn)) {
    throw new RulesError(`A FEN begins with the side to move, B or W, and a colon; this one begins with "${turn}".`);
  }
  const pieces = Array(33).fill("");
  const count = /** @type {Record<string, number>} */ ({ B: 0, W: 0 });
  for (const section of sections) {
    if (!section || /^[HF]\d+$/.test(section)) continue; // counters that some sites append
    const side = section[0];
    if (!(side in count)) throw new RulesError(`Each list of pieces begins with W or B, not "${side}".`);
    for (const item of section.slice(1).split(",")) {
      if (!item) continue;
      const found = /^(K?)(\d+)(?:-K?(\d+))?$/.exec(item);
      if (!found) throw new RulesError(`"${item}" is not a square from 1 to 32, a king such as K5, or a range.`);
      const [first, last] = [+found[2], +(found[3] ?? found[2])];
      for (const n of [first, last]) {
        if (n < 1 || n > 32) throw new RulesError(`Square ${n} is not on the board: squares are 1 to 32.`);
      }
      if (last < first) throw new RulesError(`The range ${item} runs backwards.`);
      for (let n = first; n <= last; n++) {
        if (pieces[n]) throw new RulesError(`Two pieces stand on square ${n}.`);
        pieces[n] = found[1] ? side : side.toLowerCase();
        if (!found[1] && row(n) === crownRow(side)) {
          throw new RulesError(`A ${SIDES[/** @type {Side} */ (side)]} man cannot stand on square ${n}: it would be a king there.`);
        }
        if (++count[side] > 12) throw new RulesError(`${SIDES[/** @type {Side} */ (side)]} has more than 12 pieces.`);
      }
    }
  }
  if (!count.B && !count.W) throw new RulesError("This FEN has no pieces: there is no position in it.");
  return { pieces, turn: /** @type {Side} */ (turn) };
}

/** The canonical FEN. @param {Position} position */
export function toFen({ pieces, turn }) {
  const list = (/** @type {Side} */ side) => side + SQUARES.filter((n) => sideOf(pieces[n]) === side)
    .map((n) => (pieces[n] === side ? "K" : "") + n).join(",");
  return `${turn}:${list("W")}:${list("B")}`;
}

/** Every legal move, each whole route once; jumps only when there is one. @param {Position} position @returns {Move[]} */
export function legalMoves({ pieces, turn }) {
  const own = SQUARES.filter((n) => sideOf(pieces[n]) === turn);
  /** @type {Move[]} */
  const moves = [];
  for (const start of own) {
    const piece = pieces[start];
    const man = piece !== turn;
    const free = (/** @type {number} */ n) => n > 0 && (!pieces[n] || n === start);
    const walk = (/** @type {number[]} */ path, /** @type {number[]} */ captures) => {
      const at = path[path.length - 1];
      const crowned = man && row(at) === crownRow(turn);
      let on = false;
      for (const d of crowned ? [] : directions(piece)) {
        const over = STEP[at][d];
        if (over && sideOf(pieces[over]) === other(turn) && !captures.includes(over) && free(STEP[over][d])) {
          on = true;
          walk([...path, STEP[over][d]], [...captures, over]);
        }
      }
      if (!on && captures.length) moves.push({ path, captures, text: path.join("x"), crowned });
    };
    walk([start], []);
  }
  if (moves.length) return moves;
  for (const start of own) {
    for (const d of directions(pieces[start])) {
      const to = STEP[start][d];
      if (to && !pieces[to]) {
        moves.push({ path: [start, to], captures: [], text: `${start}-${to}`,
          crowned: pieces[start] !== turn && row(to) === crownRow(turn) });
      }
    }
  }
  return moves;
}

/** The position after a legal move. @param {Position} position @param {Move} move @returns {Position} */
export function play({ pieces, turn }, { path, captures, crowned }) {
  const next = pieces.slice();
  next[path[0]] = "";
  for (const n of captures) next[n] = "";
  next[path[path.length - 1]] = crowned ? turn : pieces[path[0]];
  return { pieces: next, turn: other(turn) };
}

/** The legal move that a text names, in any usual spelling. @param {Position} position @param {string} text @returns {Move} */
export function parseMove(position, text) {
  const clean = text.trim().toLowerCase().replace(/[!?*]+$/, "");
  const moves = legalMoves(position);
  const named = (/** @type {Move[]} */ list) => list.map((m) => m.text).join(", ");
  const legal = !moves.length ? `${SIDES[position.turn]} has no legal move.`
    : moves[0].captures.length ? `A jump is compulsory: ${named(moves)}.` : `Legal moves: ${named(moves)}.`;
  if (!/^(\d+|[a-h][1-8])(\s*[-–x×:\s]\s*(\d+|[a-h][1-8]))+$/.test(clean)) {
    throw new RulesError(`"${text}" is not a move: write it like 11-15, 15x22 or c3-d4. ${legal}`);
  }
  const path = (clean.match(/[a-h][1-8]|\d+/g) ?? []).map((s) => (/\d/.test(s[0]) ? +s : number(s)));
  const exact = moves.find((m) => `${m.path}` === `${path}`);
  if (exact) return exact;
  const fits = path.length > 2 ? [] : moves.filter((m) => m.path[0] === path[0] && m.path[m.path.length - 1] === path[1]);
  if (!fits.length) throw new RulesError(`${text.trim()} is not legal here. ${legal}`);
  const taken = (/** @type {Move} */ m) => `${m.captures.slice().sort()}`;
  if (fits.some((m) => taken(m) !== taken(fits[0]))) {
    throw new RulesError(`${text.trim()} can mean ${named(fits)}: name the squares between.`);
  }
  return fits[0];
}

const key = (/** @type {Position} */ p) => p.turn + p.pieces;

/** Plies since the last move of one of these kinds: capture, man_move, promotion.
 *  @param {Position[]} positions @param {Move[]} moves @param {string[]} kinds */
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

/** How near a draw is. @param {Position[]} positions from the start to now @param {Move[]} moves @param {Preset} preset */
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

/** The result that the board and the preset give by themselves. @param {Position[]} positions @param {Move[]} moves
 *  @param {Preset} preset @returns {?Outcome} */
export function outcome(positions, moves, preset) {
  const now = positions[moves.length];
  if (!legalMoves(now).length) {
    const bare = !now.pieces.some((p) => sideOf(p) === now.turn);
    return { winner: other(now.turn), termination: bare ? "no_pieces" : "no_moves" };
  }
  const { quiet, limit, repetitions, repetitionLimit } = drawCount(positions, moves, preset);
  const draw = (/** @type {string} */ termination) => ({ winner: null, termination });
  if (!preset.claimed && repetitionLimit && repetitions >= repetitionLimit) return draw("repetition");
  if (!preset.claimed && limit && quiet >= limit) return draw("no_progress");
  return preset.plyCap && moves.length >= preset.plyCap ? draw("ply_cap") : null;
}

/** What the side to move may claim: a draw now, or by showing one of these moves. @param {Position[]} positions
 *  @param {Move[]} moves @param {Preset} preset */
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

/** A game as PDN; 1-0 means that Black, the first player, won. @param {{positions: Position[], moves: Move[],
 *  startFen?: ?string, result?: string, black?: string, white?: string, date?: string, event?: string, preset?: string}} game */
export function pdn({ positions, moves, startFen, result = "*", black, white, date, event, preset }) {
  const tags = { Event: event ?? "?", Date: date ?? "????.??.??", Black: black ?? "?", White: white ?? "?", Result: result,
    GameType: "21,B,8,8,N1,0", ...(preset && { DrawRules: preset }), ...(startFen && startFen !== START && { Setup: "1", FEN: startFen }) };
  const head = Object.entries(tags).map(([name, value]) => `[${name} "${value.replace(/["\\\n]/g, " ")}"]`);
  const first = positions[0].turn === "W" ? 1 : 0; // half-moves before the first one
  const words = moves.map((m, i) => ((i + first) % 2 ? (i ? "" : "1... ") : `${(i + first) / 2 + 1}. `) + m.text);
  const lines = [""];
  for (const word of [...words, result]) {
    const line = lines[lines.length - 1];
    if (line && line.length + word.length > 78) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return `${head.join("\n")}\n\n${lines.join("\n")}\n`;
}
