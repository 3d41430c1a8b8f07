// The look that a person chose on any page; theme.js puts it on before the first paint. Fires "look" when it changes.
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
