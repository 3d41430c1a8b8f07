// What this device keeps for the pages that look at games: the game of the play page, where the address ends in "?mine",
// and the side at the bottom of the board.

/** @import {Side} from "./types" */

const BOTTOM = "kingme.bottom";

/** What an address says, with the game in the place of "mine". Throws where this device has none, or none that can be
 *  read. @param {URLSearchParams} query @returns {URLSearchParams} */
export function own(query) {
  if (!query.has("mine")) return query;
  try {
    const { start, moves } = JSON.parse(localStorage["kingme.game"]);
    if (!Array.isArray(moves)) throw Error();
    return new URLSearchParams({ fen: start ?? "", moves: `${moves}` });
  } catch {
    throw Error("There is no game of yours on this device."); // or no storage
  }
}

/** The side at the bottom: that which was last chosen here, else Black, as on the play page. @param {Side} [chosen] is kept @returns {Side} */
export function bottomSide(chosen) {
  try {
    if (chosen) localStorage[BOTTOM] = chosen;
    return localStorage[BOTTOM] === "W" ? "W" : "B";
  } catch {
    return chosen ?? "B"; // no storage here: the choice lives as long as the page
  }
}
