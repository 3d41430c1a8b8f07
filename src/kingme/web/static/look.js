// What all pages have: the look that a person chose on any of them, which theme.js puts on before the first paint, and
// the service worker. Fires "look" when the look changes.
const root = document.documentElement;
const settings = document.getElementById("settings");

export const look = {};
for (const input of settings.querySelectorAll("input")) {
  if (root.dataset[input.name] === input.value) input.checked = true;
  if (input.checked) look[input.name] = input.value;
}
Object.assign(root.dataset, look);

settings.addEventListener("change", ({ target: { name, value } }) => {
  look[name] = root.dataset[name] = value;
  try {
    localStorage["kingme.look"] = JSON.stringify(look);
  } catch { /* no storage here: the choice lives as long as the page */ }
  document.dispatchEvent(new Event("look"));
});

addEventListener("load", () => navigator.serviceWorker?.register("/sw.js").catch(() => {})); // so that no page needs a network later
