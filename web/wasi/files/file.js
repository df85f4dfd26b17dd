// A file in memory, whose first bytes are loaded when they are first needed.

import { E, Errno } from "../errno.js";
import { BLOCKED } from "../filesystem.js";
import { Signal } from "../signal.js";
import { Content } from "./content.js";
import { Inode } from "./inode.js";

export class MemoryFile extends Inode {
  /** @type {"file"} */
  kind = "file";
  ready = new Signal();
  /** Whether its bytes may differ from those of the blob it started with. */
  isRewritten;
  #content;
  #startSize;
  #opens = 0;
  #isLoading = false;
  /** @type {Errno | null} why the last loading failed */
  #fault = null;

  /**
   * @param {import("./memory_files.js").MemoryFiles} files
   * @param {number} mode
   * @param {import("./inode.js").Start | null} start
   * @param {number} size of what it starts with
   */
  constructor(files, mode, start, size) {
    super(files, mode, start);
    this.#content = new Content(size);
    this.#startSize = size;
    this.isRewritten = start === null;
  }

  get size() {
    return this.#content.size;
  }

  get nlink() {
    return this.entries.length;
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number} start
   * @param {number} end
   * @param {number} offset
   */
  read(bytes, start, end, offset) {
    if (this.#content.needsStart && !this.#load()) return BLOCKED;
    return this.#content.read(bytes, start, end, offset);
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number} start
   * @param {number} end
   * @param {number} offset
   */
  write(bytes, start, end, offset) {
    if (end === start) return 0;
    if (this.#content.needsStart && !this.#load()) return BLOCKED;
    const size = Math.max(this.size, offset + end - start);
    this.#reserve(size);
    try {
      this.#content.write(bytes, start, end, offset);
    } catch (error) {
      this.files.quota.give(size - this.size);
      throw error;
    }
    this.#stamp();
    return end - start;
  }

  /** @param {number} size */
  resize(size) {
    this.#reserve(size);
    this.#content.resize(size);
    this.#stamp();
  }

  opened() {
    this.#opens += 1;
  }

  closed() {
    this.#opens -= 1;
    if (this.#opens > 0) return;
    this.#content.dropStart();
    this.#fault = null;
    this.releaseIfGone();
  }

  /** What has neither a name nor a descriptor takes no room. */
  releaseIfGone() {
    if (this.#opens > 0 || this.nlink > 0 || !this.isRewritten) return;
    this.files.quota.give(this.size);
    this.#content = new Content(0);
  }

  /** @returns {Promise<Uint8Array>} all its bytes, perhaps shared with this file */
  async toBytes() {
    this.#fault = null;
    while (this.#content.needsStart && !this.#load()) {
      await new Promise((resolve) => this.ready.add(() => resolve(null)));
    }
    return this.#content.toBytes();
  }

  /** @returns {Promise<Uint8Array>} what it started with, not to be changed */
  async startBytes() {
    return this.#startSize === 0
      ? new Uint8Array()
      : this.files.blobs.load(this.start?.blob ?? "", this.#startSize);
  }

  /** @param {number} size */
  #reserve(size) {
    if (size > this.files.maxFileBytes) throw E.FBIG;
    const counted = this.isRewritten ? this.size : 0;
    if (size > counted) this.files.quota.take(size - counted);
    else this.files.quota.give(counted - size);
    this.isRewritten = true;
  }

  #stamp() {
    this.changed();
    this.mtim = this.ctim;
  }

  /** @returns {boolean} whether the start is there; if it is not, `ready` will fire */
  #load() {
    if (this.#isLoading) return false;
    if (this.#fault) throw this.#fault;
    const loaded = this.files.blobs.load(this.start?.blob ?? "", this.#startSize);
    if (loaded instanceof Uint8Array) {
      this.#content.provideStart(loaded);
      return true;
    }
    this.#isLoading = true;
    loaded
      .then(
        (bytes) => this.#content.provideStart(bytes),
        (error) => {
          this.#fault = error instanceof Errno ? error : E.IO;
        },
      )
      .finally(() => {
        this.#isLoading = false;
        this.ready.fire();
      });
    return false;
  }
}
