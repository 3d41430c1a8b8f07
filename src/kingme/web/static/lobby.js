// The lobby: quick games, seeks, one's own games, games to watch, and who is here.
import { $, chips, h, keep, rating, signed, told } from "./dom.js";
import { beSomebody } from "./guest.js";
import { Live } from "./live.js";
import { mini } from "./mini.js";
import { seekForm } from "./seek.js";

/** @import {GameShown, Lobby, LobbyData, Person, SeekShown} from "./types" */

/** @type {LobbyData} */
const data = told();
const live = new Live(data.version);
const SPEEDS = { bullet: "Bullet", blitz: "Blitz", rapid: "Rapid", classical: "Classical", days: "By days" };
const titles = Object.fromEntries(data.rooms.map(({ name, title }) => [name, title]));
const presets = Object.fromEntries(data.presets.map(({ name, title }) => [name, title]));
const hint = $("waiting").innerHTML;

let waiting = null; // the quick seek that is open: its clock, the games that there were before, and its id once it is known
let seen = false; // whether the lobby has shown it
let own = null; // the ids of one's own games, once they are known
let seeks = []; // the open seeks
let looked = ""; // the seek whose terms are looked at before joining

/** Says a sentence, even when it is the same again. */
function speak(text, region = "say") {
  $(region).textContent = $(region).textContent === text ? `${text}\u00a0` : text;
}

/** Asks for something as somebody; complains where that is not to be, and gives nothing then. */
async function ask(frame, complain) {
  $("wrong").textContent = $("refused").textContent = "";
  try {
    await beSomebody(live);
    return await live.ask(frame);
  } catch (error) {
    complain?.(error.message);
    speak(error.message, "alert");
    return null;
  }
}

/** Goes to a game; whoever comes back from it waits for nothing. */
function go(game) {
  wait(null);
  location.assign(`/game/${game}`);
}

// --- quick games ---

/** Shows a sentence beside the quick games; none: the usual one. */
function notice(text, wrong) {
  $("waiting").classList.toggle("wrong", !!wrong);
  if (text) $("waiting").textContent = text;
  else $("waiting").innerHTML = hint;
}

function wait(next) {
  waiting = next;
  seen = false;
  for (const button of $("quick").children) button.ariaPressed = `${button.dataset.clock === next?.clock}`;
  $("cancel").hidden = !next;
  notice(next ? `Looking for an opponent, ${next.clock} …` : "");
  document.title = next ? `Looking … – kingme` : "Lobby – kingme";
}

$("quick").addEventListener("click", async ({ target }) => {
  const clock = target.closest("button")?.dataset.clock;
  if (!clock || waiting?.clock === clock) return;
  const mine = { clock, before: own };
  const before = waiting;
  wait(mine);
  speak($("waiting").textContent);
  const { control } = data.clocks.find(({ text }) => text === clock);
  const rated = !!document.querySelector("[name=quick-rated]:checked").value && control.kind !== "unlimited";
  close(before?.seek);
  const done = await ask({ t: "pair", control, rated }, (why) => {
    if (waiting !== mine) return;
    wait(null);
    notice(why, true);
  });
  if (done?.game) go(done.game);
  else if (waiting === mine) mine.seek = done?.seek;
  else close(done?.seek); // it was called off before it was there
});
$("cancel").addEventListener("click", () => {
  const before = waiting;
  wait(null);
  speak("Cancelled.");
  $("quick").firstElementChild.focus();
  close(before?.seek);
});

/** Closes a quick seek that is wanted no more. @param {string} [seek] */
function close(seek) {
  if (seek) ask({ t: "unseek", seek }, (why) => notice(why, true));
}

// --- seeks ---

const form = seekForm(data, async (seek) => {
  const done = await ask({ t: "seek", ...seek }, (why) => { $("wrong").textContent = why; });
  if (!done) return;
  if (done.code) return location.assign(`/join/${done.code}`);
  form.close();
  $("create").focus();
  speak("Your seek is open. The game begins when somebody joins.");
});

/** @param {Person} person */
const name = (person, here) => h("span", { class: `person ${here ? "here" : "bare"}` },
  h("a", { href: `/player/${encodeURIComponent(person.name)}` }, person.name), h("small", {}, rating(person)),
  person.membership !== "none" && h("span", { class: `tag ${person.membership}` }, person.membership === "vip" ? "VIP" : "Premium"));

const tableOf = ({ room, stake }) => data.rooms.find(({ name }) => name === room)?.tables.find((table) => table.stake === stake);

/** What "5+3" means. */
const meaning = ({ kind, initial, increment }) => kind === "increment" && `${initial / 60000} min each, and ${increment / 1000} s more for every move`;

/** Why a seek is not for this person; "" when it is. @param {SeekShown} seek */
function refusal(seek) {
  if (data.guest && (seek.rated || seek.stake)) return `${seek.stake ? "A stake" : "A rated game"} needs an account.`;
  return tableOf(seek)?.refusal ?? "";
}

/** What a game is about, before one sits down for a stake or the rating. @param {SeekShown} seek */
function terms({ id, owner, preset, rated, room, stake }) {
  const cell = (value) => h("td", { class: `n ${value > 0 ? "up" : value < 0 ? "down" : ""}` }, signed(value));
  const head = (text, kind) => h("th", { scope: "col", class: kind }, text);
  const lines = tableOf({ room, stake })?.lines ?? [];
  return h("div", { class: "offer", role: "group", "aria-label": `The game with ${owner.name}` },
    h("p", {}, `${titles[room] ?? room}, ${rated ? "rated" : "casual"}, ${stake ? "stake " + stake + " chips" : "no stake"}. Draw rules: ${presets[preset]}.`),
    h("table", { class: "figures" }, h("caption", {}, "What each result brings you"),
      h("thead", {}, h("tr", {}, head("Result"), head("Chips", "n"), head("Points", "n"))),
      h("tbody", {}, ...lines.map((line) => h("tr", {}, h("th", { scope: "row" }, line.title), cell(line.chips), cell(line.points))))),
    h("p", { class: "soft" }, "Points count once each of you has made five moves, or the game is played to its end."),
    h("p", { class: "row" }, h("button", { type: "button", class: "primary", "data-act": "join", "data-seek": id }, "Join"),
      h("button", { type: "button", "data-act": "leave", "data-seek": id }, "Not now")));
}

/** @param {SeekShown & {open: boolean}} seek */
function seekRow(seek) {
  const { id, owner, text, speed, control, preset, rated, room, stake, side, yours, code, open } = seek;
  const why = yours ? "" : refusal(seek);
  const asks = rated || stake > 0;
  const words = [rated ? "rated" : "casual", preset !== "standard" && presets[preset], room !== "passport" && titles[room],
    side && `${yours ? "you play" : "plays"} ${side === "B" ? "Dark" : "Light"}`].filter(Boolean).join(", ");
  const label = [text, words, stake > 0 && `stake ${stake}`].filter(Boolean).join(", ");
  const what = yours ? "Close your seek" : `Join ${owner.name}`;
  return h("li", { class: yours ? "own" : null },
    h("span", { class: "what", title: meaning(control) }, h("b", {}, text), control.kind === "increment" && h("small", {}, SPEEDS[speed])),
    h("span", { class: "who" }, yours ? h("b", {}, code ? "Your private link" : "Your seek") : name(owner),
      h("small", { class: "soft" }, words, stake > 0 && ", ", stake > 0 && chips(stake)),
      why && h("small", { class: "why" }, why)),
    !open && h("span", { class: "end row" }, code && h("a", { class: "button", href: `/join/${code}` }, "Show"),
      why && data.guest && h("a", { class: "button", href: "/account?next=/lobby" }, "Sign in"),
      !why && h("button", { type: "button", "data-act": yours ? "close" : asks ? "look" : "join", "data-seek": id, class: yours ? null : "primary",
        "aria-label": `${what}: ${label}`, "aria-expanded": !yours && asks ? "false" : null }, yours ? "Close" : asks ? "Join …" : "Join")),
    open && terms(seek));
}

function drawSeeks() {
  const rows = [...seeks.filter(({ yours }) => yours), ...seeks.filter(({ yours }) => !yours)];
  keep($("seeks"), rows.map((seek) => ({ ...seek, open: seek.id === looked })), ({ id }) => id, seekRow);
}

/** Opens the terms of a seek, or closes them. */
function unfold(seek, on) {
  looked = on ? seek : "";
  drawSeeks();
  const row = $("seeks").querySelector(`[data-key="${seek}"]`);
  row?.querySelector(`[data-act="${on ? "leave" : "look"}"]`)?.focus();
  if (!on) return;
  row.scrollIntoView({ block: "nearest" });
  speak(row.querySelector(".offer p").textContent);
}

$("seeks").addEventListener("click", async ({ target }) => {
  const { act, seek } = target.dataset;
  if (!act || target.ariaDisabled === "true") return;
  if (act === "look" || act === "leave") return unfold(seek, act === "look");
  target.ariaDisabled = true;
  const done = await ask({ t: act === "join" ? "join" : "unseek", seek }, (why) => {
    $("refused").textContent = why;
    $("refused").scrollIntoView({ block: "nearest" });
  });
  if (done?.game) go(done.game);
  else target.ariaDisabled = false;
});

// --- games ---

/** @param {GameShown} game */
function gameCard({ id, black, white, text, plies, stake, fen, last }) {
  const you = live.you?.id === black.id ? "B" : live.you?.id === white.id ? "W" : null;
  const turn = fen[0] === you;
  const player = (person, side) => h("span", { class: "player" }, h("i", { class: `dot-${side}` }), h("b", {}, person.name), ` ${rating(person)}`);
  return h("li", {}, h("a", { href: `/game/${id}`, class: turn ? "turn" : null },
    mini(fen, you ?? "W", last),
    h("span", { class: "about" }, player(you === "W" ? black : white, you === "W" ? "B" : "W"), player(you === "W" ? white : black, you === "W" ? "W" : "B"),
      h("small", { class: "soft" }, you ? (turn ? "Your turn" : "Waiting") : `${Math.ceil(plies / 2)} ${plies > 2 || !plies ? "moves" : "move"}`, `, ${text}`, stake > 0 && ", ", stake > 0 && chips(stake)))));
}

live.addEventListener("lobby", ({ detail }) => {
  /** @type {Lobby} */
  const { games, online, mine, people, playing } = detail;
  live.done("lobby");
  own = new Set(mine.map(({ id }) => id));
  seeks = detail.seeks;
  drawSeeks();
  keep($("games"), games.filter(({ id }) => !own.has(id)), ({ id }) => id, gameCard);
  keep($("mine"), mine, ({ id }) => id, gameCard);
  keep($("online"), online, ({ id }) => `${id}`, (person) => h("li", {}, name(person, true)));
  $("mine-card").hidden = !mine.length;
  $("seeks").dataset.empty = "No open seeks just now. Create one, and everybody here sees it.";
  $("games").dataset.empty = "No games just now.";
  $("online").dataset.empty = "Nobody but you.";
  const here = Math.max(1, people + !live.you); // whoever looks is here too
  $("crowd").textContent = `${here} ${here === 1 ? "person" : "people"} here, ${playing} ${playing === 1 ? "game" : "games"} being played`;
  if (waiting) waiting.before ??= own;
  if (waiting?.seek) {
    const open = seeks.some(({ id }) => id === waiting.seek);
    const begun = mine.find(({ id }) => !waiting.before.has(id));
    if (!open && begun) go(begun.id); // the word of it was lost
    else if (seen && !open) wait(null);
    seen ||= open;
  }
});
live.want("lobby", () => ({ t: "watch" }));
live.addEventListener("paired", ({ detail }) => {
  if (waiting || !document.hidden) go(detail.game);
});
live.addEventListener("state", () => {
  const offline = live.state === "offline" || live.state === "ended";
  document.body.toggleAttribute("data-offline", offline);
  if (offline) $("crowd").textContent = live.state === "ended" ? "This page is out of date. Reload it." : `Offline, last contact ${new Date(live.heard).toLocaleTimeString()}. The page connects again by itself.`;
});
