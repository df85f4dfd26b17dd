// A guest without a module: calls the host's functions as one would, over a memory of its own.

import { BytesInput, E, Errno, listTree, MemoryFiles, Output, Process } from "../../web/wasi/index.js";
import { PREVIEW1 } from "../../web/wasi/preview1/index.js";
import { entriesOf, StillClock } from "./tree.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const NAMES = new Map(Object.values(E).map(({ code, name }) => [code, name]));
const PAGE = 65536;

export const READ = 1 << 1;
export const WRITE = 1 << 6;
export const O = { CREATE: 1, DIRECTORY: 2, EXCLUSIVE: 4, TRUNCATE: 8 };
export const FD = { APPEND: 1, DSYNC: 2, NONBLOCK: 4, RSYNC: 8, SYNC: 16 };

/** Where this guest keeps what it passes. */
const AT = { result: 0, iovecs: 256, path: 4096, otherPath: 12288, buffer: PAGE };
const BUFFER_BYTES = 3 * PAGE;

export class Guest {
  clock = new StillClock();
  output = "";

  /**
   * @param {import("./tree.js").Tree} [tree] what lies in the directory that is descriptor 3
   * @param {any} [options] of the process, and `files`, `name` and `preopens` for what is preopened
   */
  constructor(tree = {}, { files = {}, streams, preopens, name = "/", ...options } = {}) {
    this.files = new MemoryFiles({ read: (blob) => encoder.encode(blob), clock: this.clock, ...files });
    this.root = this.files.addRoot(listTree(entriesOf(tree)));
    const take = (/** @type {Uint8Array} */ bytes) => {
      this.output += decoder.decode(bytes);
    };
    this.process = new Process(/** @type {any} */ (null), {
      argv: ["guest"],
      streams: streams ?? [new BytesInput(), new Output(take), new Output(take)],
      preopens: preopens?.(this.files, this.root) ?? [{ name, directory: this.root }],
      clock: this.clock,
      ...options,
    });
    this.buffer = new ArrayBuffer(5 * PAGE);
    this.bytes = new Uint8Array(this.buffer);
    this.view = new DataView(this.buffer);
    this.process.memory.attach({ buffer: this.buffer });
  }

  /**
   * @param {string} name
   * @param {(number | bigint)[]} args
   * @returns {any} the name of an errno, "ok", or a promise of one of them
   */
  call(name, ...args) {
    const named = (/** @type {number} */ code) => (code === 0 ? "ok" : (NAMES.get(code) ?? `errno ${code}`));
    const failed = (/** @type {unknown} */ error) => {
      if (error instanceof Errno) return error.name;
      throw error;
    };
    try {
      const answer = PREVIEW1[name]?.call(this.process, ...args);
      return answer instanceof Promise ? answer.then(named, failed) : named(/** @type {number} */ (answer));
    } catch (error) {
      return failed(error);
    }
  }

  /**
   * @param {string} text
   * @param {number} [at]
   * @returns {[number, number]}
   */
  path(text, at = AT.path) {
    const bytes = encoder.encode(text);
    this.bytes.set(bytes, at);
    return [at, bytes.length];
  }

  /**
   * @param {string} path
   * @param {{ fd?: number, oflags?: number, rights?: number, inheriting?: number, flags?: number, follow?: boolean }} [options]
   * @returns {any} a descriptor, or the name of an errno
   */
  open(path, { fd = 3, oflags = 0, rights = READ | WRITE, inheriting = 0, flags = 0, follow = false } = {}) {
    const [at, length] = this.path(path);
    const wanted = [BigInt(rights), BigInt(inheriting)];
    const answer = this.call(
      "path_open",
      fd,
      Number(follow),
      at,
      length,
      oflags,
      ...wanted,
      flags,
      AT.result,
    );
    return answer === "ok" ? this.view.getUint32(AT.result, true) : answer;
  }

  /** @param {string} path */
  openDirectory(path) {
    return this.open(path, { oflags: O.DIRECTORY, rights: READ });
  }

  /**
   * Call a function of one path.
   * @param {string} name
   * @param {string} path
   * @param {number} [fd]
   */
  onPath(name, path, fd = 3) {
    return this.call(name, fd, ...this.path(path));
  }

  /**
   * @param {string} from
   * @param {string} to
   * @param {number} [fd]
   * @param {number} [newFd]
   */
  rename(from, to, fd = 3, newFd = 3) {
    return this.call("path_rename", fd, ...this.path(from), newFd, ...this.path(to, AT.otherPath));
  }

  /**
   * @param {string} from
   * @param {string} to
   * @param {{ fd?: number, newFd?: number, lookup?: number }} [options]
   */
  link(from, to, { fd = 3, newFd = 3, lookup = 0 } = {}) {
    return this.call("path_link", fd, lookup, ...this.path(from), newFd, ...this.path(to, AT.otherPath));
  }

  /**
   * @param {string} target
   * @param {string} path
   */
  symlink(target, path) {
    return this.call("path_symlink", ...this.path(target), 3, ...this.path(path, AT.otherPath));
  }

  /**
   * @param {string} path
   * @param {number} [size]
   */
  readlink(path, size = 100) {
    const answer = this.call("path_readlink", 3, ...this.path(path), AT.buffer, size, AT.result);
    return answer === "ok" ? decoder.decode(this.taken()) : answer;
  }

  /** What was read: as many bytes as the result says. */
  taken() {
    return this.bytes.slice(AT.buffer, AT.buffer + this.view.getUint32(AT.result, true));
  }

  /**
   * @param {number} at
   * @param {number[][]} vector of pointers and lengths
   */
  iovecs(at, vector) {
    for (const [index, [pointer = 0, length = 0]] of vector.entries()) {
      this.view.setUint32(at + 8 * index, pointer, true);
      this.view.setUint32(at + 8 * index + 4, length, true);
    }
  }

  /**
   * @param {number} fd
   * @param {number} [length]
   * @param {number} [offset] of pread
   * @returns {any} text, the name of an errno, or a promise of one of them
   */
  read(fd, length = BUFFER_BYTES, offset) {
    this.iovecs(AT.iovecs, [[AT.buffer, length]]);
    const answer =
      offset === undefined
        ? this.call("fd_read", fd, AT.iovecs, 1, AT.result)
        : this.call("fd_pread", fd, AT.iovecs, 1, BigInt(offset), AT.result);
    const text = (/** @type {string} */ name) => (name === "ok" ? decoder.decode(this.taken()) : name);
    return answer instanceof Promise ? answer.then(text) : text(answer);
  }

  /**
   * @param {number} fd
   * @param {string} text
   * @param {number} [offset] of pwrite
   * @returns {any} how many bytes were written, the name of an errno, or a promise of one of them
   */
  write(fd, text, offset) {
    const bytes = encoder.encode(text);
    this.bytes.set(bytes, AT.buffer);
    this.iovecs(AT.iovecs, [[AT.buffer, bytes.length]]);
    const answer =
      offset === undefined
        ? this.call("fd_write", fd, AT.iovecs, 1, AT.result)
        : this.call("fd_pwrite", fd, AT.iovecs, 1, BigInt(offset), AT.result);
    const count = (/** @type {string} */ name) =>
      name === "ok" ? this.view.getUint32(AT.result, true) : name;
    return answer instanceof Promise ? answer.then(count) : count(answer);
  }

  /**
   * Make a file with this content, or give an existing one this content.
   * @param {string} path
   * @param {string} text
   */
  save(path, text) {
    const fd = this.open(path, { oflags: O.CREATE | O.TRUNCATE });
    this.write(fd, text);
    this.call("fd_close", fd);
  }

  /** @param {string} path */
  content(path) {
    const fd = this.open(path, { rights: READ, follow: true });
    if (typeof fd === "string") return fd;
    const text = this.read(fd);
    this.call("fd_close", fd);
    return text;
  }

  /**
   * @param {number} fd
   * @param {number | bigint} offset
   * @param {number} whence
   */
  seek(fd, offset, whence) {
    const answer = this.call("fd_seek", fd, BigInt(offset), whence, AT.result);
    return answer === "ok" ? Number(this.view.getBigUint64(AT.result, true)) : answer;
  }

  /** @param {number} fd */
  fdstat(fd) {
    const answer = this.call("fd_fdstat_get", fd, AT.result);
    if (answer !== "ok") return answer;
    return {
      type: this.view.getUint8(AT.result),
      flags: this.view.getUint16(AT.result + 2, true),
      rights: Number(this.view.getBigUint64(AT.result + 8, true)),
      inheriting: Number(this.view.getBigUint64(AT.result + 16, true)),
    };
  }

  /**
   * @param {number | string} what a descriptor or a path below descriptor 3
   * @param {{ follow?: boolean }} [options]
   */
  stat(what, { follow = false } = {}) {
    const answer =
      typeof what === "number"
        ? this.call("fd_filestat_get", what, AT.result)
        : this.call("path_filestat_get", 3, Number(follow), ...this.path(what), AT.result);
    if (answer !== "ok") return answer;
    const number = (/** @type {number} */ at) => Number(this.view.getBigUint64(AT.result + at, true));
    return {
      dev: number(0),
      ino: number(8),
      type: this.view.getUint8(AT.result + 16),
      nlink: number(24),
      size: number(32),
      atim: number(40),
      mtim: number(48),
      ctim: number(56),
    };
  }

  /**
   * @param {number} fd
   * @param {number} [cookie]
   * @param {number} [length]
   * @returns {any} records, the name of an errno
   */
  readdir(fd, cookie = 0, length = BUFFER_BYTES) {
    const answer = this.call("fd_readdir", fd, AT.buffer, length, BigInt(cookie), AT.result);
    if (answer !== "ok") return answer;
    const bytes = this.taken();
    const view = new DataView(bytes.buffer);
    const records = [];
    for (let at = 0; at + 24 <= bytes.length; ) {
      const size = view.getUint32(at + 16, true);
      const name = decoder.decode(bytes.subarray(at + 24, at + 24 + size));
      const [next, ino] = [Number(view.getBigUint64(at, true)), Number(view.getBigUint64(at + 8, true))];
      if (at + 24 + size <= bytes.length) records.push({ name, next, ino, type: view.getUint8(at + 20) });
      at += 24 + size;
    }
    return records;
  }

  /**
   * @param {number} fd
   * @returns {string[]}
   */
  names(fd) {
    return this.readdir(fd).map((/** @type {{ name: string }} */ { name }) => name);
  }
}
