// Two clocks on the screen. The server's time decides; these only show what it said last, and stand still where it cannot be heard.

/** @import {ClockView, Outcome, Side} from "./types" */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Below this, tenths are shown. */
const LOW = 10 * SECOND;
/** At these the player hears how much is left, in seconds. */
const WARNINGS = [60, 30, 10];

const two = (n) => `${n}`.padStart(2, "0");
const count = (n, unit) => `${n} ${unit}${n === 1 ? "" : "s"}`;

/** Time in whole seconds: 2 d 4 h, 1:05:09, 4:32, 0:09. @param {number} ms */
export function whole(ms) {
  if (ms >= DAY) return `${Math.floor(ms / DAY)} d ${Math.floor(ms % DAY / HOUR)} h`;
  const seconds = Math.floor(ms / SECOND);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** Time as a clock shows it: near its end with tenths, 0:09.4. @param {number} ms */
export const shown = (ms) => (ms < LOW ? `${whole(ms)}.${Math.floor(ms % SECOND / 100)}` : whole(ms));

/** Why a game ended where time or a player ran away; undefined where it ended on the board. @param {Outcome} outcome @param {Object<string, string>} names */
export function reasonOf({ winner, termination }, names) {
  const loser = winner && names[winner === "B" ? "W" : "B"];
  return { timeout: `${loser}’s time ran out.`, desertion: `${loser ?? "A player"} left the game.` }[termination];
}

/** The same in words: "4 minutes 32 seconds". @param {number} ms */
export function spoken(ms) {
  const parts = ms >= DAY ? [[Math.floor(ms / DAY), "day"], [Math.floor(ms % DAY / HOUR), "hour"]]
    : [[Math.floor(ms / HOUR), "hour"], [Math.floor(ms / MINUTE) % 60, "minute"], [Math.floor(ms / SECOND) % 60, "second"]];
  return parts.filter(([n]) => n).map(([n, unit]) => count(n, unit)).join(" ") || "0 seconds";
}

/** What a side has left at a time. @param {ClockView} clock @param {Side} side @param {number} now */
export const left = ({ left: [black, white], running, since }, side, now) =>
  Math.max(0, (side === "B" ? black : white) - (running === side ? Math.max(0, now - since) : 0));

export class Clocks {
  /** @type {?ClockView} */ #clock = null;
  #still = true;
  #was = [0, 0]; // what was left when they stopped
  #timer = 0;
  #warnings; // those that are still to come

  /** show draws the time of a side; warn is called with the seconds that own has left, once for each of the warnings that
   *  come well after a start with so many (ms).
   *  @param {{now: () => number, show: (side: Side, text: string, low: boolean) => void, warn: (seconds: number) => void}} page
   *  @param {?Side} own @param {number} initial */
  constructor(page, own, initial) {
    Object.assign(this, { page, own });
    this.#warnings = WARNINGS.filter((seconds) => 2 * seconds * SECOND <= initial);
  }

  /** Takes what the server says. @param {ClockView} clock @param {boolean} still the server cannot be heard, so nothing runs */
  set(clock, still) {
    if (still === this.#still && clock === this.#clock) return;
    if (still && (!this.#still || clock !== this.#clock)) this.#was = this.#count(clock);
    this.#clock = clock;
    this.#still = still;
    this.draw();
  }

  #count(clock) {
    return ["B", "W"].map((side) => left(clock, side, this.page.now()));
  }

  #now() {
    return this.#still ? this.#was : this.#count(this.#clock);
  }

  /** What both have left, in words. @param {{B: string, W: string}} names whose clock each is */
  words(names) {
    const now = this.#now();
    return `${names.B}: ${spoken(now[0])}; ${names.W}: ${spoken(now[1])}.`;
  }

  draw() {
    clearTimeout(this.#timer);
    const now = this.#now();
    ["B", "W"].forEach((side, i) => this.page.show(side, shown(now[i]), now[i] < LOW));
    const { running } = this.#clock;
    if (!running || this.#still) return;
    const rest = now[running === "B" ? 0 : 1];
    if (running === this.own) this.#warn(rest);
    const step = rest < LOW ? 100 : SECOND;
    const wait = this.page.now() < this.#clock.since ? this.#clock.since - this.page.now() : rest % step + 1;
    if (rest > 0) this.#timer = setTimeout(() => this.draw(), wait);
  }

  #warn(rest) {
    const later = this.#warnings.filter((seconds) => rest > seconds * SECOND);
    if (later.length < this.#warnings.length && rest > 0) this.page.warn(Math.ceil(rest / SECOND));
    this.#warnings = later;
  }
}
