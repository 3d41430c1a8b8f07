// A file of the server that is read in parts: pages of it are fetched as they are needed, and each is proved by its
// checksum before anything of it is used.

import { crc } from "./files.js";

/** Pages that are kept: with 8 KiB each, a mebibyte. */
const KEPT = 128;
/** How long nothing is fetched after that went wrong, and how long an answer may take, ms. */
const REST = 60_000;

/** Until when the network is left alone. */
let resting = 0;

const rest = () => { resting = performance.now() + REST; };
const failed = (error) => {
  rest();
  throw error;
};

/** Fetches, unless there is no network, or something went wrong a moment ago; a failure would be heard in the console. Throws for an answer that is none
 *  too. @param {string} address @param {RequestInit} [options] */
export async function fetched(address, options) {
  if (navigator.onLine === false || performance.now() < resting) throw Error("there is no network");
  const response = await fetch(address, { ...options, signal: AbortSignal.timeout(REST) }).catch(failed);
  return response.ok ? response : failed(Error("the server has trouble"));
}

export class Pages {
  /** @type {Map<number, Promise<Uint8Array>>} those used last come last */
  #kept = new Map();

  /** @param {{address: string, size: number, page: number, sums: string}} file */
  constructor({ address, size, page, sums }) {
    Object.assign(this, { address, size, page });
    const bytes = Uint8Array.from(atob(sums), (letter) => letter.charCodeAt(0));
    this.sums = new Uint32Array(bytes.buffer);
  }

  /** The bytes from one place to another. Throws where they cannot be had. @param {number} from @param {number} to */
  async read(from, to) {
    const first = Math.floor(from / this.page);
    const end = Math.ceil(to / this.page);
    for (let n = first; n < end;) n = this.#kept.has(n) ? n + 1 : this.#ask(n, end);
    const found = new Uint8Array(to - from);
    const parts = await Promise.all(Array.from({ length: end - first }, (_, i) => this.#take(first + i)));
    parts.forEach((part, i) => {
      const at = (first + i) * this.page - from;
      found.set(at < 0 ? part.subarray(-at, to - from - at) : part.subarray(0, to - from - at), Math.max(at, 0));
    });
    while (this.#kept.size > KEPT) this.#kept.delete(this.#kept.keys().next().value);
    return found;
  }

  /** A page that is kept or on its way. */
  #take(n) {
    const page = this.#kept.get(n);
    this.#kept.delete(n);
    this.#kept.set(n, page);
    return page;
  }

  /** Asks for the pages from one on that are not kept, up to one that is; gives the number of that. */
  #ask(first, end) {
    let last = first + 1;
    while (last < end && !this.#kept.has(last)) last++;
    const coming = this.#fetch(first, last);
    for (let n = first; n < last; n++) {
      const page = coming.then((pages) => pages[n - first]);
      this.#kept.set(n, page);
      page.catch(() => this.#kept.get(n) === page && this.#kept.delete(n));
    }
    return last;
  }

  /** Pages from the network, or from what the browser keeps; what is damaged is fetched once more. */
  async #fetch(first, last) {
    const [from, to] = [first * this.page, Math.min(last * this.page, this.size)];
    for (const cache of /** @type {const} */ (["default", "reload"])) {
      const response = await fetched(this.address, { cache, headers: { Range: `bytes=${from}-${to - 1}` } });
      const data = await response.arrayBuffer().catch(failed);
      const pages = Array.from({ length: last - first }, (_, i) => data.slice(i * this.page, (i + 1) * this.page));
      if (response.status === 206 && data.byteLength === to - from && pages.every((page, i) => crc(page) === this.sums[first + i])) {
        return pages.map((page) => new Uint8Array(page));
      }
    }
    rest();
    throw Error("the file is damaged");
  }
}
