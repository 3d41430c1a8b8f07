// A live game as a value: what the server told, and what each event makes of it. The twin of kingme.play.applying, as far as a page shows it.

import { START, fromFen, legalMoves, play } from "./rules.js";

/** @import {GameEvent, GameView, Line} from "./types" */

/** The name of a side in the views. */
export const FIELD = { B: "black", W: "white" };

/** @type {Object<string, (game: GameView, event: GameEvent) => Partial<GameView>>} */
const CHANGES = {
  moved: ({ moves, draw }, { ply, move, side }) => ({ moves: [...moves.slice(0, ply), move], draw: draw === side ? draw : null, takeback: null }),
  draw_offered: (_, { side }) => ({ draw: side }),
  draw_declined: () => ({ draw: null }),
  takeback_offered: (_, { side }) => ({ takeback: side }),
  takeback_declined: () => ({ takeback: null }),
  taken_back: ({ moves }, { ply }) => ({ moves: moves.slice(0, ply), draw: null, takeback: null }),
  rematch_offered: (_, { side }) => ({ rematch: side }),
  rematch_declined: () => ({ rematch: null }),
  rematched: (_, { game }) => ({ rematch: null, next: game }),
  chat_set: ({ chat }, { side, on }) => (chat ? { chat: { ...chat, [FIELD[side]]: on } } : {}),
  said: ({ chat }, line) => (chat ? { chat: { ...chat, lines: [...chat.lines, line] } } : {}),
  settled: (_, { at, black, white }) => ({ settled: { at, black: black ?? {}, white: white ?? {} } }),
};

/** The game after one more event. @param {GameView} game @param {GameEvent} event @returns {GameView} */
export function after(game, event) {
  const next = { ...game, version: game.version + 1, ...CHANGES[event.kind]?.(game, event) };
  const { outcome } = event;
  if (!outcome) return next;
  return { ...next, outcome, status: outcome.termination === "aborted" ? "aborted" : "over", draw: null, takeback: null, endedAt: event.at };
}

/** How long each player has for the first move, ms; null for as long as they like. @param {GameView} game */
export const startLimit = ({ startDeadline, clock }) => (startDeadline === null ? null : startDeadline - clock.since);

/** The game played through; what of it was played through before is not played again. @param {{start: ?string, moves: string[]}} game @param {Line} [before] @returns {Line} */
export function played({ start, moves: texts }, before) {
  const line = before ?? { positions: [fromFen(start ?? START)], moves: [] };
  let same = 0;
  while (same < texts.length && line.moves[same]?.text === texts[same]) same++;
  const positions = line.positions.slice(0, same + 1);
  const moves = line.moves.slice(0, same);
  for (const text of texts.slice(same)) {
    const now = positions[positions.length - 1];
    const move = legalMoves(now).find((legal) => legal.text === text);
    moves.push(move);
    positions.push(play(now, move));
  }
  return { positions, moves };
}
