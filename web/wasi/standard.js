// Standard input and output as whoever runs a guest hands them in: bytes to read, callbacks that take bytes.

import { Exit, ExitCode } from "./exit.js";
import { BLOCKED } from "./filesystem.js";
import { Signal } from "./signal.js";

/** Input that is there from the start. */
export class BytesInput {
  #bytes;
  #at = 0;

  /** @param {Uint8Array} [bytes] */
  constructor(bytes = new Uint8Array()) {
    this.#bytes = bytes;
  }

  /**
   * @param {Uint8Array} target
   * @param {number} start
   * @param {number} end
   */
  read(target, start, end) {
    const piece = this.#bytes.subarray(this.#at, this.#at + end - start);
    target.set(piece, start);
    this.#at += piece.length;
    return piece.length;
  }

  readable() {
    return this.#bytes.length - this.#at;
  }
}

/**
 * Takes bytes that are only there until it returns; a promise holds further output back until it is settled.
 * @typedef {(bytes: Uint8Array) => void | Promise<void>} TakeBytes
 */

/**
 * @typedef {object} OutputLimits
 * @property {number} [cap_bytes] what comes after so many is counted and dropped
 * @property {number} [limit_bytes] what has written so many is ended
 */

/** Output that goes to a callback. Several descriptors may share one. */
export class Output {
  writeSignal = new Signal();
  totalBytes = 0;
  #take;
  #cap;
  #limit;
  #isBusy = false;

  /**
   * @param {TakeBytes} take
   * @param {OutputLimits} [limits]
   */
  constructor(take, { cap_bytes = Number.POSITIVE_INFINITY, limit_bytes = Number.POSITIVE_INFINITY } = {}) {
    this.#take = take;
    this.#cap = cap_bytes;
    this.#limit = limit_bytes;
  }

  get isTruncated() {
    return this.totalBytes > this.#cap;
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number} start
   * @param {number} end
   */
  write(bytes, start, end) {
    if (this.#isBusy) return BLOCKED;
    if (this.totalBytes >= this.#limit) throw new Exit(ExitCode.OUTPUT_LIMIT, "output limit");
    const count = Math.min(end - start, this.#limit - this.totalBytes);
    const taken = Math.min(count, this.#cap - this.totalBytes);
    this.totalBytes += count;
    if (taken > 0) this.#hand(bytes.subarray(start, start + taken));
    return count;
  }

  writable() {
    return this.#isBusy ? BLOCKED : 2 ** 16;
  }

  /** @param {Uint8Array} bytes */
  #hand(bytes) {
    const pending = this.#take(bytes);
    if (!(pending instanceof Promise)) return;
    this.#isBusy = true;
    const settled = () => {
      this.#isBusy = false;
      this.writeSignal.fire();
    };
    pending.then(settled, settled);
  }
}
