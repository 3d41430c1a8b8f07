// How one has done at puzzles: a rating, streaks, and which were tried. Kept on this device, and read again even where it is damaged.

/** @import {Tally} from "./types" */

const KEY = "kingme.puzzles";
const FIRST = { rating: 1000, deviation: 220 };
const PUZZLE = 60; // how far a puzzle's own rating may be off
const [LEAST, MOST] = [60, 220];
const DAILY = 2; // by how much a rating grows less certain from a day to the next
const SCALE = Math.LN10 / 400;

const NAME = /^[2-9a-z]{6}$/;
const whole = (n, most = 1e6) => (Number.isInteger(n) && n >= 0 && n <= most ? n : 0);
const within = (n, low, high, or) => (Number.isFinite(n) && n >= low && n <= high ? n : or);

/** What of a stored thing is a tally; no day of it may lie more than one behind today. @param {unknown} stored @param {number} [today] @returns {Tally} */
export function sound(stored, today = 1e6) {
  const { rating, deviation, day, run, bestRun, days, bestDays, lastDay, tried } = stored ?? {};
  const last = whole(lastDay, today + 1);
  const names = Object.entries(tried && typeof tried === "object" ? tried : {}).filter(([name, done]) => NAME.test(name) && (done === 0 || done === 1));
  return {
    rating: within(rating, 100, 3500, FIRST.rating),
    deviation: within(deviation, LEAST, MOST, FIRST.deviation),
    day: whole(day, today + 1),
    run: whole(run),
    bestRun: Math.max(whole(bestRun), whole(run)),
    days: last && whole(days),
    bestDays: Math.max(whole(bestDays), last && whole(days)),
    lastDay: last,
    tried: Object.fromEntries(names),
  };
}

/** The tally as it is kept. @param {number} [today] @returns {Tally} */
export function kept(today) {
  try {
    return sound(JSON.parse(localStorage[KEY]), today);
  } catch {
    return sound(null); // nothing there, or nothing readable
  }
}

/** Keeps a tally; without storage it lives as long as the page. @param {Tally} tally */
export function keep(tally) {
  try {
    localStorage[KEY] = JSON.stringify(tally);
  } catch { /* full, or forbidden here */ }
}

/** The rating after a puzzle, by Glicko (Glickman, 1999), a game against the puzzle. @param {{rating: number, deviation: number}} own @param {number} puzzle its rating @param {number} score 1 or 0 @param {number} [days] since the last one */
export function rated({ rating, deviation }, puzzle, score, days = 0) {
  const before = Math.min(MOST, Math.hypot(deviation, DAILY * Math.sqrt(days)));
  const g = 1 / Math.sqrt(1 + 3 * (SCALE * PUZZLE / Math.PI) ** 2);
  const e = 1 / (1 + Math.exp(-g * SCALE * (rating - puzzle)));
  const sure = 1 / before ** 2 + SCALE ** 2 * g ** 2 * e * (1 - e);
  return { rating: Math.max(100, rating + SCALE * g * (score - e) / sure), deviation: Math.max(LEAST, Math.min(MOST, Math.sqrt(1 / sure))) };
}

/** The tally after the first try at a puzzle; as it was where that was tried before. @param {Tally} tally @param {{name: string, rating: number}} puzzle @param {boolean} clean @param {number} today @returns {Tally} */
export function counted(tally, puzzle, clean, today) {
  if (puzzle.name in tally.tried) return tally;
  const run = clean ? tally.run + 1 : 0;
  const days = tally.day ? Math.max(0, today - tally.day) : 0;
  return { ...tally, ...rated(tally, puzzle.rating, +clean, days), day: today, run, bestRun: Math.max(run, tally.bestRun), tried: { ...tally.tried, [puzzle.name]: +clean } };
}

/** The tally after a puzzle was brought to its end; clean: nothing was wrong, and no help was taken. Its day counts where its first try was clean too. @param {Tally} tally @param {{name: string, rating: number, day: ?number}} puzzle @param {boolean} clean @param {number} today @returns {Tally} */
export function ended(tally, puzzle, clean, today) {
  if (!clean) return tally;
  const after = counted(tally, puzzle, true, today);
  return puzzle.day && after.tried[puzzle.name] ? dated(after, puzzle.day) : after;
}

/** The tally after the puzzle of a day was solved. @param {Tally} tally @param {number} today @returns {Tally} */
function dated(tally, today) {
  if (tally.lastDay >= today) return tally;
  const days = tally.lastDay === today - 1 ? tally.days + 1 : 1;
  return { ...tally, days, bestDays: Math.max(days, tally.bestDays), lastDay: today };
}

/** Days in a row, as they stand: a day left out ends them. @param {Tally} tally @param {number} today */
export const streak = ({ days, lastDay }, today) => (lastDay >= today - 1 ? days : 0);

/** The name of a puzzle that was not tried, with a rating near one's own; any where all were. @param {[string, number][]} puzzles @param {Tally} tally @param {string} but @param {number} chance from 0 to 1 */
export function following(puzzles, { rating, tried }, but, chance) {
  const others = puzzles.filter(([name]) => name !== but);
  const fresh = others.filter(([name]) => !(name in tried));
  const near = (fresh[0] ? fresh : others).sort((a, b) => Math.abs(a[1] - rating) - Math.abs(b[1] - rating)).slice(0, 12);
  return near[Math.floor(chance * near.length)]?.[0];
}
