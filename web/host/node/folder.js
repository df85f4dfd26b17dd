// A person's folder on disk, in Node, where a path is checked name by name because nothing opens relative to a directory.

import { isUtf8 } from "node:buffer";
import fs from "node:fs";
import path from "node:path";
import { writeAll } from "../append_file.js";
import { copyOf } from "../bytes.js";
import { faultOf } from "../errors.js";
import { FolderFaults, stateOf } from "../folder_faults.js";
import { leftIn, temporaryName } from "../temporary.js";
import { syncDirectory } from "./files.js";
import { NodeHandle } from "./handle.js";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = fs.constants;
const READ_TRIES = 3;

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
      const names = fs.readdirSync(full, { encoding: "buffer" });
      return faults.listed(name, names, async (bytes) => entryIn(full, bytes));
    });
  }

  /** @param {string} name */
  stat(name) {
    return faults.ifThere(name, async () => JSON.stringify(entryOf(name ? this.#locate(name) : this.#root)));
  }

  /** @param {string} name */
  read(name) {
    return faults.reading(name, async () => {
      const full = this.#locate(name);
      for (let tries = 0; tries < READ_TRIES; tries += 1) {
        const bytes = readWhole(full);
        if (bytes) return bytes;
      }
      throw faults.restless(name);
    });
  }

  /**
   * @param {string} name
   * @param {import("../bytes.js").Bytes} data
   * @param {boolean} executable
   * @param {string} [seen]
   */
  write(name, data, executable, seen) {
    const bytes = copyOf(data);
    return this.#replacing(name, seen, (temporary, full) => {
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
   * @param {string} [seen]
   */
  link(name, target, seen) {
    return this.#replacing(name, seen, (temporary) => fs.symlinkSync(target, temporary));
  }

  /** @param {string} name */
  make_dir(name) {
    return faults.writing(name, async () => {
      this.#directory(name, { create: true });
    });
  }

  /**
   * @param {string} name
   * @param {string} [seen]
   */
  remove(name, seen) {
    return faults.removing(name, async () => {
      const full = this.#locate(name);
      faults.checkSeen(name, seen, stateAt(full));
      if (fs.lstatSync(full).isDirectory()) {
        for (const left of leftIn(fs.readdirSync(full))) fs.unlinkSync(path.join(full, left));
        fs.rmdirSync(full);
      } else fs.unlinkSync(full);
      syncDirectory(path.dirname(full));
    });
  }

  /**
   * @param {string} name
   * @param {string | undefined} seen
   * @param {(temporary: string, full: string) => void} make
   */
  #replacing(name, seen, make) {
    return faults.writing(name, async () => {
      const full = this.#locate(name, { create: true });
      const temporary = path.join(path.dirname(full), temporaryName());
      try {
        make(temporary, full);
        faults.checkSeen(name, seen, stateAt(full));
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

/**
 * @param {string} directory
 * @param {Buffer} name
 */
function entryIn(directory, name) {
  if (!isUtf8(name)) return { name: textOf(name), kind: "special" };
  return entryOf(path.join(directory, name.toString()));
}

/** @param {string} full */
function entryOf(full) {
  const name = path.basename(full);
  const found = fs.lstatSync(full, { bigint: true });
  const mtime_ns = String(found.mtimeNs);
  if (found.isDirectory()) return { name, kind: "dir", mtime_ns };
  if (found.isSymbolicLink()) return { name, kind: "symlink", mtime_ns, target: targetOf(full) };
  if (!found.isFile()) return { name, kind: "special", mtime_ns };
  return { name, kind: "file", size: Number(found.size), mtime_ns, executable: Boolean(found.mode & 0o100n) };
}

/** @param {string} full */
function targetOf(full) {
  try {
    return textOf(fs.readlinkSync(full, { encoding: "buffer" }));
  } catch (error) {
    // It was a link a moment ago.
    throw faultOf(error) === "EINVAL" ? Object.assign(new Error("no link"), { code: "ENOENT" }) : error;
  }
}

/** @param {string} full */
function stateAt(full) {
  return fs.lstatSync(full, { throwIfNoEntry: false }) ? stateOf(entryOf(full)) : "";
}

/**
 * Bytes as text; each byte that is not UTF-8 becomes a lone surrogate, as in Python.
 * @param {Buffer} bytes
 */
function textOf(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const size = [1, 2, 3, 4].find((count) => isUtf8(bytes.subarray(at, at + count)));
    text += size ? bytes.toString("utf8", at, at + size) : String.fromCharCode(0xdc00 + (bytes[at] ?? 0));
    at += size ?? 1;
  }
  return text;
}

/**
 * A file's bytes, or null if it changed meanwhile.
 * @param {string} full
 */
function readWhole(full) {
  const descriptor = fs.openSync(full, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const before = fs.fstatSync(descriptor, { bigint: true });
    if (!before.isFile()) throw Object.assign(new Error("not a file"), { code: "ENOENT" });
    const bytes = new Uint8Array(fs.readFileSync(descriptor));
    const after = fs.fstatSync(descriptor, { bigint: true });
    const isSame = before.mtimeNs === after.mtimeNs && before.size === after.size;
    return isSame && after.size === BigInt(bytes.length) ? bytes : null;
  } finally {
    fs.closeSync(descriptor);
  }
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
  if (Boolean(mode & 0o100) === executable) fs.chmodSync(temporary, mode);
  else fs.chmodSync(temporary, executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111);
}
