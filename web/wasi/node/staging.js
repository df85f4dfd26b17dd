// New files of a folder, written aside before anything is deleted: some are copies of what will be gone then.

import fs from "node:fs";
import path from "node:path";
import { setTime } from "./folder.js";

/** @typedef {import("../files/changes.js").Change} Change */

export class Staging {
  #root;
  /** @type {string | null} */
  #folder = null;
  /** @type {Map<Change, string>} */
  #staged = new Map();

  /**
   * @param {string} root
   * @param {readonly Change[]} changes
   */
  constructor(root, changes) {
    this.#root = root;
    try {
      for (const change of changes) {
        if (change.kind === "file" && change.change !== "delete" && !this.#isInPlace(change))
          this.#stage(change);
      }
    } catch (error) {
      this.remove();
      throw error;
    }
  }

  /**
   * A file is replaced, never written into: it may be a hard link to something outside the folder.
   * @param {Change} change
   * @param {string} full
   */
  place(change, full) {
    const staged = this.#staged.get(change);
    if (staged) {
      fs.renameSync(staged, full);
    } else {
      checkFile(full);
      fs.chmodSync(full, change.mode ?? 0o644);
      setTime(full, change);
    }
  }

  remove() {
    if (this.#folder) fs.rmSync(this.#folder, { recursive: true, force: true });
  }

  /**
   * Whether only its time or mode changed.
   * @param {Change} change
   */
  #isInPlace({ change, blob, path: name }) {
    return change === "modify" && blob === path.join(this.#root, name);
  }

  /** @param {Change} change */
  #stage(change) {
    this.#folder ??= fs.mkdtempSync(path.join(this.#root, ".wasi-"));
    const staged = path.join(this.#folder, String(this.#staged.size));
    if (change.blob) {
      checkFile(change.blob);
      fs.copyFileSync(change.blob, staged, fs.constants.COPYFILE_EXCL);
    } else {
      fs.writeFileSync(staged, change.bytes ?? new Uint8Array(), { flag: "wx" });
    }
    fs.chmodSync(staged, change.mode ?? 0o644);
    setTime(staged, change);
    this.#staged.set(change, staged);
  }
}

/** @param {string} full */
function checkFile(full) {
  if (!fs.lstatSync(full).isFile()) throw new RangeError(`${full} is no file any more.`);
}
