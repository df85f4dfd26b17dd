// A directory in memory, whose names are listed when they are first needed.

import { E } from "../errno.js";
import { MemoryFile } from "./file.js";
import { Inode } from "./inode.js";
import { Listing } from "./listing.js";
import { nodeOf, startEntries } from "./start.js";
import { MemorySymlink } from "./symlink.js";

/** @typedef {MemoryFile | MemoryDirectory | MemorySymlink | import("./device.js").Device} MemoryNode */
/** @typedef {import("./inode.js").Entry} Entry */

const NODE_BYTES = 512;
const FIRST_POSITION = 2; // after "." and ".."

export class MemoryDirectory extends Inode {
  /** @type {"directory"} */
  kind = "directory";
  /** Nothing can be added to or taken from a sealed directory. */
  isSealed = false;
  isRoot = false;
  #list;
  /** @type {Map<string, Entry> | null} */
  #names = null;
  /** @type {Map<string, MemoryNode> | null} the names as they were, once they differ */
  #startNames = null;
  /** @type {Listing | null} */
  #listing = null;
  #nextPosition = FIRST_POSITION;
  #directories = 0;

  /**
   * @param {import("./memory_files.js").MemoryFiles} files
   * @param {number} mode
   * @param {import("./inode.js").Start | null} start
   * @param {import("./start.js").ListStart} list
   */
  constructor(files, mode, start, list) {
    super(files, mode, start);
    this.#list = list;
  }

  /** @returns {MemoryDirectory | undefined} */
  get parent() {
    return this.entries[0]?.parent;
  }

  get isRemoved() {
    return !this.isRoot && this.entries.length === 0;
  }

  get nlink() {
    if (this.isRemoved) return 0;
    if (this.#names === null && this.start?.nlink !== undefined) return this.start.nlink;
    this.#listed();
    return 2 + this.#directories;
  }

  get size() {
    return this.isRemoved ? 0 : 4096;
  }

  /** @param {string} name */
  get(name) {
    return this.names().get(name)?.node;
  }

  /** @param {string} name */
  createFile(name) {
    const charge = this.#admit(name);
    const file = new MemoryFile(this.files, 0o644, null, 0);
    this.#attach(name, file, charge);
    return file;
  }

  /** @param {string} name */
  createDirectory(name) {
    const charge = this.#admit(name);
    this.#attach(name, new MemoryDirectory(this.files, 0o755, null, () => []), charge);
  }

  /**
   * @param {string} name
   * @param {string} target
   */
  createSymlink(name, target) {
    const charge = this.#admit(name, target.length);
    this.#attach(name, new MemorySymlink(this.files, null, target), charge);
  }

  /**
   * @param {string} name
   * @param {import("../filesystem.js").Node} node
   */
  link(name, node) {
    if (!(node instanceof MemoryFile || node instanceof MemorySymlink)) throw E.PERM;
    this.#attach(name, node, this.#admit(name));
    node.changed();
  }

  /** @param {string} name */
  unlink(name) {
    const entry = this.#removable(name);
    if (entry.node.kind === "directory") throw E.ISDIR;
    this.#detach(entry);
  }

  /** @param {string} name */
  removeDirectory(name) {
    const entry = this.#removable(name);
    if (entry.node.kind !== "directory") throw E.NOTDIR;
    if (entry.node.names().size > 0) throw E.NOTEMPTY;
    this.#detach(entry);
  }

  /**
   * @param {string} name
   * @param {import("../filesystem.js").DirectoryNode} to
   * @param {string} newName
   */
  rename(name, to, newName) {
    if (!(to instanceof MemoryDirectory)) throw E.INVAL;
    const entry = this.#removable(name);
    const { node } = entry;
    const replaced = to.names().get(newName);
    if (replaced?.node === node) return;
    if (node.kind === "directory" && to.#isBelow(node)) throw E.INVAL;
    if (replaced) this.#checkReplacing(node, replaced.node);
    const charge = to.#charge(newName);
    if (replaced) to.#detach(replaced);
    // First the new name: what has none, not even for a moment, is let go.
    to.#attach(newName, node, charge);
    this.#detach(entry);
    node.changed();
  }

  /**
   * @param {number} cookie
   * @returns {Generator<{ name: string, node: MemoryNode, cookie: number }>}
   */
  *list(cookie) {
    if (cookie < 1) yield { name: ".", node: this, cookie: 1 };
    if (cookie < FIRST_POSITION) yield { name: "..", node: this, cookie: FIRST_POSITION };
    if (this.#listing === null || this.#listing.isStale) this.#listing = new Listing(this.#listed().values());
    for (const { name, node, position } of this.#listing.from(cookie))
      yield { name, node, cookie: position + 1 };
  }

  /** @returns {ReadonlyMap<string, Entry>} */
  names() {
    return this.#listed();
  }

  /** @returns {Map<string, MemoryNode>} what it held before the guest came */
  startNames() {
    return this.#startNames ?? new Map(Array.from(this.#listed(), ([name, { node }]) => [name, node]));
  }

  /**
   * Put a node of the host's own where no guest has been yet.
   * @param {string} name
   * @param {MemoryNode} node
   */
  place(name, node) {
    this.#enter(this.#listed(), name, node, 0);
  }

  #listed() {
    if (this.#names === null) {
      const entries = this.start ? startEntries(this.#list, this.start.path) : [];
      this.#names = new Map();
      for (const entry of entries) this.#enter(this.#names, entry.name, nodeOf(this, entry, this.#list), 0);
    }
    return this.#names;
  }

  /** @param {MemoryDirectory} directory */
  #isBelow(directory) {
    /** @type {MemoryDirectory | undefined} */
    let at = this;
    while (at && at !== directory) at = at.parent;
    return at === directory;
  }

  /** @param {string} name */
  #removable(name) {
    const entry = this.#listed().get(name);
    if (!entry) throw E.NOENT;
    if (this.isSealed) throw E.ACCES;
    return entry;
  }

  /**
   * @param {MemoryNode} node
   * @param {MemoryNode} replaced
   */
  #checkReplacing(node, replaced) {
    if (replaced.kind !== "directory") {
      if (node.kind === "directory") throw E.NOTDIR;
      return;
    }
    if (this.#isBelow(replaced)) throw E.NOTEMPTY;
    if (node.kind !== "directory") throw E.ISDIR;
    if (replaced.names().size > 0) throw E.NOTEMPTY;
  }

  /**
   * @param {string} name
   * @param {number} [extra]
   */
  #admit(name, extra = 0) {
    if (this.#listed().has(name)) throw E.EXIST;
    return this.#charge(name, extra);
  }

  /**
   * @param {string} name
   * @param {number} [extra]
   * @returns {number} what the quota was charged for a name here
   */
  #charge(name, extra = 0) {
    if (this.isSealed) throw E.ACCES;
    if (this.isRemoved) throw E.NOENT;
    const charge = NODE_BYTES + 2 * (name.length + extra);
    this.files.quota.take(charge);
    return charge;
  }

  /**
   * @param {string} name
   * @param {MemoryNode} node
   * @param {number} charge
   */
  #attach(name, node, charge) {
    this.#enter(this.#changing(), name, node, charge);
  }

  /** @param {Entry} entry */
  #detach(entry) {
    const { name, node, charge } = entry;
    this.#changing().delete(name);
    entry.isGone = true;
    this.#listing?.remove();
    node.entries = node.entries.filter((each) => each !== entry);
    if (node.kind === "directory") this.#directories -= 1;
    this.files.quota.give(charge);
    node.ctim = this.ctim;
    if (node.kind === "file") node.releaseIfGone();
  }

  #changing() {
    const names = this.#listed();
    if (this.start) this.#startNames ??= this.startNames();
    this.changed();
    this.mtim = this.ctim;
    return names;
  }

  /**
   * @param {Map<string, Entry>} names
   * @param {string} name
   * @param {MemoryNode} node
   * @param {number} charge
   */
  #enter(names, name, node, charge) {
    const position = this.#nextPosition++;
    /** @type {Entry} */
    const entry = { name, node, parent: this, position, charge, isGone: false };
    names.set(name, entry);
    this.#listing?.add(entry);
    node.entries.push(entry);
    if (node.kind === "directory") this.#directories += 1;
  }
}
