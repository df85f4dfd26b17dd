// Numbers that look random and are the same for the same seed.

export class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = (seed * 2654435761 + 0x9e3779b9) >>> 0;
  }

  /** @returns {number} from 0 to 2^32 - 1 */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** @param {number} limit */
  below(limit) {
    return this.next() % limit;
  }

  /**
   * @template T
   * @param {readonly T[]} values
   * @returns {T}
   */
  pick(values) {
    return /** @type {T} */ (values[this.below(values.length)]);
  }
}
