// Elements by their ids, made from texts that are never read as HTML, and lists that change without losing the focus.
export const $ = (id) => document.getElementById(id);

/** What the server tells this page. */
export const told = () => JSON.parse($("kingme-data").textContent);

/** Makes an element; attributes that are null or false are left out. @param {string} name @param {object} [attributes] @param {...(Node|string|null|false)} children @returns {HTMLElement} */
export function h(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== false && value !== undefined) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child || child === 0));
  return node;
}

/** A sign of icons.html. */
export function icon(name, kind = "") {
  const box = document.createElement("template");
  box.innerHTML = `<svg aria-hidden="true" class="${kind}"><use href="#i-${name}"/></svg>`;
  return box.content.firstChild;
}

/** An amount of chips, as a number or with its sign. @param {number|string} amount */
export const chips = (amount) => h("span", { class: "chipped" }, `${amount}`, icon("chip", "coin"), h("span", { class: "unseen" }, " chips"));

/** "+12", "−8", "0". */
export const signed = (amount) => (amount > 0 ? `+${amount}` : amount < 0 ? `−${-amount}` : "0");

/** "1512?", the question mark while it is provisional; "" without one. */
export const rating = ({ rating: value, provisional }) => (value === null || value === undefined ? "" : `${value}${provisional ? "?" : ""}`);

const marks = new WeakMap(); // what a child of a list shows

/** Shows items as the children of a list; those that are as before stay the same elements. @template T @param {HTMLElement} host @param {T[]} items @param {(item: T) => string} key @param {(item: T) => HTMLElement} draw */
export function keep(host, items, key, draw) {
  const old = new Map([...host.children].map((node) => [node.dataset.key, node]));
  items.forEach((item, i) => {
    const name = key(item);
    const mark = JSON.stringify(item);
    let node = old.get(name);
    old.delete(name);
    if (!node || marks.get(node) !== mark) {
      const fresh = draw(item);
      fresh.dataset.key = name;
      marks.set(fresh, mark);
      if (node?.contains(document.activeElement)) refocus(node, fresh);
      else node?.replaceWith(fresh);
      node = fresh;
    }
    if (host.children[i] !== node) host.insertBefore(node, host.children[i] ?? null);
  });
  for (const node of old.values()) node.remove();
}

/** Puts an element in the place of another and the focus where it was, if that is still there. */
function refocus(node, fresh) {
  const hook = document.activeElement.dataset.act;
  node.replaceWith(fresh);
  (fresh.querySelector(`[data-act="${hook}"]`) ?? fresh.querySelector("a, button"))?.focus({ preventScroll: true });
}

/** Asks the server over HTTP; throws an Error with a sentence for the person, `away` where no server answered. */
export async function post(address, body = {}) {
  const answer = await fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }).catch(() => null);
  if (answer?.ok) return answer.status === 204 ? {} : answer.json().catch(() => ({}));
  const problem = await answer?.json().catch(() => null);
  throw Object.assign(Error(problem?.error?.message ?? "The server cannot be reached just now. Try again."), { away: !problem });
}
