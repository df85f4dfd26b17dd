// Standard input and output of a Node process, read and written at once: the thread waits where it must.

import fs from "node:fs";
import tty from "node:tty";
import { E } from "../errno.js";
import { BLOCKED, BROKEN } from "../filesystem.js";

const RETRY_MILLISECONDS = 2;
const PEEK_BYTES = 2 ** 16;
const cell = new Int32Array(new SharedArrayBuffer(4));

/** @param {number} milliseconds */
export function sleep(milliseconds) {
  Atomics.wait(cell, 0, 0, milliseconds);
}

export class NodeInput {
  isTerminal;
  #fd;
  /** @type {Uint8Array} what was read to find out whether there is something to read */
  #peeked = new Uint8Array();
  #hasEnded = false;
  /** @type {number | null | undefined} a descriptor of the same thing that does not block; null if there is none */
  #peekFd;

  /** @param {number} fd */
  constructor(fd) {
    this.#fd = fd;
    this.isTerminal = tty.isatty(fd);
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number} start
   * @param {number} end
   */
  read(bytes, start, end) {
    if (this.#peeked.length > 0) {
      const piece = this.#peeked.subarray(0, end - start);
      bytes.set(piece, start);
      this.#peeked = this.#peeked.subarray(piece.length);
      return piece.length;
    }
    return this.#hasEnded ? 0 : retrying(() => fs.readSync(this.#fd, bytes, start, end - start, null));
  }

  readable() {
    if (this.#peeked.length === 0 && !this.#hasEnded) this.#peek();
    return this.#peeked.length > 0 || this.#hasEnded ? this.#peeked.length : BLOCKED;
  }

  #peek() {
    this.#peekFd ??= openToPeek(this.#fd);
    if (this.#peekFd === null) {
      this.#peeked = this.#readPiece((bytes) => this.read(bytes, 0, bytes.length));
    } else {
      const fd = this.#peekFd;
      this.#peeked = this.#readPiece((bytes) => attempt(() => fs.readSync(fd, bytes, 0, bytes.length, null)));
    }
  }

  /** @param {(bytes: Uint8Array) => number} read */
  #readPiece(read) {
    const bytes = new Uint8Array(PEEK_BYTES);
    const count = read(bytes);
    if (count === 0) this.#hasEnded = true;
    return bytes.subarray(0, Math.max(0, count));
  }
}

export class NodeOutput {
  isTerminal;
  #fd;

  /** @param {number} fd */
  constructor(fd) {
    this.#fd = fd;
    this.isTerminal = tty.isatty(fd);
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number} start
   * @param {number} end
   */
  write(bytes, start, end) {
    return retrying(() => fs.writeSync(this.#fd, bytes, start, end - start));
  }
}

/**
 * Opened anew, a pipe or terminal can be read without waiting; a file would be read from its beginning again,
 * but to read from one is never to wait.
 * @param {number} fd
 */
function openToPeek(fd) {
  const stat = fs.fstatSync(fd);
  if (!stat.isFIFO() && !tty.isatty(fd)) return null;
  try {
    return fs.openSync(`/dev/fd/${fd}`, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  } catch {
    return null;
  }
}

/** @param {() => number} transfer */
function retrying(transfer) {
  for (;;) {
    const count = attempt(transfer);
    if (count !== BLOCKED) return count;
    sleep(RETRY_MILLISECONDS);
  }
}

/** @param {() => number} transfer */
function attempt(transfer) {
  try {
    return transfer();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "EAGAIN") return BLOCKED;
    if (code === "EPIPE") return BROKEN;
    if (code === "EOF") return 0;
    throw E.IO;
  }
}
