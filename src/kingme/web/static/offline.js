// The service worker, which look.js registers: keeps pages for when there is no network. Those that play and analyse,
// with the scripts of all, are kept at once; others as they are visited, and with a lesson the whole course. The server
// puts before it what to keep and the name of its release. Nothing of two releases is ever mixed. Sockets and the API are
// none of its business.

/** How long the network may take before what is kept is shown, ms. */
const PATIENCE = 4000;
/** How many puzzles are kept, the latest. */
const PUZZLES = 60;

const { name, header, files, visited, course } = KEPT;
const store = () => caches.open(`kingme-${name}`);
const ours = (answer) => answer.headers.get(header) === name;
const late = () => new Promise((done) => { setTimeout(done, PATIENCE); });
const below = (path) => (start) => path === start || path.startsWith(`${start}/`);

/** Where pages came from that are not simply of this release over the network, by their ids: "kept", or "other" for
 *  another release. @type {Map<string, string>} */
const origins = new Map();

addEventListener("install", (event) => event.waitUntil((async () => {
  const answers = await Promise.all(files.map((file) => fetch(file, { cache: "no-cache" })));
  if (!answers.every((answer) => answer.ok && ours(answer))) throw Error("not all of one release"); // the browser tries again
  const cache = await store();
  await Promise.all(answers.map((answer, i) => cache.put(files[i], answer)));
  await renew(cache);
  await skipWaiting();
})()));

addEventListener("activate", (event) => event.waitUntil((async () => {
  const old = (await caches.keys()).filter((key) => key.startsWith("kingme-") && key !== `kingme-${name}`);
  await Promise.all(old.map((key) => caches.delete(key)));
  await clients.claim();
})()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname: path, search } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  const page = request.mode === "navigate";
  const kept = files.includes(path) || (page ? visited.some(below(path)) : path.startsWith("/static/variants/"));
  if (!page && !kept) return;
  const coming = fetch(request).catch(() => null);
  const passing = kept && !search && !files.includes(path); // kept as it is seen, and copied before it is used up
  if (passing) event.waitUntil(coming.then((answer) => keep(path, answer)).catch(() => {}));
  event.respondWith(page ? opened(event, path, kept, coming) : loaded(event, path, coming));
});

/** A page: the network's; where there is none the kept one, or the page that says so. */
async function opened({ resultingClientId: id }, path, kept, coming) {
  const known = kept && await (await store()).match(path);
  const answer = await (known ? Promise.race([coming, late()]) : coming);
  if (answer && (answer.status < 500 || !known)) { // a server that is away, or stops, is as no network
    if (answer.type === "basic" && !ours(answer)) origins.set(id, "other");
    return answer;
  }
  origins.set(id, "kept");
  return known || await (await store()).match("/offline") || Response.error();
}

/** What a page loads, of the same release as the page. */
async function loaded({ request, clientId, resultingClientId }, path, coming) {
  const origin = origins.get(clientId);
  if (origin && resultingClientId) origins.set(resultingClientId, origin); // a worker is as its page
  const known = origin === "other" ? null : await (await store()).match(path);
  if (known && origin === "kept") return known;
  const answer = await (known ? Promise.race([coming, late()]) : coming);
  return (answer && (!known || (answer.ok && ours(answer))) && answer) || known || Response.error();
}

/** Keeps what the network said, if it is whole and of this release. */
async function keep(path, answer) {
  if (!answer?.ok || answer.redirected || !ours(answer)) return;
  const copy = answer.clone();
  const cache = await store();
  await cache.put(path, copy);
  if (path.startsWith("/puzzles/")) await forget(cache);
  if (course.includes(path)) await ahead(cache);
}

/** Forgets the puzzles that were kept first, where there are too many. */
async function forget(cache) {
  const known = (await cache.keys()).filter(({ url }) => new URL(url).pathname.startsWith("/puzzles/"));
  await Promise.all(known.slice(0, -PUZZLES).map((old) => cache.delete(old)));
}

/** Who opens one lesson gets all; together they are as large as a photograph. */
const ahead = (cache) => navigator.connection?.saveData || fill(cache, course);

/** Pages that are open now are kept as if they were visited now, and what an older release kept of others is kept too. */
async function renew(cache) {
  const known = [...await clients.matchAll({ includeUncontrolled: true })];
  for (const key of await caches.keys()) if (key.startsWith("kingme-")) known.push(...await (await caches.open(key)).keys());
  const paths = known.map(({ url }) => new URL(url).pathname).filter((path) => visited.some(below(path)));
  await fill(cache, paths);
  if (paths.some((path) => course.includes(path))) await ahead(cache);
}

/** Keeps pages that are not kept yet, one after the other, as long as the network gives them. */
async function fill(cache, paths) {
  for (const path of paths) {
    if (await cache.match(path)) continue;
    const answer = await fetch(path).catch(() => null);
    if (!answer) return;
    if (answer.ok && ours(answer)) await cache.put(path, answer);
  }
}
