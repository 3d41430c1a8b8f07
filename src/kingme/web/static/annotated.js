// A review written into its game, as PDN: signs, words and better lines, as kingme.analysis.annotated has it.

import { betterLine, words } from "./judging.js";
import { START } from "./rules.js";
import { pdnText } from "./written.js";

/** @import {GameRead, Judgement, NodeRead, ReviewRules} from "./types" */

/** The signs of faults as PDN numbers them. */
const NAGS = { Inaccuracy: 6, Mistake: 2, Blunder: 4 };
/** Results that end a game; any other is told by its tag alone. */
const END = /^(1-0|0-1|1\/2-1\/2|½-½|1\/2|2-0|0-2|1-1|0-0)$/;

/** Whether nothing is said of a move. @param {NodeRead} node */
const bare = ({ nags, strength, comments, before, variations }) => ![nags, strength, comments, before, variations].some((said) => said.length);

/** What stands at a move without what earlier reviews wrote there, but for the sign that is right still. @param {NodeRead} node @param {number|undefined} right @param {ReviewRules} rules */
function cleared({ nags, comments, variations }, right, { fault }) {
  for (const comment of comments) {
    const [, mark, move] = comment.match(fault) ?? [];
    if (!mark) continue;
    const old = variations.findLast((line) => line[0].move === move && line.every(bare));
    nags = nags.filter((nag) => nag === right || nag !== NAGS[mark]);
    comments = comments.filter((other) => other !== comment);
    variations = variations.filter((line) => line !== old);
  }
  return { nags, comments, variations };
}

/** @param {GameRead} game @param {Judgement[]} judgements by ply @param {ReviewRules} rules @returns {string} */
export function annotated({ tags, start, result, opening, comments, moves }, judgements, rules) {
  const told = moves.map((node, ply) => {
    const found = judgements[ply];
    if (!found) return node;
    const said = words(found, rules);
    const nag = NAGS[said.split(":")[0]];
    const { nags, comments, variations } = cleared(node, nag, rules);
    if (!nag) return { ...node, nags, comments, variations };
    const better = betterLine(found).map(({ text }) => ({ move: text, variations: [] }));
    return { ...node, nags: nags.includes(nag) ? nags : [...nags, nag], comments: [...comments, said], variations: [...variations, better] };
  });
  const before = comments.filter((comment) => !comment.match(rules.opening));
  if (opening) before.push(`Opening: ${opening}.`);
  const tagged = (name) => tags.some(([other]) => other.toLowerCase() === name);
  const head = [...tags];
  if (result !== "*" && !END.test(result) && !tagged("result")) head.push(["Result", result]);
  if (start !== START && !tagged("fen")) head.push(["SetUp", "1"], ["FEN", start]);
  const lines = head.map(([name, value]) => `[${name} "${value.replace(/[\r\n]/g, " ").replace(/["\\]/g, "\\$&")}"]\n`);
  const text = pdnText({ comments: before, moves: told, result: END.test(result) ? result : "*" }, +(start[0] === "W"));
  return [...lines, lines[0] && "\n", text].filter(Boolean).join("");
}
