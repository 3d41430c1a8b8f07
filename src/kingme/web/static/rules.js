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

const NAMES = { B: "Black", W: "White" };
const SQUARES = Array.from({ length: 32 }, (_, i) => i + 1);
const row = (n) => (n - 1) >> 2;
const column = (n) => ((n - 1) & 3) * 2 + 1 - (row(n) & 1);
const other = (side) => side === "B" ? "W" : "B";
const sideOf = (piece) => piece.toUpperCase();
const onBoard = (n) => n >= 1 && n <= 32;
const crownRow = (side) => (side === "B" ? 7 : 0);

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

/** @param {string} message @returns {never} */
const refuse = (message) => { throw new RulesError(message); };

const quoted = (text) => `'${text.slice(0, 20)}'`;

const EXAMPLE = "a position looks like B:W21,22,K30:B1,2";

/** Read a FEN, forgiving in its form and strict in its sense. @param {string} text @returns {Position} */
export function parseFen(text) {
  if (text.length > 2000) refuse(`this is ${text.length} characters long: a FEN has 2000 at most`);
  const body = /^\s*(?:\[\s*FEN\s*)?["'“”]?([^"'“”\]]*)["'“”]?\s*\]?\s*$/i.exec(text)?.[1]
    ?? refuse(`stray quotes or brackets: ${EXAMPLE}`);
  const [head, ...sections] = body.replace(/[\s.]+$/, "").split(":").map((part) => part.trim());
  const turn = sideOf(head);
  if (turn !== "B" && turn !== "W") {
    return refuse(`${head ? `${quoted(head)} says no side` : "nothing says the side"} to move: it begins with B: or W: (${EXAMPLE})`);
  }
  if (!sections.some(Boolean)) refuse(`this FEN names no pieces: ${EXAMPLE}`);
  const pieces = Array(33).fill("");
  const seen = new Set();
  for (const section of sections) {
    if (!section || /^[HF]\d+$/i.test(section)) continue; // counters that some sites append
    const side = sideOf(section[0]);
    if (!(side in NAMES)) refuse(`${quoted(section)} names no side: a list of squares begins with B or W`);
    const tokens = section.slice(1).split(",").map((part) => part.trim()).filter(Boolean);
    if (tokens.length && seen.has(side)) refuse(`${NAMES[side]}'s pieces are listed twice`);
    if (tokens.length) seen.add(side);
    for (const token of tokens) {
      const ends = token.split("-").map((end) => /^(K?)(\d+|[A-Z]\d+)$/i.exec(end.trim()) ?? []);
      const [low, high = low] = ends.map(([, , name = ""]) => +name || number(name));
      if (ends.length > 2 || !onBoard(low) || !onBoard(high)) {
        refuse(`${quoted(token)} is no square: they run from 1 to 32, with K before a king's`);
      }
      if (high < low) refuse(`the range ${token} runs backward`);
      const king = ends.some(([, mark]) => mark);
      for (let n = low; n <= high; n++) {
        if (pieces[n]) refuse(`square ${n} is named twice: it holds one piece at most`);
        if (!king && row(n) === crownRow(side)) {
          refuse(`${NAMES[side]} has a man on ${n}, its crown row: it would be a king there, K${n}`);
        }
        pieces[n] = king ? side : side.toLowerCase();
      }
    }
  }
  if (!pieces.some(Boolean)) refuse("there is no piece on the board: a position has at least one");
  for (const side of ["B", "W"]) {
    const count = pieces.filter((piece) => sideOf(piece) === side).length;
    if (count > 12) refuse(`${NAMES[side]} has ${count} pieces: at most 12 are possible`);
  }
  return { pieces, turn };
}

/** The canonical FEN. @param {Position} position */
export function toFen({ pieces, turn }) {
  const list = (side) => side + SQUARES.filter((n) => sideOf(pieces[n]) === side)
    .map((n) => (pieces[n] === side ? "K" : "") + n).join(",");
  return `${turn}:${list("W")}:${list("B")}`;
}

/** Every legal move as a whole route, in the order of paths. @param {Position} position @returns {Move[]} */
export function legalMoves({ pieces, turn }) {
  /** @type {Move[]} */
  const jumps = [];
  /** @type {Move[]} */
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
  const moves = legalMoves(position);
  const path = squaresIn(text, moves.length ? `. Legal: ${named(moves)}` : "");
  const said = text.trim().split(/\s+/).join(" ");
  const exact = moves.find((move) => `${move.path}` === `${path}`);
  const found = exact ? [exact] : moves.filter((move) => fits(move, path));
  if (!found.length) refuse(objection(position, moves, path, said));
  const result = (move) => `${move.captures.slice().sort()}`;
  if (found.some((move) => result(move) !== result(found[0]))) {
    refuse(`${said} can mean ${named(found, " or ")}: write the whole route`);
  }
  return found[0];
}

const named = (moves, mark = ", ") => moves.slice(0, 40).map((move) => move.text).join(mark);

/** Whether a path is a move's, perhaps with some landings left out. @param {Move} move @param {number[]} path */
function fits(move, path) {
  let i = 0;
  for (const n of move.path) if (n === path[i]) i++;
  return i === path.length && path[0] === move.path[0] && path[i - 1] === move.path[move.path.length - 1];
}

/** The squares that a move text names. @param {string} text @param {string} hint */
function squaresIn(text, hint) {
  if (text.length > 200) refuse(`this is ${text.length} characters long: a move has 200 at most${hint}`);
  const squares = [];
  let rest = text.replace(/^\s*\d+\s*\.(\s*\.\s*\.)?\s*/, "").replace(/[\s!?.]*$/, "").trimStart();
  const word = () => quoted(rest.trim().split(/\s/)[0]);
  while (rest) {
    const name = /^([a-z]\d{1,2}|\d+)/i.exec(rest)?.[0] ?? refuse(`${word()} is no square: a move looks like 11-15 or c3-d4${hint}`);
    const n = +name || number(name);
    if (!onBoard(n)) refuse(`${quoted(name)} is no square of play: they run from 1 to 32${hint}`);
    squares.push(n);
    rest = rest.slice(name.length);
    if (!rest) break;
    const mark = /^(\s*[-–—x×:*]\s*|\s+|(?=[a-z]))/i.exec(rest)?.[0] ?? refuse(`${word()} does not belong in a move${hint}`);
    rest = rest.slice(mark.length);
    if (!rest) refuse(`nothing follows '${mark.trim()}'${hint}`);
  }
  if (squares.length < 2) refuse(`a move names at least two squares, as in 11-15 or c3-d4${hint}`);
  return squares;
}

/** Why a path is no legal move here. @param {Position} position @param {Move[]} moves @param {number[]} path @param {string} said */
function objection({ pieces, turn }, moves, path, said) {
  if (!moves.length) return `${said} cannot be played: ${NAMES[turn]} has no move, the game is over`;
  let why = `${said} is not legal`;
  if (!pieces[path[0]]) why += `: there is no piece on ${path[0]}`;
  else if (sideOf(pieces[path[0]]) !== turn) why += `: ${path[0]} is not ${NAMES[turn]}'s piece`;
  else if (moves.some((move) => `${move.path.slice(0, path.length)}` === `${path}`)) why = `${said} is not the whole jump: it goes on`;
  else if (moves[0].captures.length) {
    why += `: a jump is compulsory, with the piece on ${[...new Set(moves.map((move) => move.path[0]))].join(" or ")}`;
  }
  return `${why}. Legal: ${named(moves)}`;
}

const key = (p) => p.turn + p.pieces;

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
  const draw = (termination) => ({ winner: null, termination });
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
