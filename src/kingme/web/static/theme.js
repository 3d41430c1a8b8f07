// Runs before the first paint, so that a chosen look never flashes and nothing moves; look.js saves the choices.
for (const key of ["look", "game"]) {
  try {
    const kept = JSON.parse(localStorage["kingme." + key]);
    for (const name in kept) if (/^(theme|board|notation|mode)$/.test(name)) document.documentElement.dataset[name] = kept[name];
  } catch { /* nothing readable: the usual look */ }
}
