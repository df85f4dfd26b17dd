// How much a guest may put into the file system: each file it made or changed counts with its size.

import { E } from "../errno.js";

export class Quota {
  #used = 0;

  /** @param {number} limit in bytes */
  constructor(limit) {
    this.limit = limit;
  }

  get used() {
    return this.#used;
  }

  /** @param {number} bytes */
  take(bytes) {
    if (this.#used + bytes > this.limit) throw E.NOSPC;
    this.#used += bytes;
  }

  /** @param {number} bytes */
  give(bytes) {
    this.#used -= bytes;
  }
}
