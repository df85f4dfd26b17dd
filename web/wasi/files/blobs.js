// The bytes that files start with: asked for once, kept as long as there is room, never changed.

import { E, Errno } from "../errno.js";

/** @typedef {(blob: string) => Uint8Array | Promise<Uint8Array>} ReadBlob */

export class Blobs {
  #read;
  #keepBytes;
  #keptBytes = 0;
  /** @type {Map<string, Uint8Array>} the least recently used first */
  #kept = new Map();

  /**
   * @param {ReadBlob} read
   * @param {number} keepBytes
   */
  constructor(read, keepBytes) {
    this.#read = read;
    this.#keepBytes = keepBytes;
  }

  /**
   * @param {string} blob
   * @param {number} size
   * @returns {Uint8Array | Promise<Uint8Array>} fails with an Errno
   */
  load(blob, size) {
    const kept = this.#kept.get(blob);
    if (kept) {
      if (kept.length !== size) throw E.IO;
      this.#kept.delete(blob);
      this.#kept.set(blob, kept);
      return kept;
    }
    const loaded = this.#ask(blob);
    if (loaded instanceof Uint8Array) return this.#keep(blob, size, loaded);
    return loaded.then(
      (bytes) => this.#keep(blob, size, bytes),
      (error) => {
        throw faultOf(error);
      },
    );
  }

  /** @param {string} blob */
  #ask(blob) {
    try {
      return this.#read(blob);
    } catch (error) {
      throw faultOf(error);
    }
  }

  /**
   * @param {string} blob
   * @param {number} size
   * @param {Uint8Array} bytes
   */
  #keep(blob, size, bytes) {
    if (bytes.length !== size) throw E.IO;
    if (size > this.#keepBytes || this.#kept.has(blob)) return bytes;
    this.#kept.set(blob, bytes);
    this.#keptBytes += size;
    for (const [oldest, { length }] of this.#kept) {
      if (this.#keptBytes <= this.#keepBytes) break;
      this.#kept.delete(oldest);
      this.#keptBytes -= length;
    }
    return bytes;
  }
}

/** @param {unknown} error */
function faultOf(error) {
  return error instanceof Errno ? error : E.IO;
}
