// Clocks, handed in so that whoever runs a guest decides what time it sees.

/**
 * @typedef {object} Clock
 * @property {bigint} resolution in nanoseconds
 * @property {() => bigint} realtime nanoseconds since 1970
 * @property {() => bigint} monotonic nanoseconds since some moment
 * @property {() => bigint} fileTime like realtime, but coarse and cheap, as file systems have it
 */

/** The clocks of this machine, the same in browsers and in Node. */
export class SystemClock {
  resolution = 1_000n;
  #milliseconds = 0;
  #fileTime = 0n;

  realtime() {
    return nanoseconds(performance.timeOrigin + performance.now());
  }

  monotonic() {
    return nanoseconds(performance.now());
  }

  fileTime() {
    const now = Date.now();
    if (now !== this.#milliseconds) {
      this.#milliseconds = now;
      this.#fileTime = BigInt(now) * 1_000_000n;
    }
    return this.#fileTime;
  }
}

/** @param {number} milliseconds */
function nanoseconds(milliseconds) {
  return BigInt(Math.round(milliseconds * 1e3)) * 1_000n;
}
