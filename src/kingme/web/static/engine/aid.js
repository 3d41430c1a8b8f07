// What an engine looks up while it searches: the endgame databases, brought as soon as few enough pieces are left that
// it would meet them.

import { Endings } from "./asking.js";

/** @import {Engine} from "./search.js" */
/** @import {Position} from "../types" */

/** From how many pieces on it gets the block, which this device builds, and packed values, which it fetches. */
const NEAR = { block: 10, values: 7 };

export class Aid extends Endings {
  /** @type {Record<string, Promise<void>>} what has come or is on its way */ #coming = {};

  /** Lets an engine look up what a position calls for; ends when all has come that can be had. @param {Engine} engine @param {Position} position */
  async give(engine, { pieces }) {
    const count = pieces.filter(Boolean).length;
    for (const want of /** @type {const} */ (["block", "values"])) {
      if (count > NEAR[want] || (want === "values" && navigator.connection?.saveData)) return;
      await (this.#coming[want] ??= this.#bring(engine, want));
      if (!this.#coming[want]) return; // each stands on the one before
    }
  }

  async #bring(engine, want) {
    const answer = await this.ask({ want });
    try {
      engine[want === "block" ? "solved" : "told"](answer.bytes);
    } catch {
      delete this.#coming[want]; // there is none, or no memory for it: the next position asks again
    }
  }
}
