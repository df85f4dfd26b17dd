// A file system in memory: roots that a guest sees as directories, and what all their nodes share.

import { SystemClock } from "../clock.js";
import { Blobs } from "./blobs.js";
import { MemoryDirectory } from "./directory.js";
import { Quota } from "./quota.js";

/**
 * @typedef {object} MemoryFilesOptions
 * @property {import("./blobs.js").ReadBlob} [read] gives the bytes of a blob when they are first needed
 * @property {import("../clock.js").Clock} [clock]
 * @property {number} [total_bytes] how much the guest may write in all
 * @property {number} [file_bytes] how large a file may become
 * @property {number} [cache_bytes] how many bytes of blobs that are not in use are kept
 */

export class MemoryFiles {
  clock;
  quota;
  blobs;
  maxFileBytes;
  #lastIno = 0;

  /** @param {MemoryFilesOptions} [options] */
  constructor({ read, clock, total_bytes = 2 ** 30, file_bytes = total_bytes, cache_bytes = 2 ** 26 } = {}) {
    this.clock = clock ?? new SystemClock();
    this.quota = new Quota(total_bytes);
    this.maxFileBytes = file_bytes;
    this.blobs = new Blobs(read ?? noBlobs, cache_bytes);
  }

  /**
   * @param {import("./start.js").ListStart} [list] what it starts with, directory by directory
   * @param {{ mode?: number, mtime_ns?: bigint }} [itself]
   */
  addRoot(list = () => [], { mode = 0o755, mtime_ns = this.clock.fileTime() } = {}) {
    const start = { path: "", mode, mtim: mtime_ns, blob: null, nlink: undefined };
    const root = new MemoryDirectory(this, mode, start, list);
    root.isRoot = true;
    return root;
  }

  nextIno() {
    this.#lastIno += 1;
    return this.#lastIno;
  }
}

/** @returns {never} */
function noBlobs() {
  throw new RangeError("This file system was given no blobs.");
}
