// The computer's side of the board: the whole game goes to the server, an answer comes back.

/** @param {number} time milliseconds */
export const pause = (time) => new Promise((done) => { setTimeout(done, time); });

/** Asks once more before it gives up; throws an Error whose message can be shown.
 *  @param {"reply"|"draw"} question @param {object} body @param {AbortSignal} signal */
export async function consult(question, body, signal) {
  for (let again = true; ; again = false) {
    const response = await fetch(`/api/${question}`, { method: "POST", signal, body: JSON.stringify(body),
      headers: { "Content-Type": "application/json" } }).catch(() => null);
    const answer = await response?.json().catch(() => null);
    if (response?.ok && answer) return answer;
    if (signal.aborted || !again || response?.status < 500) {
      throw new Error(answer?.error?.message ?? "The computer cannot be reached just now. Your game is kept.");
    }
    await pause(800);
  }
}
