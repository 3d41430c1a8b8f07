// Runs before the first paint, so that a chosen look never flashes; page.js saves the choice.
try {
  Object.assign(document.documentElement.dataset, JSON.parse(localStorage.getItem("kingme.look")));
} catch { /* nothing readable: the look of the system */ }
