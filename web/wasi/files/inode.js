// What files, directories and symlinks in memory have in common: times, links, and what they were at the start.

/**
 * A name in a directory.
 * @typedef {object} Entry
 * @property {string} name
 * @property {import("./directory.js").MemoryNode} node
 * @property {import("./directory.js").MemoryDirectory} parent
 * @property {number} position in listings, kept for as long as it exists
 * @property {number} charge what the quota was charged for it
 * @property {boolean} isGone
 */

/**
 * What a node was before the guest came.
 * @typedef {object} Start
 * @property {string} path below its root
 * @property {bigint} mtim
 * @property {number} mode
 * @property {string | null} blob of a file
 * @property {number | undefined} nlink of a directory, where it is known before its names are
 */

export class Inode {
  /** @type {Entry[]} */
  entries = [];
  /** Whether this or, in a directory, anything below may differ from the start. */
  isTouched = false;

  /**
   * @param {import("./memory_files.js").MemoryFiles} files
   * @param {number} mode
   * @param {Start | null} start null for what the guest made
   */
  constructor(files, mode, start) {
    this.files = files;
    this.ino = files.nextIno();
    this.mode = mode;
    this.start = start;
    this.mtim = start ? start.mtim : files.clock.fileTime();
    this.atim = this.mtim;
    this.ctim = this.mtim;
  }

  /**
   * @param {bigint | null} atim
   * @param {bigint | null} mtim
   */
  setTimes(atim, mtim) {
    if (atim !== null) this.atim = atim;
    if (mtim !== null) this.mtim = mtim;
    this.changed();
  }

  /** @param {number} mode */
  setMode(mode) {
    this.mode = mode;
    this.changed();
  }

  changed() {
    this.ctim = this.files.clock.fileTime();
    this.touch();
  }

  /** Mark every directory above as well; above one that is marked all are. */
  touch() {
    if (this.isTouched) return;
    this.isTouched = true;
    for (const { parent } of this.entries) {
      /** @type {import("./directory.js").MemoryDirectory | undefined} */
      let above = parent;
      while (above && !above.isTouched) {
        above.isTouched = true;
        above = above.parent;
      }
    }
  }
}
