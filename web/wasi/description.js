// Open file descriptions: what a descriptor refers to, with its position and flags, shared by its duplicates.

import { FdFlag, FileType, Right, Rights, Whence } from "./abi.js";
import { E } from "./errno.js";
import { BLOCKED } from "./filesystem.js";
import { Signal } from "./signal.js";

/** @typedef {{ isReadable: boolean, isWritable: boolean, flags: number }} Access */
/** @typedef {Pick<import("./filesystem.js").NodeState, "ino" | "nlink" | "size" | "atim" | "mtim" | "ctim">} Stat */

const NEVER = new Signal();
const NOTHING = Object.freeze({ ino: 0, nlink: 0, size: 0, atim: 0n, mtim: 0n, ctim: 0n });
/** What poll says of a thing that takes any number of bytes. */
const PLENTY = 2 ** 16;

/** One that can do nothing; the kinds below do what they can. */
export class Description {
  /** @type {number} */
  filetype = FileType.UNKNOWN;
  /** Rights that apply to it at all. */
  rights = 0;
  flags = 0;
  readSignal = NEVER;
  writeSignal = NEVER;
  #references = 1;

  /** @returns {this} */
  retain() {
    this.#references += 1;
    return this;
  }

  release() {
    this.#references -= 1;
    if (this.#references === 0) this.close();
  }

  close() {}

  /** @returns {Stat} */
  stat() {
    return NOTHING;
  }

  /** Whether a read or write that cannot be done yet is refused and not waited for. */
  get isNonblocking() {
    return false;
  }

  /**
   * Why it lacks a right that does not apply to it.
   * @param {number} _right
   */
  refusal(_right) {
    return E.BADF;
  }

  /**
   * @param {Uint8Array} _bytes
   * @param {number} _start
   * @param {number} _end
   * @param {number} _offset -1 is the current position
   * @returns {number} how many bytes were read, 0 at the end, or BLOCKED
   */
  read(_bytes, _start, _end, _offset) {
    throw E.BADF;
  }

  /**
   * @param {Uint8Array} _bytes
   * @param {number} _start
   * @param {number} _end
   * @param {number} _offset -1 is the current position
   * @returns {number} how many bytes were written, BLOCKED or BROKEN
   */
  write(_bytes, _start, _end, _offset) {
    throw E.BADF;
  }

  /**
   * @param {number} _offset
   * @param {number} _whence
   * @returns {number} the new position
   */
  seek(_offset, _whence) {
    throw E.SPIPE;
  }

  /** @returns {number} how many bytes can be read at once, or BLOCKED */
  readable() {
    return BLOCKED;
  }

  /** @returns {number} how many bytes can be written at once, BLOCKED or BROKEN */
  writable() {
    return BLOCKED;
  }
}

export class FileDescription extends Description {
  /** @override */
  filetype = FileType.REGULAR_FILE;
  #position = 0;

  /**
   * @param {import("./filesystem.js").FileNode} node
   * @param {Access} access
   */
  constructor(node, { isReadable, isWritable, flags }) {
    super();
    this.node = node;
    this.flags = flags;
    this.rights = Rights.FILE & ~(isReadable ? 0 : Right.FD_READ) & ~(isWritable ? 0 : Rights.WRITE);
    this.readSignal = node.ready;
    this.writeSignal = node.ready;
    node.opened();
  }

  /** @override */
  close() {
    this.node.closed();
  }

  /** @override */
  stat() {
    return this.node;
  }

  /**
   * @param {number} right
   * @override
   */
  refusal(right) {
    if (right & Right.PATH_OPEN) return E.NOTDIR;
    return right & Right.FD_FILESTAT_SET_SIZE ? E.INVAL : E.BADF;
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number} start
   * @param {number} end
   * @param {number} offset
   * @override
   */
  read(bytes, start, end, offset) {
    const count = this.node.read(bytes, start, end, offset < 0 ? this.#position : offset);
    if (offset < 0 && count > 0) this.#position += count;
    return count;
  }

  /**
   * As Linux does it, one that appends does so wherever it is told to write.
   * @param {Uint8Array} bytes
   * @param {number} start
   * @param {number} end
   * @param {number} offset
   * @override
   */
  write(bytes, start, end, offset) {
    const at = this.flags & FdFlag.APPEND ? this.node.size : offset < 0 ? this.#position : offset;
    const count = this.node.write(bytes, start, end, at);
    if (offset < 0 && count > 0) this.#position = at + count;
    return count;
  }

  /**
   * @param {number} offset
   * @param {number} whence
   * @override
   */
  seek(offset, whence) {
    const from = whence === Whence.SET ? 0 : whence === Whence.CURRENT ? this.#position : this.node.size;
    const position = from + offset;
    if (position < 0 || !Number.isSafeInteger(position)) throw E.INVAL;
    this.#position = position;
    return position;
  }

  /** @override */
  readable() {
    return Math.max(0, this.node.size - this.#position);
  }

  /** @override */
  writable() {
    return PLENTY;
  }
}

export class DirectoryDescription extends Description {
  /** @override */
  filetype = FileType.DIRECTORY;
  /** @override */
  rights = Rights.DIRECTORY;

  /**
   * @param {import("./filesystem.js").DirectoryNode} node
   * @param {number} [flags]
   */
  constructor(node, flags = 0) {
    super();
    this.node = node;
    this.flags = flags;
  }

  /** @override */
  stat() {
    return this.node;
  }
}
