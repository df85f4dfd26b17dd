// An open file in Node, with the methods that OPFS gives its own.

import fs from "node:fs";

export class NodeHandle {
  #descriptor;

  /** @param {number} descriptor */
  constructor(descriptor) {
    this.#descriptor = descriptor;
  }

  getSize() {
    return fs.fstatSync(this.#descriptor).size;
  }

  /**
   * @param {Uint8Array<ArrayBuffer>} into
   * @param {{ at: number }} options
   */
  read(into, { at }) {
    return fs.readSync(this.#descriptor, into, 0, into.length, at);
  }

  /**
   * @param {Uint8Array<ArrayBuffer>} from
   * @param {{ at: number }} options
   */
  write(from, { at }) {
    return fs.writeSync(this.#descriptor, from, 0, from.length, at);
  }

  /** @param {number} size */
  truncate(size) {
    fs.ftruncateSync(this.#descriptor, size);
  }

  flush() {
    fs.fdatasyncSync(this.#descriptor);
  }

  close() {
    fs.closeSync(this.#descriptor);
  }
}
