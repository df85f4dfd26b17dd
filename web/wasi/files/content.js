// The bytes of one file: those it started with, never changed, and chunks over them for what was written.

import { E } from "../errno.js";

const CHUNK = 2 ** 18;
const SMALLEST = 256;

export class Content {
  size;
  /** @type {Uint8Array | null} what the file started with, when it is loaded */
  #start = null;
  /** How much of the start still shows through. */
  #startEnd;
  /** @type {(Uint8Array<ArrayBuffer> | undefined)[]} a chunk may be short; what it lacks is zeros, as is a missing one */
  #chunks = [];

  /** @param {number} size of what it starts with */
  constructor(size) {
    this.size = size;
    this.#startEnd = size;
  }

  /** Whether reading or writing needs the bytes that the file started with. */
  get needsStart() {
    return this.#startEnd > 0 && this.#start === null;
  }

  /** @param {Uint8Array} bytes */
  provideStart(bytes) {
    this.#start = bytes;
  }

  /** The start can be had again: let it go. */
  dropStart() {
    this.#start = null;
  }

  /**
   * @param {Uint8Array} target
   * @param {number} from
   * @param {number} to
   * @param {number} offset in the file
   * @returns {number} how many bytes there were
   */
  read(target, from, to, offset) {
    const count = Math.min(to - from, this.size - offset);
    if (count <= 0) return 0;
    for (let done = 0; done < count; ) {
      const at = offset + done;
      const length = Math.min(count - done, CHUNK - (at % CHUNK));
      this.#readPiece(target, from + done, at, length);
      done += length;
    }
    return count;
  }

  /**
   * @param {Uint8Array} source
   * @param {number} from
   * @param {number} to
   * @param {number} offset in the file
   */
  write(source, from, to, offset) {
    const count = to - from;
    for (let done = 0; done < count; ) {
      const at = offset + done;
      const within = at % CHUNK;
      const length = Math.min(count - done, CHUNK - within);
      const chunk = this.#chunkFor(Math.floor(at / CHUNK), within + length);
      copy(source, from + done, length, chunk, within);
      done += length;
    }
    this.size = Math.max(this.size, offset + count);
  }

  /** @param {number} size */
  resize(size) {
    if (size < this.size) this.#cut(size);
    this.size = size;
  }

  /** @returns {Uint8Array} all of it, perhaps shared with this file */
  toBytes() {
    const only = this.size <= CHUNK ? this.#chunks[0] : undefined;
    if (only && only.length >= this.size) return only.subarray(0, this.size);
    const bytes = allocate(this.size);
    this.read(bytes, 0, this.size, 0);
    return bytes;
  }

  /**
   * @param {Uint8Array} target
   * @param {number} to
   * @param {number} at
   * @param {number} length not across a chunk's end
   */
  #readPiece(target, to, at, length) {
    const chunk = this.#chunks[Math.floor(at / CHUNK)];
    const within = at % CHUNK;
    const source = chunk ?? this.#start;
    const from = chunk ? within : at;
    const end = chunk ? chunk.length : this.#startEnd;
    const present = Math.max(0, Math.min(length, end - from));
    if (source && present > 0) copy(source, from, present, target, to);
    if (present < length) target.fill(0, to + present, to + length);
  }

  /**
   * @param {number} index
   * @param {number} length how much of it is needed
   */
  #chunkFor(index, length) {
    const chunk = this.#chunks[index];
    if (chunk && chunk.length >= length) return chunk;
    const begin = index * CHUNK;
    const old =
      chunk ?? this.#start?.subarray(begin, Math.max(begin, Math.min(this.#startEnd, begin + CHUNK)));
    const kept = old?.length ?? 0;
    // Only a file's first chunk grows: a file that needs a second one will probably fill it.
    const size = index > 0 ? CHUNK : Math.min(CHUNK, Math.max(SMALLEST, length, kept * 2));
    const grown = allocate(size);
    if (old) grown.set(old);
    this.#chunks[index] = grown;
    return grown;
  }

  /** @param {number} size */
  #cut(size) {
    this.#startEnd = Math.min(this.#startEnd, size);
    this.#chunks.length = Math.min(this.#chunks.length, Math.ceil(size / CHUNK));
    this.#chunks[Math.floor(size / CHUNK)]?.fill(0, size % CHUNK);
  }
}

/**
 * @param {number} size
 * @returns {Uint8Array<ArrayBuffer>}
 */
function allocate(size) {
  try {
    return new Uint8Array(size);
  } catch {
    throw E.NOMEM;
  }
}

/**
 * A view costs more than a few bytes do.
 * @param {Uint8Array} source
 * @param {number} from
 * @param {number} length
 * @param {Uint8Array} target
 * @param {number} to
 */
export function copy(source, from, length, target, to) {
  if (length > 32) {
    target.set(source.subarray(from, from + length), to);
  } else {
    for (let at = 0; at < length; at++) target[to + at] = /** @type {number} */ (source[from + at]);
  }
}
