// Where the board refuses a piece or a landing that a rule of choice forbids, says that rule too.
// The board knows of moves alone, so this listens to what is chosen on it and to what it says, before the page does.
import { demand, fromFen } from "./rules.js";

const board = document.getElementById("board");
const squareOf = (node) => +(node?.closest?.("[data-square]")?.dataset.square ?? 0);
let aim = 0; // the square that was chosen last, by whatever means

addEventListener("pointerup", ({ clientX, clientY }) => { aim = squareOf(document.elementFromPoint(clientX, clientY)); }, true);
for (const kind of ["keydown", "click"]) addEventListener(kind, ({ target, detail }) => { if (!detail) aim = squareOf(target); }, true);

addEventListener("say", ({ detail }) => {
  const from = squareOf(board.querySelector(".chosen"));
  if (detail.read || !detail.text || !(from || board.querySelector(".can"))) return;
  const leads = (path) => path.indexOf(aim, path.indexOf(from)) > path.indexOf(from);
  const why = demand(fromFen(board.dataset.fen), (path) => path[0] === aim || (path.includes(from) && leads(path)));
  if (why) detail.text += ` ${why}`;
}, true);
