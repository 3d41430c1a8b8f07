// Runs before the first paint, so that a chosen look never flashes and nothing moves; look.js saves the choices.
const read = (name) => {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? {};
  } catch {
    return {}; // nothing readable: the usual look
  }
};
Object.assign(document.documentElement.dataset, read("kingme.look"), { mode: read("kingme.game").mode });
