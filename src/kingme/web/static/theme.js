// Runs before the first paint, so that a chosen look never flashes and nothing moves; page.js saves the choices.
const read = (name) => {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? {};
  } catch {
    return {}; // nothing readable: the usual look
  }
};
const { theme, board, notation } = read("kingme.look");
Object.assign(document.documentElement.dataset, { theme, board, notation, mode: read("kingme.game").mode });
