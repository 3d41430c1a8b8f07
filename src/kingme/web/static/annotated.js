// A review written into its game, as PDN: signs, words and better lines, as kingme.analysis.annotated has it.

import { betterLine, words } from "./judging.js";
import { START } from "./rules.js";
import { pdnText } from "./written.js";

/** @import {GameRead, Judgement, ReviewRules} from "./types" */

/** The signs of faults as PDN numbers them. */
const NAGS = { "?!": 6, "?": 2, "??": 4 };
/** Results that end a game; any other is told by its tag alone. */
const END = /^(1-0|0-1|1\/2-1\/2|½-½|1\/2|2-0|0-2|1-1|0-0)$/;

/** @param {GameRead} game @param {Judgement[]} judgements by ply @param {ReviewRules} rules @returns {string} */
export function annotated({ tags, start, result, opening, comments, moves }, judgements, rules) {
  const told = moves.map((node, ply) => {
    const found = judgements[ply];
    if (!found?.sign) return node;
    const better = betterLine(found).map(({ text }) => ({ move: text, variations: [] }));
    return { ...node, nags: [...new Set([...node.nags, NAGS[found.sign]])], comments: [...node.comments, words(found, rules)], variations: [...node.variations, better] };
  });
  const tagged = (name) => tags.some(([other]) => other.toLowerCase() === name);
  const head = [...tags];
  if (result !== "*" && !END.test(result) && !tagged("result")) head.push(["Result", result]);
  if (start !== START && !tagged("fen")) head.push(["SetUp", "1"], ["FEN", start]);
  const lines = head.map(([name, value]) => `[${name} "${value.replace(/[\r\n]/g, " ").replace(/["\\]/g, "\\$&")}"]\n`);
  const text = pdnText({ comments: opening ? [...comments, `Opening: ${opening}.`] : comments, moves: told, result: END.test(result) ? result : "*" }, +(start[0] === "W"));
  return [...lines, lines[0] && "\n", text].filter(Boolean).join("");
}
