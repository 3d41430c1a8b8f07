// A review written into its game, as PDN: signs, words and better lines, as kingme.analysis.annotated has it.

import { betterLine, words } from "./judging.js";
import { START } from "./rules.js";
import { pdnText } from "./written.js";

/** @import {GameRead, Judgement, NodeRead, ReviewRules} from "./types" */

/** The signs of faults as PDN numbers them. */
const NAGS = { inaccuracy: 6, mistake: 2, blunder: 4 };
/** Results that end a game; any other is told by its tag alone. */
const END = /^(1-0|0-1|1\/2-1\/2|½-½|1\/2|2-0|0-2|1-1|0-0)$/;

/** Whether nothing is said of a move. @param {NodeRead} node */
const bare = ({ nags, strength, comments, before, variations }) => [nags, strength, comments, before, variations].every(({ length }) => !length);

/** A move without what earlier reviews wrote at it, but for the sign that is right still. @param {NodeRead} node @param {number|undefined} right @param {ReviewRules} rules */
function cleared(node, right, { fault }) {
  let { nags, comments, variations } = structuredClone(node);
  for (const comment of comments) {
    const [, mark, move] = comment.match(fault) ?? []; // neither is there in the words of people
    const old = variations.findLast((line) => line[0].move === move && line.every(bare));
    nags = nags.filter((nag) => nag === right || nag !== NAGS[mark?.toLowerCase()]);
    variations = variations.filter((line) => line !== old);
  }
  return { ...node, nags, comments: comments.filter((comment) => !comment.match(fault)), variations };
}

/** A game without what earlier reviews wrote in it, but for signs that are right by ply. @param {GameRead} game @param {ReviewRules} rules @param {number[]} [right] @returns {GameRead} */
export const unreviewed = (game, rules, right = []) => ({
  ...game,
  comments: game.comments.filter((comment) => !comment.match(rules.opening)),
  moves: game.moves.map((node, ply) => cleared(node, right[ply], rules)),
});

/** @param {GameRead} game @param {Judgement[]} judgements by ply @param {ReviewRules} rules @returns {string} */
export function annotated(game, judgements, rules) {
  const right = judgements.map(({ mark }) => NAGS[mark]);
  const { tags, start, result, opening, comments, moves } = unreviewed(game, rules, right);
  if (opening) comments.push(`Opening: ${opening}.`);
  moves.forEach(({ nags, comments, variations }, ply) => {
    const nag = right[ply];
    if (!nag) return;
    if (!nags.includes(nag)) nags.push(nag);
    comments.push(words(judgements[ply], rules));
    variations.push(betterLine(judgements[ply]).map(({ text }) => ({ move: text, variations: [] })));
  });
  const tagged = (name) => tags.some(([other]) => other.toLowerCase() === name);
  const head = [...tags];
  if (result !== "*" && !END.test(result) && !tagged("result")) head.push(["Result", result]);
  if (start !== START && !tagged("fen")) head.push(["SetUp", "1"], ["FEN", start]);
  const lines = head.map(([name, value]) => `[${name} "${value.replace(/[\r\n]/g, " ").replace(/["\\]/g, "\\$&")}"]\n`);
  const text = pdnText({ comments, moves, result: END.test(result) ? result : "*" }, +(start[0] === "W"));
  return [...lines, lines[0] && "\n", text].filter(Boolean).join("");
}
