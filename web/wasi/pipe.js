// A pipe: a ring of bytes between whoever writes and whoever reads, full and empty being reasons to wait.

import { copy } from "./files/content.js";
import { BLOCKED, BROKEN } from "./filesystem.js";
import { Signal } from "./signal.js";

const CAPACITY = 2 ** 16;
/** Who waits is woken for so many bytes, not for each: a guest that writes line by line would wake another a line. */
const WORTHWHILE = 2 ** 12;

export class Pipe {
  #ring = new Uint8Array(CAPACITY);
  #head = 0;
  #count = 0;
  #hasReader = true;
  #hasWriter = true;
  #readSignal = new Signal();
  #writeSignal = new Signal();
  #isWakeDue = false;
  #thread;

  /** @param {import("./thread.js").Thread} thread in which its ends are used */
  constructor(thread) {
    this.#thread = thread;
  }

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
    this.#wakeReader();
    return count;
  }

  /** What little there is can be read when its writer waits or has had its turn. */
  #wakeReader() {
    if (this.#count >= WORTHWHILE) {
      this.#readSignal.fire();
    } else if (!this.#isWakeDue && this.#readSignal.isAwaited) {
      this.#isWakeDue = true;
      this.#thread.nextTurn().then(() => {
        this.#isWakeDue = false;
        this.#readSignal.fire();
      });
    }
  }
}

/**
 * Write all that comes into a pipe, and close it.
 * @param {import("./stream.js").Stream} writer
 * @param {Iterable<Uint8Array> | AsyncIterable<Uint8Array>} pieces
 */
export async function feed(writer, pieces) {
  try {
    for await (const piece of pieces) {
      for (let at = 0; at < piece.length; ) {
        const count = writer.write?.(piece, at, piece.length) ?? BROKEN;
        if (count === BROKEN) return;
        if (count === BLOCKED) await new Promise((resolve) => writer.writeSignal?.add(() => resolve(null)));
        else at += count;
      }
    }
  } finally {
    writer.close?.();
  }
}
