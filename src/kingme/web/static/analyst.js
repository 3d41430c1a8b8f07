// The engine of this browser for analysis, as pages ask it; it thinks in a worker, engine/analyst.js.

import { serve } from "./endgames.js";

/** @import {AnalysisInfo, AnalysisTask, Preset} from "./types" */

/** Draw rules where a page names none. @type {Partial<Preset>} */
const STANDARD = { repetition: 3, progressPlies: 80, progress: ["capture", "man_move"] };

export class Analyst {
  #worker = null;
  #id = 0;
  #asked = null; // what runs now, and whom to tell

  /** Thinks about the position after a game's moves, in place of what it thought about before. Tells what it knows from
   *  time to time; without a bound (seconds, nodes or depth) it goes on until it is stopped or all lines are decided.
   *  Gives what it knew at the end; null where that was nothing. Throws where the engine cannot be loaded.
   *  @param {AnalysisTask} task @param {(info: AnalysisInfo) => void} [onInfo] @returns {Promise<?AnalysisInfo>} */
  analyse({ start = null, moves = [], preset = STANDARD, lines = 1, seconds, nodes, depth }, onInfo = () => {}) {
    this.stop();
    const id = ++this.#id;
    return new Promise((done, fail) => {
      this.#asked = { id, onInfo, done, fail, last: null };
      this.#open().postMessage({ id, start, moves, preset, lines, seconds, nodes, depth });
    });
  }

  /** Ends the analysis that runs, if one does. */
  stop() {
    const asked = this.#asked;
    if (!asked) return;
    this.#asked = null;
    this.#worker.postMessage({ id: asked.id });
    asked.done(asked.last);
  }

  #open() {
    if (this.#worker) return this.#worker;
    this.#worker = new Worker("/static/engine/analyst.js", { type: "module" });
    const { port1, port2 } = new MessageChannel();
    serve(port1);
    this.#worker.postMessage({ port: port2 }, [port2]);
    this.#worker.onmessage = ({ data }) => this.#hear(data);
    this.#worker.onerror = (event) => {
      event.preventDefault?.();
      this.#fail("The engine cannot be loaded here.");
    };
    return this.#worker;
  }

  #hear({ id, info, message }) {
    const asked = this.#asked;
    if (asked?.id !== id) return; // of an analysis that has been stopped
    if (message) return this.#fail(message);
    asked.last = info;
    if (info.done) this.#asked = null;
    asked.onInfo(info);
    if (info.done) asked.done(info);
  }

  /** The next question makes another worker. */
  #fail(message) {
    const asked = this.#asked;
    this.#asked = null;
    this.#worker.terminate();
    this.#worker = null;
    asked?.fail(Error(message));
  }
}
