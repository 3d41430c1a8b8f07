// Questions to the thread that has the endgame databases, endings.js, and its answers.

/** @import {EndingAnswer, EndingTask} from "../types" */

export class Endings {
  /** @type {Worker | MessagePort | null} none before the first question, and after one that could not be answered: the next tries again */ #there = null;
  /** @type {Map<number, (answer: ?EndingAnswer) => void>} */ #asked = new Map();
  #count = 0;
  #open;

  /** @param {() => Worker | MessagePort} open gives a way to it at the first question */
  constructor(open) {
    this.#open = open;
  }

  /** The answer; null where nothing is known. @param {Omit<EndingTask, "id">} question @returns {Promise<?EndingAnswer>} */
  async ask(question) {
    try {
      this.#there ??= this.#start();
    } catch {
      return null; // no worker can be made here
    }
    return new Promise((done) => {
      this.#asked.set(++this.#count, done);
      this.#there.postMessage({ ...question, id: this.#count });
    });
  }

  /** Asks for others, who have the other end of a channel. @param {MessagePort} port */
  serve(port) {
    port.onmessage = async ({ data: { id, ...question } }) => {
      const answer = await this.ask(question);
      port.postMessage({ ...answer, id }, answer?.bytes ? [answer.bytes] : []);
    };
  }

  #start() {
    const started = this.#open();
    const fail = (event) => {
      event?.preventDefault();
      this.#there = null;
      if ("terminate" in started) started.terminate();
      for (const done of this.#asked.values()) done(null);
      this.#asked.clear();
    };
    if ("terminate" in started) started.onerror = fail;
    started.onmessage = ({ data }) => {
      if (!data.id) return fail();
      this.#asked.get(data.id)(data);
      this.#asked.delete(data.id);
    };
    return started;
  }
}
