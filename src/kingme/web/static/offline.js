// The service worker: keeps the play page, that of analysis and all that they load for when there is no network. The server puts the list
// before it, with a name for this very version; sockets, the API and other pages are none of its business.

/** How long the network may take before what is kept is shown, ms. */
const PATIENCE = 4000;
const { name, files } = SHELL;
const kept = `kingme-${name}`;

addEventListener("install", (event) => event.waitUntil((async () => {
  const cache = await caches.open(kept);
  await cache.addAll(files.map((file) => new Request(file, { cache: "no-cache" })));
  await skipWaiting();
})()));

addEventListener("activate", (event) => event.waitUntil((async () => {
  const old = (await caches.keys()).filter((key) => key.startsWith("kingme-") && key !== kept);
  await Promise.all(old.map((key) => caches.delete(key)));
  await clients.claim();
})()));

/** What the network says, or what is kept where it says nothing in time. */
async function answer(request, path) {
  const late = new Promise((done) => { setTimeout(done, PATIENCE); });
  const coming = fetch(request).catch(() => null);
  const known = (await caches.open(kept)).match(path);
  return await Promise.race([coming, late]) ?? await known ?? await coming ?? Response.error();
}

addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (event.request.method === "GET" && origin === location.origin && files.includes(pathname)) event.respondWith(answer(event.request, pathname));
});
