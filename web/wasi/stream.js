// Streams behind descriptors: what a pipe's ends, standard input and output and devices have in common.

import { FdFlag, FileType, Right, Rights } from "./abi.js";
import { Description } from "./description.js";
import { E } from "./errno.js";
import { BLOCKED } from "./filesystem.js";

/**
 * Each method may be missing: what cannot be read from has no `read`.
 * @typedef {object} Stream
 * @property {(bytes: Uint8Array, start: number, end: number) => number} [read] bytes, 0 at the end, or BLOCKED
 * @property {(bytes: Uint8Array, start: number, end: number) => number} [write] bytes, BLOCKED or BROKEN
 * @property {() => number} [readable] how many bytes can be read at once, or BLOCKED
 * @property {() => number} [writable] how many bytes can be written at once, BLOCKED or BROKEN
 * @property {import("./signal.js").Signal} [readSignal]
 * @property {import("./signal.js").Signal} [writeSignal]
 * @property {boolean} [isTerminal]
 * @property {() => void} [close]
 */

/** @type {import("./description.js").Access} */
const FULL = { isReadable: true, isWritable: true, flags: 0 };

export class StreamDescription extends Description {
  #stream;

  /**
   * @param {Stream} stream
   * @param {import("./description.js").Access} [access]
   */
  constructor(stream, { isReadable, isWritable, flags } = FULL) {
    super();
    this.#stream = stream;
    this.flags = flags;
    this.filetype = stream.isTerminal ? FileType.CHARACTER_DEVICE : FileType.UNKNOWN;
    const isRead = isReadable && stream.read !== undefined;
    const isWritten = isWritable && stream.write !== undefined;
    this.rights = Rights.STREAM & ~(isRead ? 0 : Right.FD_READ) & ~(isWritten ? 0 : Right.FD_WRITE);
    if (stream.readSignal) this.readSignal = stream.readSignal;
    if (stream.writeSignal) this.writeSignal = stream.writeSignal;
  }

  /** @override */
  get isNonblocking() {
    return (this.flags & FdFlag.NONBLOCK) !== 0;
  }

  /**
   * @param {number} right
   * @override
   */
  refusal(right) {
    return right & (Right.FD_SEEK | Right.FD_TELL) ? E.SPIPE : E.BADF;
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number} start
   * @param {number} end
   * @override
   */
  read(bytes, start, end) {
    return this.#stream.read?.(bytes, start, end) ?? 0;
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number} start
   * @param {number} end
   * @override
   */
  write(bytes, start, end) {
    return this.#stream.write?.(bytes, start, end) ?? BLOCKED;
  }

  /** @override */
  readable() {
    return this.#stream.readable?.() ?? 1;
  }

  /** @override */
  writable() {
    return this.#stream.writable?.() ?? 1;
  }

  /** @override */
  close() {
    this.#stream.close?.();
  }
}

/** A character device: like a stream, but seeking in it does nothing and is no error. */
export class DeviceDescription extends StreamDescription {
  #node;

  /**
   * @param {import("./filesystem.js").NodeState} node
   * @param {Stream} stream
   * @param {import("./description.js").Access} access
   */
  constructor(node, stream, access) {
    super(stream, access);
    this.#node = node;
    this.filetype = FileType.CHARACTER_DEVICE;
    this.rights |= Right.FD_SEEK | Right.FD_TELL;
  }

  /** @override */
  stat() {
    return this.#node;
  }

  /** @override */
  seek() {
    return 0;
  }
}
