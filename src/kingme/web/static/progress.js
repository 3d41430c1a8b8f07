// How far one is in the lessons: kept on this device, and read again even where it is damaged.

const KEY = "kingme.learn";

/** What of a stored thing is progress: for each lesson the step one is at, and the steps that are done. */
function sound(stored) {
  const found = {};
  for (const [name, { at, done } = {}] of Object.entries(stored?.lessons ?? {})) {
    const whole = (n) => Number.isInteger(n) && n >= 0 && n < 99;
    if (/^[a-z-]{1,40}$/.test(name)) found[name] = { at: whole(at) ? at : 0, done: [...new Set(Array.isArray(done) ? done.filter(whole) : [])] };
  }
  return { last: typeof stored?.last === "string" ? stored.last : "", lessons: found };
}

/** The progress as it is kept. @returns {{last: string, lessons: Object<string, {at: number, done: number[]}>}} */
export function progress() {
  try {
    return sound(JSON.parse(localStorage[KEY]));
  } catch {
    return sound(null); // nothing there, or nothing readable
  }
}

/** The progress of one lesson. @param {string} name */
export const of = (name) => progress().lessons[name] ?? { at: 0, done: [] };

/** Keeps where one is in a lesson, and perhaps that a step is done. @param {string} name @param {number} at @param {number[]} done */
export function keep(name, at, done) {
  const kept = progress(); // read again: another tab may have gone on
  const known = kept.lessons[name]?.done ?? [];
  kept.last = name;
  kept.lessons[name] = { at, done: [...new Set([...known, ...done])].sort((a, b) => a - b) };
  try {
    localStorage[KEY] = JSON.stringify(kept);
  } catch { /* no storage here: the progress lives as long as the page */ }
}
