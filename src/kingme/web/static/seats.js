// The two players of a game: who they are, whether they are there, their pieces, clocks, and what the game brought them.
import { $, chips, h, rating, signed } from "./dom.js";
import { FIELD } from "./match.js";
import { other, sideOf } from "./rules.js";
import { SIDES } from "./speech.js";

/** @import {GameView, Position, Presence, Share, Side} from "./types" */

const SHADES = { B: "Dark", W: "Light" };
const seats = [$("far"), $("near")];
const seatOf = (side) => seats.find(({ dataset }) => dataset.side === side);

/** Puts the players at the edges of the board where their pieces are. @param {GameView} game @param {Side} bottom */
export function sit(game, bottom) {
  [other(bottom), bottom].forEach((side, i) => {
    const seat = seats[i];
    const person = game[FIELD[side]];
    const link = seat.querySelector("a");
    seat.dataset.side = side;
    seat.setAttribute("aria-label", SIDES[side]);
    seat.querySelector("use").setAttribute("href", `#man-${side}`);
    seat.querySelector(".clock .unseen").textContent = `Clock of ${SIDES[side]}`;
    seat.querySelector("small").textContent = rating(person);
    link.textContent = person.name;
    link.href = `/player/${encodeURIComponent(person.name)}`;
  });
}

/** Shows whose turn it is, the pieces, and who is there; null: not known. @param {Position} position @param {?Side} turn @param {?Presence} presence */
export function seatStates(position, turn, presence) {
  for (const seat of seats) {
    const { side } = seat.dataset;
    const here = presence?.[FIELD[side]];
    const count = position.pieces.filter((piece) => sideOf(piece) === side).length;
    seat.toggleAttribute("data-turn", side === turn);
    seat.querySelector(".person").classList.toggle("here", here === true);
    seat.querySelector(".person .unseen").textContent = presence ? (here ? ", is here" : ", is away") : "";
    seat.querySelector(".shade").textContent = `${SHADES[side]}, ${count} ${count === 1 ? "piece" : "pieces"}`;
  }
}

/** What a game brought, in parts that can stand in a sentence. @param {Share} share */
export function brought({ chips: won = 0, points = 0, rating: before = 0, ratingAfter = 0 }) {
  const gain = ratingAfter - before;
  return [
    ratingAfter && h("span", { class: gain < 0 ? "down" : "up" }, `${signed(gain)} rating`),
    won && h("span", { class: won < 0 ? "down" : "up" }, chips(signed(won))),
    points && h("span", { class: "up" }, `+${points} ${points === 1 ? "point" : "points"}`),
  ].filter(Boolean);
}

/** Games with these ends are not too short for points: the board decided, or nobody did. */
const WHOLE = ["no_pieces", "no_moves", "repetition", "no_progress", "ply_cap", "aborted"];

/** The same as a sentence for the player. @param {GameView} game */
export function broughtWords({ you, settled, stake, moves, outcome, terms, ...game }) {
  const field = FIELD[you];
  const { chips: won = 0, points = 0, rating: before = 0, ratingAfter = 0 } = settled[field];
  const short = !points && moves.length < 10 && !game[field].guest && !WHOLE.includes(outcome.termination)
    && Object.values(terms.points ?? {}).some(Boolean);
  const parts = [won ? `${signed(won)} chips` : stake > 0 && "your stake came back", points && `+${points} ${points === 1 ? "point" : "points"}`,
    short && "too short for points",
    ratingAfter && `rating ${before} → ${ratingAfter}`].filter(Boolean).join(", ");
  return parts && `${parts[0].toUpperCase()}${parts.slice(1)}.`;
}

/** Shows what the game brought both. @param {GameView} game */
export function settle({ settled }) {
  for (const seat of seats) {
    const parts = settled ? brought(settled[FIELD[seat.dataset.side]]) : [];
    seat.querySelector(".brought").replaceChildren(...parts.flatMap((part) => [" ", part]));
  }
}

/** Shows a clock. @param {Side} side @param {string} text @param {boolean} low */
export function tick(side, text, low) {
  const clock = seatOf(side).querySelector(".clock");
  const face = clock.lastElementChild;
  if (face.textContent !== text) face.textContent = text;
  clock.toggleAttribute("data-low", low);
}

/** Marks the clocks as standing still, since the server cannot be heard. @param {boolean} still @param {?Side} running */
export function halt(still, running) {
  for (const seat of seats) {
    seat.toggleAttribute("data-still", still);
    seat.toggleAttribute("data-running", !still && seat.dataset.side === running);
  }
}
