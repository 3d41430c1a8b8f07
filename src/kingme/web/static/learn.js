// The overview of the lessons: how far one is in each, and where one goes on.
import { $ } from "./dom.js";
import { progress } from "./progress.js";

const links = [...document.querySelectorAll("[data-lesson]")];

function show() {
  const { last, lessons } = progress();
  const states = links.map((link) => {
    const { lesson: name, steps } = link.dataset;
    const done = (lessons[name]?.done ?? []).filter((step) => step < +steps).length;
    const whole = done === +steps;
    link.dataset.state = whole ? "done" : done || lessons[name]?.at ? "begun" : "";
    link.querySelector("small").textContent = whole ? "Done" : done ? `${done} of ${steps} steps` : `${steps} steps`;
    return { link, whole };
  });
  const finished = states.filter(({ whole }) => whole).length;
  const from = links.findIndex((link) => link.dataset.lesson === last);
  const order = [...states.slice(Math.max(from, 0)), ...states];
  const next = order.find(({ whole }) => !whole)?.link;
  const title = next?.querySelector("b").textContent;
  if (next) $("go").href = next.href;
  if (from >= 0 || finished) $("go").textContent = next ? `${next.dataset.state ? "Continue" : "Next"}: ${title}` : "Read the first lesson again";
  $("sum").textContent = finished ? `${finished} of ${links.length} lessons done` : "";
}

show();
addEventListener("pageshow", show);
addEventListener("storage", show);
