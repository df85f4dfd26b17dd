// A file that grows at its end, over a synchronous handle (OPFS's own, or Node's in the same shape).
import { fault, storageFault } from "./faults.js";

/**
 * @typedef {object} Handle
 * @property {() => number} getSize
 * @property {(data: Uint8Array, options: {at: number}) => number} read
 * @property {(data: Uint8Array, options: {at: number}) => number} write
 * @property {(size: number) => void} truncate
 * @property {() => void} flush
 * @property {() => void} close
 */

/**
 * Bytes handed over by Python (a buffer to be released) or by JavaScript.
 * @typedef {Uint8Array | {getBuffer(type: "u8"): {data: Uint8Array, release(): void}}} Bytes
 */

/**
 * @template T
 * @param {Bytes} bytes
 * @param {(data: Uint8Array) => T} use
 * @returns {T}
 */
export function withBytes(bytes, use) {
  if (bytes instanceof Uint8Array) return use(bytes);
  const buffer = bytes.getBuffer("u8");
  try {
    return use(buffer.data);
  } finally {
    buffer.release();
  }
}

export class AppendFile {
  #isBroken = false;
  #size;

  /**
   * @param {Handle} handle
   * @param {string} path
   * @param {() => void} [release] called instead of closing a handle that others use too
   */
  constructor(handle, path, release = () => handle.close()) {
    this.handle = handle;
    this.path = path;
    this.release = release;
    this.#size = handle.getSize();
  }

  getSize() {
    return this.#size;
  }

  /** @param {number} offset @param {number} length */
  read(offset, length) {
    const data = new Uint8Array(Math.max(0, Math.min(length, this.#size - offset)));
    try {
      const count = this.handle.read(data, { at: offset });
      return data.subarray(0, count);
    } catch (error) {
      throw storageFault(error, this.path);
    }
  }

  /** @param {Bytes} bytes */
  append(bytes) {
    if (this.#isBroken) {
      throw fault("StorageFailed", `${this.path} could not be cut back after a failed write; open it again.`);
    }
    try {
      this.#size += withBytes(bytes, (data) => this.#write(data));
    } catch (error) {
      this.#cutBack();
      throw storageFault(error, this.path);
    }
  }

  /** @param {number} size */
  truncate(size) {
    try {
      this.handle.truncate(size);
      this.handle.flush();
      this.#size = size;
    } catch (error) {
      throw storageFault(error, this.path);
    }
  }

  close() {
    this.release();
    this.release = () => {};
  }

  /** @param {Uint8Array} data */
  #write(data) {
    let done = 0;
    while (done < data.length) {
      const count = this.handle.write(data.subarray(done), { at: this.#size + done });
      if (count === 0) throw fault("QuotaExceededError", "nothing was written");
      done += count;
    }
    this.handle.flush();
    return data.length;
  }

  #cutBack() {
    try {
      this.handle.truncate(this.#size);
      this.handle.flush();
    } catch {
      this.#isBroken = true;
    }
  }
}
