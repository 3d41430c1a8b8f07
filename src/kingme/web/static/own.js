// The game of the play page, as this device keeps it, for the pages that look at games: the address ends in "?mine".

/** What an address says, with the game in the place of "mine". @param {URLSearchParams} query @returns {URLSearchParams} */
export function own(query) {
  if (!query.has("mine")) return query;
  try {
    const { start, moves } = JSON.parse(localStorage["kingme.game"]);
    return new URLSearchParams({ fen: start ?? "", moves: `${moves}` });
  } catch {
    return new URLSearchParams(); // no storage here, or no game
  }
}
