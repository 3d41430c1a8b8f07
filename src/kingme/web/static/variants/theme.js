// Runs after ../theme.js, before the first paint: each variant has a game of its own, with its own mode and names of squares.
{
  const { dataset } = document.documentElement;
  const name = location.pathname.slice(9);
  delete dataset.mode;
  dataset.notation = document.currentScript.dataset.notation;
  try {
    const chosen = localStorage["kingme.notation" + name];
    if (/^(numbers|letters)$/.test(chosen)) dataset.notation = chosen;
    const { mode } = JSON.parse(localStorage["kingme.game" + name]);
    if (mode === "two") dataset.mode = mode;
  } catch { /* no game yet: the usual mode */ }
}
