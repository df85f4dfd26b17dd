// What all processes of one JavaScript thread share: its turns, and how many instances may live in it.

/** Stages that feed each other go on in microtasks for ever: so often timers and messages get a turn. */
const SLICE_MILLISECONDS = 10;
const LIVE_MAX = 64;

export class Thread {
  #maxLive;
  #live = 0;
  #lastTurn = 0;
  /** @type {(() => void)[]} */
  #waiting = [];
  /** @type {MessageChannel | undefined} */
  #channel;

  /** @param {{ max_live?: number }} [options] a browser has room for about 120 memories in all its workers */
  constructor({ max_live = LIVE_MAX } = {}) {
    this.#maxLive = max_live;
  }

  get live() {
    return this.#live;
  }

  /** @returns {boolean} whether there was room for one more instance, which is now counted */
  enter() {
    if (this.#live >= this.#maxLive) return false;
    if (this.#live === 0) this.#lastTurn = performance.now();
    this.#live += 1;
    return true;
  }

  leave() {
    this.#live -= 1;
  }

  /** Whether it is time to let others have a turn. */
  get isDue() {
    return performance.now() - this.#lastTurn > SLICE_MILLISECONDS;
  }

  /** @returns {Promise<void>} */
  nextTurn() {
    return new Promise((resolve) => {
      this.#soon(() => {
        this.#lastTurn = performance.now();
        resolve();
      });
    });
  }

  /**
   * In Node a message port delivers many messages before it lets timers run, in a browser a timer waits for
   * milliseconds: each has its own quick way.
   * @param {() => void} task
   */
  #soon(task) {
    if (typeof globalThis.setImmediate === "function") {
      globalThis.setImmediate(task);
      return;
    }
    if (!this.#channel) {
      this.#channel = new MessageChannel();
      this.#channel.port1.onmessage = () => this.#waiting.shift()?.();
    }
    this.#waiting.push(task);
    this.#channel.port2.postMessage(null);
  }
}
