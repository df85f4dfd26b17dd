// The guest's memory as the host sees it: every pointer is checked, and views follow the memory as it grows.

import { E } from "./errno.js";

const PATH_MAX = 4096;
const HIGH = 2 ** 32;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const NOTHING = new ArrayBuffer(0);

export class GuestMemory {
  /** @type {{ readonly buffer: ArrayBuffer }} */
  #memory = { buffer: NOTHING };
  #bytes = new Uint8Array(NOTHING);
  #view = new DataView(NOTHING);

  /** @param {{ readonly buffer: ArrayBuffer }} memory */
  attach(memory) {
    this.#memory = memory;
    this.#refresh();
  }

  /** Give the memory free: an instance that has ended must not be kept alive by its host. */
  detach() {
    this.attach({ buffer: NOTHING });
  }

  /**
   * All of it. Not to be kept over a suspension: when the memory grows its buffer is detached and a view of
   * it has no length any more, which is quicker to see than to ask the memory for its buffer.
   */
  get bytes() {
    if (this.#bytes.length === 0) this.#refresh();
    return this.#bytes;
  }

  /**
   * @param {number} pointer as WebAssembly passes it, signed
   * @param {number} length
   * @returns {number} the pointer as an index
   */
  check(pointer, length) {
    const start = pointer >>> 0;
    if (start + length > this.bytes.length) throw E.FAULT;
    return start;
  }

  /** @param {number} pointer */
  u8(pointer) {
    return this.#view.getUint8(this.check(pointer, 1));
  }

  /** @param {number} pointer */
  u16(pointer) {
    return this.#view.getUint16(this.check(pointer, 2), true);
  }

  /** @param {number} pointer */
  u32(pointer) {
    return this.#view.getUint32(this.check(pointer, 4), true);
  }

  /** @param {number} pointer */
  u64(pointer) {
    return this.#view.getBigUint64(this.check(pointer, 8), true);
  }

  /**
   * @param {number} pointer
   * @param {number} value
   */
  setU8(pointer, value) {
    this.#view.setUint8(this.check(pointer, 1), value);
  }

  /**
   * @param {number} pointer
   * @param {number} value
   */
  setU16(pointer, value) {
    this.#view.setUint16(this.check(pointer, 2), value, true);
  }

  /**
   * @param {number} pointer
   * @param {number} value
   */
  setU32(pointer, value) {
    this.#view.setUint32(this.check(pointer, 4), value, true);
  }

  /**
   * @param {number} pointer
   * @param {number | bigint} value a number where it is exact, which spares an allocation
   */
  setU64(pointer, value) {
    const start = this.check(pointer, 8);
    if (typeof value === "bigint") {
      this.#view.setBigUint64(start, value, true);
    } else {
      this.#view.setUint32(start, value % HIGH, true);
      this.#view.setUint32(start + 4, value / HIGH, true);
    }
  }

  /**
   * @param {number} pointer
   * @param {Uint8Array} source
   */
  write(pointer, source) {
    this.bytes.set(source, this.check(pointer, source.length));
  }

  /**
   * @param {number} pointer
   * @param {number} length
   */
  clear(pointer, length) {
    const start = this.check(pointer, length);
    this.bytes.fill(0, start, start + length);
  }

  /**
   * @param {number} pointer
   * @param {number} length as WebAssembly passes it
   * @returns {string} never empty, without NUL
   */
  path(pointer, length) {
    const size = length >>> 0;
    const start = this.check(pointer, size);
    if (size === 0) throw E.NOENT;
    if (size >= PATH_MAX) throw E.NAMETOOLONG;
    const text = decode(this.bytes.subarray(start, start + size));
    if (text.includes("\0")) throw E.INVAL;
    return text;
  }

  #refresh() {
    const { buffer } = this.#memory;
    this.#bytes = new Uint8Array(buffer);
    this.#view = new DataView(buffer);
  }
}

/** @param {Uint8Array} bytes */
function decode(bytes) {
  try {
    return decoder.decode(bytes);
  } catch {
    throw E.ILSEQ;
  }
}
