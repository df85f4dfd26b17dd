// A pipe: a ring of bytes between whoever writes and whoever reads, full and empty being reasons to wait.

import { copy } from "./files/content.js";
import { BLOCKED, BROKEN } from "./filesystem.js";
import { Signal } from "./signal.js";

const CAPACITY = 2 ** 16;
/** A writer that found the pipe full is woken for so many bytes, not for each. */
const WORTHWHILE = 2 ** 12;

export class Pipe {
  #ring = new Uint8Array(CAPACITY);
  #head = 0;
  #count = 0;
  #hasReader = true;
  #hasWriter = true;
  #readSignal = new Signal();
  #writeSignal = new Signal();

  /** @returns {import("./stream.js").Stream} */
  get reader() {
    return {
      read: (bytes, start, end) => this.#read(bytes, start, end),
      readable: () => (this.#count > 0 || !this.#hasWriter ? this.#count : BLOCKED),
      readSignal: this.#readSignal,
      close: () => {
        this.#hasReader = false;
        this.#writeSignal.fire();
      },
    };
  }

  /** @returns {import("./stream.js").Stream} */
  get writer() {
    return {
      write: (bytes, start, end) => this.#write(bytes, start, end),
      writable: () => (this.#hasReader ? CAPACITY - this.#count || BLOCKED : BROKEN),
      writeSignal: this.#writeSignal,
      close: () => {
        this.#hasWriter = false;
        this.#readSignal.fire();
      },
    };
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number} start
   * @param {number} end
   */
  #read(bytes, start, end) {
    if (this.#count === 0) return this.#hasWriter ? BLOCKED : 0;
    const count = Math.min(this.#count, end - start);
    const first = Math.min(count, CAPACITY - this.#head);
    copy(this.#ring, this.#head, first, bytes, start);
    if (first < count) copy(this.#ring, 0, count - first, bytes, start + first);
    this.#head = (this.#head + count) % CAPACITY;
    this.#count -= count;
    if (CAPACITY - this.#count >= WORTHWHILE) this.#writeSignal.fire();
    return count;
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number} start
   * @param {number} end
   */
  #write(bytes, start, end) {
    if (!this.#hasReader) return BROKEN;
    const count = Math.min(CAPACITY - this.#count, end - start);
    if (count === 0) return BLOCKED;
    const tail = (this.#head + this.#count) % CAPACITY;
    const first = Math.min(count, CAPACITY - tail);
    copy(bytes, start, first, this.#ring, tail);
    if (first < count) copy(bytes, start + first, count - first, this.#ring, 0);
    this.#count += count;
    this.#readSignal.fire();
    return count;
  }
}
