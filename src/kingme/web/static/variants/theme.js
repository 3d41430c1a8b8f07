// Runs after ../theme.js, before the first paint: each variant has a game of its own, with its own mode.
{
  const { dataset } = document.documentElement;
  delete dataset.mode;
  try {
    const { mode } = JSON.parse(localStorage["kingme.game" + location.pathname.slice(9)]);
    if (mode === "two") dataset.mode = mode;
  } catch { /* no game yet: the usual mode */ }
}
