// The same directory for Node, over real files.
import fs from "node:fs";
import path from "node:path";
import { fault } from "./faults.js";

/** @typedef {import("./append_file.js").Handle} Handle */
/** @typedef {import("./storage.js").Directory} Directory */

/** @implements {Handle} */
class NodeHandle {
  /** @param {number} descriptor */
  constructor(descriptor) {
    this.descriptor = descriptor;
  }

  getSize() {
    return fs.fstatSync(this.descriptor).size;
  }

  /** @param {Uint8Array} data @param {{at: number}} options */
  read(data, { at }) {
    return fs.readSync(this.descriptor, data, 0, data.length, at);
  }

  /** @param {Uint8Array} data @param {{at: number}} options */
  write(data, { at }) {
    return fs.writeSync(this.descriptor, data, 0, data.length, at);
  }

  /** @param {number} size */
  truncate(size) {
    fs.ftruncateSync(this.descriptor, size);
  }

  flush() {
    fs.fdatasyncSync(this.descriptor);
  }

  close() {
    fs.closeSync(this.descriptor);
  }
}

/** @implements {Directory} */
export class NodeDirectory {
  /** @param {string} root */
  constructor(root) {
    this.root = root;
  }

  /** @param {string} name */
  async openHandle(name) {
    const full = this.#make(name);
    return new NodeHandle(fs.openSync(full, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600));
  }

  /** @param {string} name */
  async readFile(name) {
    return new Uint8Array(fs.readFileSync(path.join(this.root, name)));
  }

  /** @param {string} name @param {Uint8Array} data */
  async replaceFile(name, data) {
    const full = this.#make(name);
    const descriptor = fs.openSync(`${full}.new`, "w", 0o600);
    try {
      fs.writeFileSync(descriptor, data);
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
    fs.renameSync(`${full}.new`, full);
  }

  /** @param {string} name */
  async names(name) {
    const full = path.join(this.root, name);
    return fs.existsSync(full) ? fs.readdirSync(full) : [];
  }

  /** @param {string} name */
  async remove(name) {
    fs.rmSync(path.join(this.root, name), { recursive: true, force: true });
  }

  /** @param {string} name */
  #make(name) {
    const full = path.join(this.root, name);
    fs.mkdirSync(path.dirname(full), { recursive: true });
    return full;
  }
}

/** Locks as files that hold the process id; the lock of a process that is gone counts as free. */
export class NodeLocks {
  /** @param {string} root */
  constructor(root) {
    this.root = root;
  }

  /** @param {string} name */
  async acquire(name) {
    const full = path.join(this.root, `${name}.lock`);
    fs.mkdirSync(path.dirname(full), { recursive: true });
    if (fs.existsSync(full) && !isRunning(Number(fs.readFileSync(full, "utf8")))) fs.rmSync(full);
    try {
      fs.writeFileSync(full, String(process.pid), { flag: "wx" });
    } catch (error) {
      throw fault("SessionLocked", `${name} is being written to elsewhere; close it there first.`, error);
    }
    return { release: () => fs.rmSync(full, { force: true }) };
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
