// The computer's side of the board: the whole game goes to the server, an answer comes back.

export const pause = (time) => new Promise((done) => { setTimeout(done, time); });

/** Tries twice; throws an Error that can be shown. what is "reply" or "draw". */
export async function consult(what, game, signal) {
  for (let last = false; ; last = true) {
    const response = await fetch(`/api/${what}`, { method: "POST", signal, body: JSON.stringify(game),
      headers: { "Content-Type": "application/json" } }).catch(() => null);
    const answer = await response?.json().catch(() => null);
    if (response?.ok && answer) return answer;
    if (signal.aborted || last || response?.status < 500) {
      throw Error(answer?.error?.message ?? "The computer cannot be reached just now. Your game is kept.");
    }
    await pause(800);
  }
}
