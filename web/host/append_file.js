// A file that grows at its end, over whatever kind of open file the platform has.

import { withBytes } from "./bytes.js";
import { HostError, lockedError, storageError } from "./errors.js";

/**
 * An open file: OPFS gives one as it is, node/handle.js makes one.
 * @typedef {object} Handle
 * @property {() => number} getSize
 * @property {(into: Uint8Array<ArrayBuffer>, options: { at: number }) => number} read
 * @property {(from: Uint8Array<ArrayBuffer>, options: { at: number }) => number} write
 * @property {(size: number) => void} truncate
 * @property {() => void} flush
 * @property {() => void} close
 *
 * @typedef {import("./bytes.js").Bytes} Bytes
 */

export class AppendFile {
  #path;
  /** @type {Handle | null} */
  #handle;
  #size;
  /** Where the next byte goes: beyond `#size` while something was added and not yet synced. */
  #end;
  /** Not so if bytes of a write that failed may stand behind `#end`. */
  #isCut = true;

  /**
   * @param {string} path
   * @param {Handle} handle
   */
  constructor(path, handle) {
    this.#path = path;
    this.#handle = handle;
    this.#size = this.#end = handle.getSize();
  }

  get size() {
    return this.#size;
  }

  /**
   * @param {number} offset
   * @param {number} length
   * @returns {Uint8Array<ArrayBuffer>}
   */
  read(offset, length) {
    const bytes = new Uint8Array(Math.max(0, Math.min(length, this.#size - offset)));
    return bytes.subarray(
      0,
      this.#using((handle) => readAll(handle, bytes, offset)),
    );
  }

  /** @param {Bytes} data */
  append(data) {
    this.add(data);
    this.sync();
  }

  /**
   * Write without waiting for the disk; `sync` makes this and what was added before it durable.
   * @param {Bytes} data
   */
  add(data) {
    this.#changing((handle) => {
      this.#end += withBytes(data, (bytes) => writeAll(handle, bytes, this.#end));
    });
  }

  sync() {
    this.#changing((handle) => handle.flush());
    this.#size = this.#end;
  }

  /** @param {number} size */
  truncate(size) {
    this.#size = this.#end = size;
    this.#isCut = false;
    this.#using((handle) => this.#cut(handle));
  }

  close() {
    this.#handle?.close();
    this.#handle = null;
  }

  /** @param {(handle: Handle) => void} change */
  #changing(change) {
    this.#using((handle) => {
      if (!this.#isCut) this.#cut(handle);
      try {
        change(handle);
      } catch (error) {
        this.#end = this.#size;
        this.#isCut = false;
        this.#tryToCut(handle);
        throw error;
      }
    });
  }

  /** @param {Handle} handle */
  #cut(handle) {
    handle.truncate(this.#end);
    handle.flush();
    this.#isCut = true;
  }

  /** @param {Handle} handle */
  #tryToCut(handle) {
    try {
      this.#cut(handle);
    } catch {
      // The next change tries again, and says what is wrong.
    }
  }

  /**
   * @template T
   * @param {(handle: Handle) => T} use
   * @returns {T}
   */
  #using(use) {
    if (!this.#handle) throw new HostError("StorageFailed", `${this.#path} is closed.`);
    try {
      return use(this.#handle);
    } catch (error) {
      throw storageError(error, this.#path);
    }
  }
}

/** A file that another tab or worker writes to, as it was when it was opened here. */
export class Snapshot {
  #path;
  #bytes;

  /**
   * @param {string} path
   * @param {Uint8Array<ArrayBuffer>} bytes
   */
  constructor(path, bytes) {
    this.#path = path;
    this.#bytes = bytes;
  }

  get size() {
    return this.#bytes.length;
  }

  /**
   * @param {number} offset
   * @param {number} length
   * @returns {Uint8Array<ArrayBuffer>}
   */
  read(offset, length) {
    return this.#bytes.subarray(offset, offset + length);
  }

  append() {
    throw lockedError(this.#path);
  }

  truncate() {
    throw lockedError(this.#path);
  }

  close() {
    this.#bytes = new Uint8Array();
  }
}

/**
 * @param {Handle} handle
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {number} offset
 * @returns {number} how many of them there were
 */
export function readAll(handle, bytes, offset) {
  let done = 0;
  while (done < bytes.length) {
    const count = handle.read(bytes.subarray(done), { at: offset + done });
    if (count === 0) break;
    done += count;
  }
  return done;
}

/**
 * @param {Handle} handle
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {number} offset
 * @returns {number} how many were written, which is all of them
 */
export function writeAll(handle, bytes, offset) {
  let done = 0;
  while (done < bytes.length) {
    const count = handle.write(bytes.subarray(done), { at: offset + done });
    if (count === 0) throw new DOMException("The file takes no more bytes.", "QuotaExceededError");
    done += count;
  }
  return done;
}
