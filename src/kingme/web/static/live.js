// The live connection: one WebSocket that comes back by itself and never loses what was asked.
// It fires "state" when it is there or gone, "welcome" each time the server knows who is here, and every other frame by its name.

/** @import {Ack, Frame, Person} from "./types" */

const PING = 2500;
const STALE = 9000;
const AGAIN = 2500;
/** Refusals by which nothing was decided: the same frame is sent again. */
const LATER = ["storage", "busy", "too_fast", "stopping"];

/** What the server turned down; the message is for the person. */
export class Refused extends Error {
  constructor({ code, message, version }) {
    super(message);
    Object.assign(this, { code, version });
  }
}

const fresh = () => [...crypto.getRandomValues(new Uint32Array(3))].map((n) => n.toString(36)).join("");

export class Live extends EventTarget {
  /** Who one is, as the server says; null for a visitor. @type {?Person} */
  you = null;
  /** connecting: not heard from yet; online; offline; ended: the server does not want this page back. */
  state = "connecting";
  /** Why it ended. */
  reason = "";
  /** When the server was last heard, by this machine's clock. */
  heard = Date.now();
  #socket = null;
  #asked = new Map(); // id to what waits for an answer, in the order of asking
  #wanted = new Map(); // what is followed, by name: how to ask for it, and whether that was answered on this connection
  #low = -Infinity; // bounds of what the server's clock is ahead of this machine's
  #high = Infinity;
  #sent = 0; // when the ping on its way was sent
  #began = 0; // when the connection was begun
  #pong = { at: 0, heard: 0 };
  #tries = 0;
  #retry = 0; // when to connect next

  /** @param {string} release the release that this page is of */
  constructor(release) {
    super();
    this.release = release;
    const tick = () => this.#tick();
    try {
      const pulse = new Worker("/static/pulse.js");
      pulse.onmessage = tick;
      pulse.onerror = () => setInterval(tick, 500);
    } catch {
      setInterval(tick, 500);
    }
    addEventListener("offline", () => this.#lose());
    addEventListener("online", () => this.#hurry());
    addEventListener("pagehide", () => this.#drop());
    addEventListener("pageshow", ({ persisted }) => persisted && this.#hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.#hurry());
    this.#connect();
  }

  get online() {
    return this.state === "online";
  }

  /** Whether the connection there is takes frames: one that is renewed does not yet. */
  get #ready() {
    return this.online && this.#socket?.readyState === WebSocket.OPEN;
  }

  /** The server's time, ms since the epoch. */
  get now() {
    return Date.now() + (this.#high === Infinity ? 0 : (this.#low + this.#high) / 2);
  }

  /** Sends a frame that needs no answer, if the server is there. @param {Frame} frame */
  send(frame) {
    if (this.#ready) this.#socket.send(JSON.stringify(frame));
  }

  /** Sends a frame until the server answers, over as many connections as it takes. @param {Frame} frame @returns {Promise<Ack>} */
  ask(frame) {
    return new Promise((resolve, reject) => {
      const id = fresh();
      this.#asked.set(id, { frame: { ...frame, id }, resolve, reject, sent: 0 });
      this.#flush();
    });
  }

  /** Asks for something that is followed, on every connection, until it is done. @param {string} name @param {() => Frame} make */
  want(name, make) {
    this.#wanted.set(name, { make, open: true, sent: 0 });
    this.#flush();
  }

  /** What is wanted is there. @param {string} name */
  done(name) {
    const wanted = this.#wanted.get(name);
    if (wanted) wanted.open = false;
  }

  /** Connects anew, as whoever one is now. */
  renew() {
    const known = new Promise((done) => { this.addEventListener("welcome", done, { once: true }); });
    this.#drop();
    this.#connect();
    return known;
  }

  #fire(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #become(state) {
    if (this.state === state) return;
    this.state = state;
    this.#fire("state");
  }

  #connect() {
    this.#began = Date.now();
    this.#retry = Infinity;
    const socket = new WebSocket(`${location.origin.replace("http", "ws")}/live`, "kingme.1");
    this.#socket = socket;
    const mine = (act) => (event) => this.#socket === socket && act(event);
    socket.onmessage = mine(({ data }) => this.#hear(JSON.parse(data)));
    socket.onclose = mine(() => this.#lose());
  }

  /** Lets go of the connection. */
  #drop() {
    const socket = this.#socket;
    this.#socket = null;
    this.#sent = 0;
    socket?.close();
    for (const asked of this.#asked.values()) asked.sent = 0;
    for (const wanted of this.#wanted.values()) Object.assign(wanted, { open: true, sent: 0 });
  }

  /** The connection is gone: comes back after a while, longer each time, and not with all the others at once. */
  #lose() {
    if (this.state === "ended") return;
    const planned = this.#retry;
    this.#drop();
    this.#retry = planned < Infinity ? planned : Date.now() + Math.min(500 * 2 ** this.#tries++, 4000) * (0.5 + Math.random());
    this.#become(this.#retry - Date.now() < 500 && planned < Infinity ? "connecting" : "offline");
  }

  /** Something may have changed for the better: tries at once. */
  #hurry() {
    if (this.state === "ended") return;
    if (!this.#socket) this.#retry = 0;
    this.#tick();
  }

  #tick() {
    const now = Date.now();
    if (!this.#socket) {
      if (now >= this.#retry) this.#connect();
    } else if (now - Math.max(this.heard, this.#began) > STALE) {
      this.#lose();
    } else if (this.#ready) {
      if (!this.#sent && now - this.#pong.heard >= PING) this.#ping(now);
      this.#flush();
    }
  }

  #ping(now) {
    const { at, heard } = this.#pong;
    this.#sent = now;
    this.send({ t: "ping", echo: at, held: now - heard });
  }

  #flush() {
    if (!this.#ready) return;
    const now = Date.now();
    for (const item of [...this.#wanted.values(), ...this.#asked.values()]) {
      if (item.open === false || now - item.sent < AGAIN) continue;
      item.sent = now;
      this.send(item.frame ?? item.make());
    }
  }

  /** The server's clock showed `at` between `from` and `to` of this machine's. */
  #measure(at, from, to) {
    const low = Math.max(this.#low, at - to);
    const high = Math.min(this.#high, at - from);
    // Two clocks never run quite alike, and one of them may have been set: then only the last word counts.
    [this.#low, this.#high] = low <= high ? [low, high] : [at - to, at - from];
  }

  #hear(frame) {
    const now = this.heard = Date.now();
    const act = { welcome: this.#welcome, pong: this.#ponged, ack: this.#answer, no: this.#answer, bye: this.#bye }[frame.t];
    if (act) act.call(this, frame, now);
    else this.#fire(frame.t, frame);
  }

  #welcome({ now: at, version, you }, now) {
    this.#measure(at, this.#began, now);
    this.#pong = { at, heard: now };
    this.#tries = 0;
    this.you = you;
    this.#become("online");
    this.#fire("welcome");
    this.#flush();
    if (version !== this.release) this.#fire("release");
  }

  #ponged({ at }, now) {
    if (this.#sent) this.#measure(at, this.#sent, now);
    this.#sent = 0;
    this.#pong = { at, heard: now };
  }

  #answer(frame, now) {
    const asked = this.#asked.get(frame.id);
    if (LATER.includes(frame.code)) {
      if (asked) asked.sent = now;
      return this.#fire("delay", frame);
    }
    this.done(frame.game);
    if (!asked) return this.#fire(frame.t, frame);
    this.#asked.delete(frame.id);
    if (frame.t === "ack") asked.resolve(frame);
    else asked.reject(new Refused(frame));
  }

  #bye({ reason, after }, now) {
    // A page that has been open for a while is loaded anew where the server no longer understands it.
    if (reason === "release" && performance.now() > 10000) location.reload();
    else if (typeof after === "number") this.#retry = now + after;
    else {
      this.reason = reason;
      this.#drop();
      this.#become("ended");
    }
  }
}
