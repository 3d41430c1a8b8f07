// The page of a live game: what the server tells is shown, what the player does is sent, and shown at once as not yet confirmed.
import "./board.js";
import { Clocks, left, reasonOf, spoken, whole } from "./clock.js";
import { $, h, told } from "./dom.js";
import { Live } from "./live.js";
import { look } from "./look.js";
import { FIELD, after, played, startLimit } from "./match.js";
import { claims, drawCount, legalMoves, moveText, other } from "./rules.js";
import { broughtWords, halt, seatStates, settle, sit, tick } from "./seats.js";
import { drawNote, moveList, moveSentence, numberOf, resultSentence } from "./speech.js";
import { makeTalk } from "./talk.js";

/** @import {GameEvent, GameView, Line, Presence} from "./types" */

/** How long a move may be on its way before the page says so. */
const SLOW = 500;
const HOUR = 3600000;

const data = told();
/** @type {GameView} */ let game = data.game;
/** @type {Line} */ let line = played(game);
const { you, id } = game;
const preset = data.preset;
const limit = startLimit(game);
const rival = you && game[FIELD[other(you)]];
const board = $("board");
const panel = $("panel");
const live = new Live(data.version);
const clocks = new Clocks({ now: () => live.now, show: tick, warn: (seconds) => speak(`${spoken(seconds * 1000)} left.`) }, you, game.control.initial);

let pending = null; // the move that is not confirmed yet: its ply, text, line, and the clock as it stood
let view = null; // the ply that is looked at; null: the game as it stands
let asking = ""; // what the player is asked about: resign, abort or claim
let busy = ""; // the command that waits for its answer
let delay = ""; // why an answer takes so long
/** @type {?Presence} */ let presence = null;
let met = false; // whether the opponent has been here: nobody comes back who was not
let bottom = you ?? "B";
let away = false; // the connection is lost

const playing = () => game.status === "playing";
/** The game as the player sees it: with the move that is on its way. */
const seen = () => pending?.line ?? line;
const now = () => seen().positions[seen().moves.length];
const mine = () => playing() && !pending && now().turn === you;
const nameOf = (side) => (side === you ? "You" : game[FIELD[side]].name);
const turnWords = () => (!playing() ? "The game is over." : now().turn === you ? "Your turn." : `${game[FIELD[now().turn]].name}’s turn.`);
const sentence = (ply) => (ply ? moveSentence(seen().positions[ply - 1].turn, seen().moves[ply - 1], look.notation) : "No move yet.");
const verdict = () => {
  const { outcome, status, black, white } = game;
  const names = { B: black.name, W: white.name };
  return status === "aborted" ? outcome.text : resultSentence({ ...outcome, reason: reasonOf(outcome, names) }, preset, names);
};
const claimable = () => {
  const { progress, moves } = claims(line.positions, line.moves, preset);
  return mine() && (progress || moves.length) ? { progress, move: progress ? undefined : moves[0] } : null;
};
/** What is left until a time, while it is counted down. */
const until = (at) => whole(Math.max(0, at - live.now) + 999);

/** Says a sentence, even when it is the same again. */
function speak(text, region = "say") {
  $(region).textContent = $(region).textContent === text ? `${text}\u00a0` : text;
}

/** Shows a message and says it. */
function tell(text, region = "alert") {
  words = text;
  if (text) speak(text, region);
  drawWords();
}
let words = "";

/** Asks the server for something; gives whether it was done. */
async function act(what, more = {}) {
  busy = what;
  words = "";
  draw();
  try {
    await live.ask({ t: "do", game: id, what, ...more });
    delay = "";
    return true;
  } catch (error) {
    tell(error.message);
    if (error.version > game.version) follow();
    return false;
  } finally {
    busy = "";
    draw();
  }
}

/** Plays a move: it stands on the board at once, and goes back where the server refuses it. */
async function move(text) {
  const ply = game.moves.length;
  const sent = pending = { ply, text, line: played({ ...game, moves: [...game.moves, text] }, line), at: Date.now(),
    clock: { left: ["B", "W"].map((side) => left(game.clock, side, live.now)), running: null, since: null } };
  view = null;
  asking = "";
  tell("");
  draw(true);
  setTimeout(drawWords, SLOW);
  try {
    await live.ask({ t: "do", game: id, what: "play", ply, move: text });
    sent.sure = true;
    delay = "";
  } catch (error) {
    if (pending === sent) pending = null;
    draw();
    tell(error.message);
    if (error.version > game.version) follow();
  }
  draw();
}

// --- what the server tells ---

/** Asks for what happened after what is known. */
const follow = () => live.want(id, () => ({ t: "follow", game: id, version: game.version }));

/** What an event says to the player, if anything. @param {GameEvent} event */
function news({ kind, side, phrase, text, claimed, on }) {
  const who = side && nameOf(side);
  const theirs = side !== you;
  return {
    moved: theirs && sentence(line.moves.length),
    draw_offered: theirs && `${who} ${you ? "offers" : "offered"} a draw.`,
    draw_declined: theirs && `${who} declined the draw.`,
    takeback_offered: theirs && `${who} asks to take back a move.`,
    takeback_declined: theirs && `${who} declined: the move stands.`,
    taken_back: "Taken back.",
    rematch_offered: theirs && `${who} would like a rematch.`,
    rematched: !you && "The rematch begins.",
    rematch_declined: theirs && `${who} declined the rematch.`,
    chat_set: theirs && on && `${who} has switched the chat on.`,
    said: theirs && game.chat && `${who}: ${talk.words({ phrase, text })}`,
    clock_shifted: "The server was away. Nobody’s time ran.",
    deserted: claimed && "",
  }[kind] || "";
}

/** Takes events in their order. */
function hear({ game: of, after: from, events, clock }) {
  if (of !== id) return;
  if (from > game.version) return follow();
  live.done(id);
  const fresh = events.slice(game.version - from);
  if (!fresh.length) return;
  const was = { status: game.status, plies: seen().moves.length, moves: game.moves };
  const said = [];
  for (const event of fresh) {
    game = after(game, event);
    line = played(game, pending?.line ?? line);
    said.push(news(event));
  }
  game = { ...game, clock };
  if (pending && (!playing() || game.moves.length !== pending.ply)) pending = null;
  const over = was.status === "playing" && !playing();
  if (over) [asking, words, view] = ["", "", null];
  if (fresh.some(({ kind }) => kind === "moved" || kind === "taken_back")) asking = words = "";
  draw(game.moves.length === was.plies + 1 && view === null);
  const text = said.filter(Boolean).join(" ");
  const moved = game.moves !== was.moves;
  if (over) return speak(`${text} ${verdict()}`.trim(), "alert");
  if (view !== null && moved) words = `The game has gone on. ${text}`;
  else if (!moved && fresh.some(({ kind }) => kind !== "said")) words = question() ? "" : text; // a question speaks for itself
  if (text) speak(moved && now().turn === you ? [text, turnWords(), ...advice()].join(" ") : text);
  drawWords();
  if (you && game.next && was.status !== "playing") location.assign(`/game/${game.next}`);
}

live.addEventListener("welcome", () => {
  const side = Object.keys(FIELD).find((one) => game[FIELD[one]].id === live.you?.id) ?? null;
  if (side !== you) location.reload(); // signed in or out on another page
});
follow();
live.addEventListener("events", ({ detail }) => hear(detail));
live.addEventListener("game", ({ detail }) => {
  if (detail.game.id !== id) return;
  live.done(id);
  const before = game;
  game = detail.game;
  line = played(game, line);
  if (pending && (!playing() || game.moves.length !== pending.ply)) pending = null;
  if (!playing() && before.status === "playing") [asking, view] = ["", null];
  if (before.version !== game.version) words = "";
  draw();
  if (before.version !== game.version && `${before.moves}` !== `${game.moves}`) speak(`${sentence(game.moves.length)} ${playing() ? turnWords() : verdict()}`);
});
live.addEventListener("presence", ({ detail }) => {
  if (detail.game !== id) return;
  const side = you && other(you);
  const was = presence?.[FIELD[side]];
  presence = detail;
  draw();
  const news = was !== undefined && was !== presence[FIELD[side]] && (was || met);
  met ||= !!was || game.moves.length > 0 || presence[FIELD[side]];
  if (you && playing() && news) speak(`${rival.name} ${was ? "is away" : "is back"}.`);
});
live.addEventListener("state", () => {
  const back = live.online && away;
  away = live.state === "offline";
  if (back) words = "";
  if (away) speak("Offline. The page connects again by itself.");
  else if (back) speak("Connected again.");
  delay = "";
  draw();
});
live.addEventListener("delay", ({ detail }) => {
  delay = detail.message;
  drawWords();
});
live.addEventListener("no", ({ detail }) => detail.game === id && tell(detail.message));
live.addEventListener("release", () => { delay = "kingme has a new release. Reload the page when it suits you."; });
live.addEventListener("paired", ({ detail }) => {
  if (detail.game !== id && detail.game !== game.next) tell("Another game of yours has begun: it is in the lobby.", "say");
});

// --- what is shown ---

/** What the rules have to say now. */
const advice = () => [drawNote(drawCount(line.positions, line.moves, preset), preset, claimable()),
  mine() && legalMoves(now())[0]?.captures[0] && "A jump is compulsory."].filter(Boolean);

/** Whether nothing that is asked now would reach the server. */
const lost = () => live.state === "offline" || live.state === "ended";

/** What the player should know, the most pressing first. */
function notes() {
  if (!playing()) return [you && game.settled && game.outcome && broughtWords(game)].filter(Boolean);
  const own = (offer) => offer === you && you;
  const wait = limit !== null && limit < HOUR && game.clock.running === null && !pending ? until(game.clock.since + limit) : "";
  return [
    presence?.gone && presence.gone !== you && you && presence.claimable > live.now
      && `${rival.name} is away. You can claim the game in ${until(presence.claimable)}.`,
    own(game.draw) && `You offer a draw. It stands until ${rival.name} answers or moves.`,
    own(game.takeback) && `You ask to take back. ${rival.name} can answer or move on.`,
    wait && you && game.moves.length < 2 && (mine() ? `${wait} left to begin.` : `${nameOf(now().turn)} has ${wait} to begin.`),
    ...advice(),
    mine() && !game.moves.length && "Choose a ringed piece, then its landing.",
  ].filter(Boolean);
}

/** The note under the headline. */
function note() {
  if (live.state === "ended") return live.reason === "too_many" ? "Too many pages are open. Close some, then reload this one." : "This page is out of date. Reload it.";
  if (live.state === "offline") {
    const then = pending ? "Your move is kept and will be sent." : busy ? "What you asked is kept and will be sent." : playing() ? "The game goes on at the server." : "";
    return `Offline, last contact ${new Date(live.heard).toLocaleTimeString()}. ${then}`;
  }
  if (delay) return delay;
  if (view !== null) return view ? `Viewing move ${numberOf(line, view)}, ${moveText(line.moves[view - 1], look.notation)}.` : "Viewing the start.";
  if (pending && !pending.sure && Date.now() - pending.at >= SLOW) return "Your move is on its way, not confirmed yet.";
  return notes()[0] ?? "";
}

const again = () => (game.stake ? `, stake ${game.stake} chips again` : "");
/** What resigning takes from the player, as a sentence. */
function cost() {
  const chips = -Math.floor((game.stake * (game.terms.chips?.resignation ?? 0)) / 100);
  const parts = [chips > 0 && `${chips} chips`, game.rated && "rating"].filter(Boolean);
  return parts.length ? ` It costs you ${parts.join(" and ")}.` : "";
}

/** What the player is asked, with the answers: a label, and what it does; the first one is the yes. */
function question() {
  if (!you) return null;
  const no = ["Play on", () => { asking = ""; draw(); board.focus(); }];
  const yes = (label, what, more) => [label, () => { asking = ""; act(what, more); }];
  const theirs = other(you);
  const reason = asking === "claim" ? claimable() : null;
  if (asking === "resign") return [`Resign this game? ${rival.name} wins then.${cost()}`, yes("Resign", "resign"), no];
  if (asking === "abort") return ["Call the game off? Nobody wins or loses.", yes("Call off", "abort"), no];
  if (reason) {
    const why = reason.progress ? verdictOf("no_progress") : `With ${reason.move} the position comes up for the third time.`;
    return [why, yes("Claim draw", "claim_draw", reason.move ? { move: reason.move } : {}), no];
  }
  if (game.draw === theirs) return [`${rival.name} offers a draw.`, yes("Accept draw", "accept_draw"), yes("Decline", "decline_draw")];
  if (game.takeback === theirs) {
    const turn = line.positions[line.moves.length].turn;
    return [`${rival.name} asks to take back ${turn === you ? "the last move" : "two moves"}.`, yes("Allow", "accept_takeback"), yes("Decline", "decline_takeback")];
  }
  if (game.rematch === theirs && !game.next) return [`${rival.name} would like a rematch${again()}.`, yes("Accept rematch", "accept_rematch"), yes("Decline", "decline_rematch")];
  if (playing() && presence?.gone === theirs && presence.claimable <= live.now) {
    return [`${rival.name} has been away for too long.`, yes("Claim the win", "claim_gone", { claim: "win" }), yes("Claim a draw", "claim_gone", { claim: "draw" })];
  }
  return null;
}

const verdictOf = (termination) => resultSentence({ winner: null, termination }, preset).replace(/.*draw. /, "");

let asked = ""; // the question on the page
function drawWords() {
  const found = question();
  const text = note();
  if ($("note").textContent !== text) $("note").textContent = text;
  $("message").textContent = words || (!playing() && view === null ? verdict() : "");
  $("question").textContent = found ? words || found[0] : "";
  panel.toggleAttribute("data-asked", !!found);
  const mark = found ? found[0] : "";
  if (mark !== asked) {
    asked = mark;
    $("asked").hidden = !found;
    $("answers").replaceChildren(...(found ?? ["", []]).slice(1).filter(([label]) => label).map(([label, run], i) => {
      const button = h("button", { type: "button", class: i ? null : asking === "resign" ? "primary danger" : "primary" }, label);
      button.addEventListener("click", () => button.ariaDisabled === "true" || run());
      return button;
    }));
    if (found && asking) $("answers").lastElementChild.focus();
  }
  for (const button of $("answers").children) button.ariaDisabled = `${lost() && button.textContent !== "Play on"}`;
}

/** What the status says: in one or two words. */
function status() {
  const { winner } = game.outcome ?? {};
  if (playing()) return turnWords().slice(0, -1);
  if (game.status === "aborted") return "Called off";
  return !winner ? "Draw" : winner === you ? "You win" : you ? "You lose" : `${nameOf(winner)} wins`;
}

let drawn = []; // what the board shows

/** Draws everything; grown: the last move is new. */
function draw(grown) {
  const { positions, moves } = seen();
  const ply = view ?? moves.length;
  const position = positions[ply];
  const last = moves[ply - 1] ?? null;
  const free = mine() && view === null;
  const still = !live.online && live.state !== "connecting";
  const clock = pending?.clock ?? game.clock;
  const refusal = !you ? "You are watching this game." : view === null ? turnWords() : "This is an earlier position. Go back to the game to move.";
  const mark = [position, last, bottom, look.notation, free, refusal];
  // What is shown already is left alone: a piece may be on its way, or a route begun.
  if (mark.some((part, i) => part !== drawn[i])) {
    board.show({ position, moves: free ? legalMoves(position) : [], last, bottom, style: look.notation, lastWords: sentence(ply), refusal,
      get turnWords() { return `${game.control.kind === "unlimited" ? "There are no clocks." : clocks.words({ B: nameOf("B"), W: nameOf("W") })} ${turnWords()}`; } }, grown && last);
  }
  drawn = mark;
  board.toggleAttribute("data-pending", !!pending && !pending.sure);
  clocks.set(clock, still);
  halt(still, clock.running);
  sit(game, bottom);
  seatStates(position, playing() ? now().turn : null, live.online ? presence : null);
  settle(game);
  $("status").textContent = status();
  document.title = `${status()} – ${game.black.name} – ${game.white.name} – kingme`;
  $("watchers").textContent = presence?.watchers ? `${presence.watchers} watching` : "";
  Object.assign(panel.dataset, { now: view !== null ? "back" : "", state: live.state });
  list({ positions, moves }, ply, look.notation);
  buttons(ply, moves.length);
  drawWords();
  if (game.chat) talk.draw(game);
}

/** Which buttons are there, and which can be used. */
function buttons(ply, plies) {
  const use = { first: ply, previous: ply, next: view !== null, latest: view !== null };
  if (you) {
    const early = game.moves.length < 2;
    const own = (offer) => offer === you;
    const moved = game.moves.length > (line.positions[0].turn === you ? 0 : 1);
    const shown = { abort: playing() && early, resign: playing() && !early, draw: playing() && preset.agreement && !claimable(), takeback: playing(),
      claim: playing() && claimable(), rematch: game.status !== "playing" && !game.next && game.rematch !== other(you), lobby: !playing(), "next-game": game.next };
    for (const name in shown) $(name).hidden = !shown[name];
    Object.assign(use, { draw: !own(game.draw) && game.draw === null, takeback: !own(game.takeback) && moved && !pending, rematch: !own(game.rematch),
      abort: true, resign: true, claim: true });
    $("draw").textContent = own(game.draw) ? "Draw offered" : "Offer draw";
    $("rematch").textContent = own(game.rematch) ? "Rematch offered" : "Rematch";
    for (const name in use) if ((busy || lost()) && name in shown) use[name] = false;
  }
  $("review").hidden = playing();
  if (game.next) {
    $("next-game").hidden = false;
    $("next-game").href = `/game/${game.next}`;
  }
  for (const name in use) $(name).ariaDisabled = !use[name];
}

/** Looks at the position after so many plies. */
function visit(ply) {
  view = ply < seen().moves.length ? Math.max(ply, 0) : null;
  words = "";
  draw();
  speak(view === null ? turnWords() : sentence(view));
}

const list = moveList($("moves"), visit);
const talk = you && makeTalk(data, act, (text) => tell(text, "say"));
talk?.begin(game);

/** What the buttons do, by their ids. */
const actions = {
  first: () => visit(0),
  previous: () => visit((view ?? seen().moves.length) - 1),
  next: () => visit(view + 1),
  latest: () => visit(Infinity),
  back: () => visit(Infinity),
  flip() {
    bottom = other(bottom);
    draw();
  },
  draw: () => act("offer_draw"),
  takeback: () => act("offer_takeback"),
  rematch: () => act("offer_rematch"),
  resign: () => ask("resign"),
  abort: () => ask("abort"),
  claim: () => ask("claim"),
};

function ask(what) {
  asking = what;
  words = "";
  draw();
  speak(question()?.[0] ?? "");
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (!button || button.ariaDisabled === "true") return;
  actions[button.id]?.();
  if (!button.offsetParent && actions[button.id]) board.focus(); // it has gone
});
document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape" || !asking) return;
  asking = "";
  draw();
});
// Going away on purpose from a game that is played: the opponent need not wait long.
for (const link of document.querySelectorAll("header a, #lobby")) link.addEventListener("click", ({ ctrlKey, metaKey, shiftKey }) => {
  if (you && !ctrlKey && !metaKey && !shiftKey) live.send({ t: "unfollow", game: id, leaving: playing() });
});

$("typed")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const input = $("move");
  try {
    if (!mine() || view !== null) throw Error(view === null ? turnWords() : "Go back to the game to move.");
    const { parseMove } = await import("./notation.js");
    move(parseMove(now(), input.value).text);
    input.value = "";
  } catch (error) {
    tell(error.message);
  }
});

board.addEventListener("move", ({ detail }) => move(detail.text));
board.addEventListener("say", ({ detail: { text, read } }) => (read ? speak(text) : tell(text)));
document.addEventListener("look", () => draw());
setInterval(() => playing() && drawWords(), 1000); // what is counted down
draw();
