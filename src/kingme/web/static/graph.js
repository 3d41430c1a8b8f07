// The graph of a game: what Black may expect after each ply, from nothing (below) to a whole point (above). It is a
// slider: a click or a key goes to a ply.

const WIDE = 600;
const HIGH = 120;

/** @param {HTMLElement} host the slider @param {(ply: number) => void} visit */
export function makeGraph(host, visit) {
  let last = 0; // plies of the game
  let at = 0;
  const go = (ply) => visit(Math.max(0, Math.min(last, ply)));
  host.innerHTML = `<svg viewBox="0 0 ${WIDE} ${HIGH}" aria-hidden="true"><path class="under"/><path class="half" d="M0 ${HIGH / 2}H${WIDE}"/><path class="curve"/><g class="faults"></g><path class="now"/></svg>`;
  const part = (name) => host.querySelector(`.${name}`);
  const x = (ply) => (last ? ply * WIDE / last : 0);
  const y = (points) => 4 + (HIGH - 8) * (1 - points);

  const reach = ({ clientX }) => {
    const { left, width } = host.getBoundingClientRect();
    go(Math.round((clientX - left) / width * last));
  };
  host.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    host.setPointerCapture(event.pointerId);
    reach(event);
  });
  host.addEventListener("pointermove", (event) => host.hasPointerCapture(event.pointerId) && reach(event));
  host.addEventListener("keydown", (event) => {
    const to = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, Home: 0, End: last }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go(to);
  });

  return {
    /** Draws what is known: points before each ply and at the end, undefined where nothing is known yet. @param {(number|undefined)[]} points @param {[number, string][]} faults plies and their classes */
    draw(points, faults) {
      last = points.length - 1;
      const first = points.findIndex((value) => value !== undefined);
      const known = first < 0 ? [] : points.slice(first).map((value, i) => `${x(first + i).toFixed(1)} ${y(value).toFixed(1)}`);
      part("curve").setAttribute("d", known.length ? `M${known.join("L")}` : "");
      part("under").setAttribute("d", known.length ? `M${x(first).toFixed(1)} ${HIGH}L${known.join("L")}V${HIGH}Z` : "");
      part("faults").innerHTML = faults.map(([ply, mark]) => `<circle class="${mark}" cx="${x(ply).toFixed(1)}" cy="${y(points[ply]).toFixed(1)}" r="5"/>`).join("");
      host.setAttribute("aria-valuemax", last);
    },
    /** Marks a ply. @param {number} ply @param {string} text it in words */
    mark(ply, text) {
      at = ply;
      part("now").setAttribute("d", `M${x(ply).toFixed(1)} 0V${HIGH}`);
      host.setAttribute("aria-valuenow", ply);
      host.setAttribute("aria-valuetext", text);
    },
  };
}
