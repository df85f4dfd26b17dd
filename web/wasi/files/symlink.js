// A symlink in memory.

import { Inode } from "./inode.js";

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
    super(files, 0o777, start);
    this.target = target;
    this.size = encoder.encode(target).length;
  }

  get nlink() {
    return this.entries.length;
  }
}
