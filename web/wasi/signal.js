// Something that can be waited for again and again; who waits can also stop waiting, so that nothing piles up.

export class Signal {
  /** @type {Set<() => void>} */
  #waiting = new Set();

  /** @param {() => void} wake */
  add(wake) {
    this.#waiting.add(wake);
  }

  /** @param {() => void} wake */
  delete(wake) {
    this.#waiting.delete(wake);
  }

  get isAwaited() {
    return this.#waiting.size > 0;
  }

  fire() {
    if (this.#waiting.size === 0) return;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }
}
