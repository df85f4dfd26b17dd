// A process's table of descriptors: numbers for descriptions, with the rights that remain to each.

import { E } from "./errno.js";

export class Descriptor {
  /**
   * @param {import("./description.js").Description} description
   * @param {number} rights
   * @param {number} inheriting what may be granted to descriptors opened through this one
   * @param {Uint8Array | null} preopen the name a directory is known by from the start
   */
  constructor(description, rights, inheriting, preopen = null) {
    this.description = description;
    this.rights = rights;
    this.inheriting = inheriting;
    this.preopen = preopen;
  }
}

export class Descriptors {
  /** @type {(Descriptor | undefined)[]} */
  #table = [];
  #limit;
  /** No number below it is free. */
  #lowest = 0;

  /** @param {number} limit how many may be open at once */
  constructor(limit) {
    this.#limit = limit;
  }

  /**
   * @param {number} fd as WebAssembly passes it
   * @param {number} [right] all of these bits are needed
   */
  get(fd, right = 0) {
    const descriptor = this.#table[fd >>> 0];
    if (descriptor === undefined) throw E.BADF;
    if ((descriptor.rights & right) !== right) {
      const lacking = right & ~descriptor.description.rights;
      throw lacking ? descriptor.description.refusal(lacking) : E.NOTCAPABLE;
    }
    return descriptor;
  }

  /**
   * @param {number} fd
   * @param {number} right
   * @returns {import("./filesystem.js").DirectoryNode}
   */
  directory(fd, right) {
    const { description } = this.get(fd, right);
    return /** @type {import("./description.js").DirectoryDescription} */ (description).node;
  }

  /** Called before anything is done for a new descriptor, so that nothing has to be undone. */
  checkRoom() {
    while (this.#table[this.#lowest] !== undefined) this.#lowest += 1;
    if (this.#lowest >= this.#limit) throw E.MFILE;
  }

  /**
   * @param {Descriptor} descriptor
   * @returns {number} the lowest number that was free
   */
  add(descriptor) {
    this.checkRoom();
    this.#table[this.#lowest] = descriptor;
    return this.#lowest;
  }

  /** @param {number} fd */
  close(fd) {
    const { description } = this.get(fd);
    this.#table[fd >>> 0] = undefined;
    this.#lowest = Math.min(this.#lowest, fd >>> 0);
    description.release();
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  renumber(from, to) {
    const moved = this.get(from);
    const replaced = this.get(to);
    if (moved === replaced) return;
    this.#table[to >>> 0] = moved;
    this.#table[from >>> 0] = undefined;
    this.#lowest = Math.min(this.#lowest, from >>> 0);
    replaced.description.release();
  }

  closeAll() {
    const table = this.#table;
    this.#table = [];
    this.#lowest = 0;
    for (const descriptor of table) descriptor?.description.release();
  }
}
