// The order in which a directory's names are told, such that a listing goes on rightly while they change.

/** @typedef {import("./inode.js").Entry} Entry */

export class Listing {
  #entries;
  #gone = 0;

  /** @param {Iterable<Entry>} entries by their positions */
  constructor(entries) {
    this.#entries = [...entries];
  }

  /** Whether so many of its names are gone that it is better made anew. */
  get isStale() {
    return this.#gone * 2 > this.#entries.length;
  }

  /** @param {Entry} entry behind all others */
  add(entry) {
    this.#entries.push(entry);
  }

  remove() {
    this.#gone += 1;
  }

  /**
   * @param {number} position
   * @returns {Generator<Entry>} those that do not stand before the position
   */
  *from(position) {
    for (let at = this.#firstFrom(position); at < this.#entries.length; at++) {
      const entry = this.#at(at);
      if (!entry.isGone) yield entry;
    }
  }

  /** @param {number} position */
  #firstFrom(position) {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#at(middle).position < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** @param {number} index */
  #at(index) {
    return /** @type {Entry} */ (this.#entries[index]);
  }
}
