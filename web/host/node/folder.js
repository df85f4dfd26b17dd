// A person's folder on disk, in Node, where a path is checked name by name because nothing opens relative to a directory.

import fs from "node:fs";
import path from "node:path";
import { writeAll } from "../append_file.js";
import { copyOf } from "../bytes.js";
import { FolderFaults } from "../folder_faults.js";
import { leftIn, temporaryName } from "../temporary.js";
import { syncDirectory } from "./files.js";
import { NodeHandle } from "./handle.js";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = fs.constants;

const faults = new FolderFaults({
  missing: ["ENOENT"],
  wrongKind: ["ENOTDIR", "ELOOP", "EISDIR", "ENOTEMPTY", "EEXIST"],
});

export class NodeFolder {
  #root;

  /** @param {string} root */
  constructor(root) {
    this.#root = fs.realpathSync(root);
  }

  get label() {
    return this.#root;
  }

  /** @param {string} name */
  list(name) {
    return faults.reading(name, async () => {
      const full = this.#directory(name);
      return faults.listed(name, fs.readdirSync(full), async (each) => entryOf(path.join(full, each)));
    });
  }

  /** @param {string} name */
  stat(name) {
    return faults.ifThere(name, async () => JSON.stringify(entryOf(name ? this.#locate(name) : this.#root)));
  }

  /** @param {string} name */
  read(name) {
    return faults.reading(name, async () => {
      const descriptor = fs.openSync(this.#locate(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      try {
        if (!fs.fstatSync(descriptor).isFile())
          throw Object.assign(new Error("not a file"), { code: "ENOENT" });
        return new Uint8Array(fs.readFileSync(descriptor));
      } finally {
        fs.closeSync(descriptor);
      }
    });
  }

  /**
   * @param {string} name
   * @param {import("../bytes.js").Bytes} data
   * @param {boolean} executable
   */
  write(name, data, executable) {
    const bytes = copyOf(data);
    return this.#replacing(name, (temporary, full) => {
      const mode = executable ? 0o777 : 0o666;
      const handle = new NodeHandle(fs.openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode));
      try {
        writeAll(handle, bytes, 0);
        keepMode(temporary, full, executable);
        handle.flush();
      } finally {
        handle.close();
      }
    });
  }

  /**
   * @param {string} name
   * @param {string} target
   */
  link(name, target) {
    return this.#replacing(name, (temporary) => fs.symlinkSync(target, temporary));
  }

  /** @param {string} name */
  make_dir(name) {
    return faults.writing(name, async () => {
      this.#directory(name, { create: true });
    });
  }

  /** @param {string} name */
  remove(name) {
    return faults.removing(name, async () => {
      const full = this.#locate(name);
      if (fs.lstatSync(full).isDirectory()) {
        for (const left of leftIn(fs.readdirSync(full))) fs.unlinkSync(path.join(full, left));
        fs.rmdirSync(full);
      } else fs.unlinkSync(full);
      syncDirectory(path.dirname(full));
    });
  }

  /**
   * @param {string} name
   * @param {(temporary: string, full: string) => void} make
   */
  #replacing(name, make) {
    return faults.writing(name, async () => {
      const full = this.#locate(name, { create: true });
      const temporary = path.join(path.dirname(full), temporaryName());
      try {
        make(temporary, full);
        fs.renameSync(temporary, full);
      } catch (error) {
        fs.rmSync(temporary, { force: true });
        throw error;
      }
      syncDirectory(path.dirname(full));
      return String(fs.lstatSync(full, { bigint: true }).mtimeNs);
    });
  }

  /**
   * @param {string} name
   * @param {{ create: boolean }} [options]
   */
  #locate(name, options) {
    const cut = name.lastIndexOf("/");
    return path.join(this.#directory(name.slice(0, Math.max(cut, 0)), options), name.slice(cut + 1));
  }

  /** A directory that is reached through no link.
   * @param {string} name
   * @param {{ create: boolean }} [options]
   */
  #directory(name, { create } = { create: false }) {
    let full = this.#root;
    for (const part of name ? name.split("/") : []) {
      const parent = full;
      full = path.join(parent, part);
      if (create && !fs.lstatSync(full, { throwIfNoEntry: false })) {
        fs.mkdirSync(full);
        syncDirectory(parent);
      }
      if (!fs.lstatSync(full).isDirectory())
        throw Object.assign(new Error(`${part} is no directory`), { code: "ENOTDIR" });
    }
    return full;
  }
}

/** @param {string} full */
function entryOf(full) {
  const name = path.basename(full);
  const found = fs.lstatSync(full, { bigint: true });
  const mtime_ns = String(found.mtimeNs);
  if (found.isDirectory()) return { name, kind: "dir", mtime_ns };
  if (found.isSymbolicLink()) return { name, kind: "symlink", mtime_ns, target: fs.readlinkSync(full) };
  if (!found.isFile()) return { name, kind: "special", mtime_ns };
  return { name, kind: "file", size: Number(found.size), mtime_ns, executable: Boolean(found.mode & 0o100n) };
}

/**
 * Keep a file's own permissions, but for the executable bits, which are the session's to say.
 * @param {string} temporary
 * @param {string} full
 * @param {boolean} executable
 */
function keepMode(temporary, full, executable) {
  const existing = fs.lstatSync(full, { throwIfNoEntry: false });
  if (!existing?.isFile()) return;
  const mode = existing.mode & 0o777;
  fs.chmodSync(temporary, executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111);
}
