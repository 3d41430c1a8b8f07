// The game of the play page, as this device keeps it, for the pages that look at games: the address ends in "?mine".

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
