// ../look.js for a variant, which has names of squares of its own: they are kept for it alone. Fires "look" when it changes.
const root = document.documentElement;
const settings = document.getElementById("settings");
const own = "kingme.notation" + location.pathname.slice(9);

export const look = {};
for (const input of settings.querySelectorAll("input")) {
  if (root.dataset[input.name] === input.value) input.checked = true;
}
for (const { name, value } of settings.querySelectorAll(":checked")) look[name] = value;
Object.assign(root.dataset, look);

function kept() {
  try {
    return { ...JSON.parse(localStorage["kingme.look"]) };
  } catch {
    return {};
  }
}

settings.addEventListener("change", ({ target: { name, value } }) => {
  look[name] = root.dataset[name] = value;
  try {
    if (name === "notation") localStorage[own] = value;
    else localStorage["kingme.look"] = JSON.stringify({ ...kept(), [name]: value });
  } catch { /* no storage here: the choice lives as long as the page */ }
  document.dispatchEvent(new Event("look"));
});
