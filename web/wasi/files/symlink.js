// A symlink in memory.

import { Inode } from "./inode.js";

/** A symlink has no permissions of its own. */
export const SYMLINK_MODE = 0o777;

const encoder = new TextEncoder();

export class MemorySymlink extends Inode {
  /** @type {"symlink"} */
  kind = "symlink";

  /**
   * @param {import("./memory_files.js").MemoryFiles} files
   * @param {import("./inode.js").Start | null} start
   * @param {string} target
   */
  constructor(files, start, target) {
    super(files, SYMLINK_MODE, start);
    this.target = target;
    this.size = encoder.encode(target).length;
  }

  get nlink() {
    return this.entries.length;
  }
}
