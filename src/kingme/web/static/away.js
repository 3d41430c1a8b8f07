// The page in the place of one that is not kept, where there is no network: what is here instead; and back when there is one.
import { $, h } from "./dom.js";

const PUZZLE = "/puzzles/";
const names = await caches.keys();
const caught = await Promise.all(names.filter((name) => name.startsWith("kingme-")).map(async (name) => (await caches.open(name)).keys()));
const kept = new Set(caught.flat().map(({ url }) => new URL(url).pathname));

for (const link of document.querySelectorAll("[data-kept] a")) link.parentElement.hidden = !kept.has(link.getAttribute("href"));
const puzzles = [...kept].filter((path) => path.startsWith(PUZZLE)).reverse();
$("puzzles").append(...puzzles.map((path) => h("li", {}, h("a", { href: path }, `Puzzle ${path.slice(PUZZLE.length)}`))));
for (const group of document.querySelectorAll("[data-kept]")) group.hidden = !group.querySelector("li:not([hidden])");

addEventListener("online", () => location.reload());
