// Files of a state directory on disk, in Node.

import fs from "node:fs";
import path from "node:path";
import { writeAll } from "../append_file.js";
import { NEW } from "../storage.js";
import { NodeHandle } from "./handle.js";

/**
 * @typedef {import("../append_file.js").Handle} Handle
 * @typedef {(path: string, flags: number) => Handle} OpenFile
 */

const { O_CREAT, O_RDWR, O_TRUNC } = fs.constants;
const OWNER_ONLY = 0o600;

export class NodeFiles {
  #root;
  #openFile;
  /** Files that were made, but whose names may not have reached the disk. */
  #unsettled = new Set();

  /**
   * @param {string} root
   * @param {OpenFile} [openFile]
   */
  constructor(root, openFile = (full, flags) => new NodeHandle(fs.openSync(full, flags, OWNER_ONLY))) {
    this.#root = path.resolve(root);
    this.#openFile = openFile;
  }

  /**
   * @param {string} name
   * @returns {Promise<Handle>}
   */
  async open(name) {
    const full = path.join(this.#root, name);
    if (!fs.existsSync(full)) this.#unsettled.add(full);
    fs.mkdirSync(path.dirname(full), { recursive: true });
    const handle = this.#openFile(full, O_RDWR | O_CREAT);
    try {
      if (this.#unsettled.has(full)) this.#syncParents(full);
    } catch (error) {
      handle.close();
      throw error;
    }
    this.#unsettled.delete(full);
    return handle;
  }

  /**
   * @param {string} name
   * @returns {Promise<Uint8Array<ArrayBuffer>>}
   */
  async read(name) {
    return new Uint8Array(fs.readFileSync(path.join(this.#root, name)));
  }

  /**
   * @param {string} name
   * @param {Uint8Array<ArrayBuffer>} bytes
   */
  async replace(name, bytes) {
    const full = path.join(this.#root, name);
    fs.mkdirSync(path.dirname(full), { recursive: true });
    const handle = this.#openFile(full + NEW, O_RDWR | O_CREAT | O_TRUNC);
    try {
      writeAll(handle, bytes, 0);
      handle.flush();
    } finally {
      handle.close();
    }
    fs.renameSync(full + NEW, full);
    this.#syncParents(full);
  }

  /** @param {string} name */
  async list(name) {
    return fs.readdirSync(path.join(this.#root, name));
  }

  /** @param {string} name */
  async remove(name) {
    fs.rmSync(path.join(this.#root, name), { recursive: true });
  }

  /**
   * Make a new name durable, and the directories that may have been made for it.
   * @param {string} full
   */
  #syncParents(full) {
    for (let at = path.dirname(full); ; at = path.dirname(at)) {
      syncDirectory(at);
      if (at === this.#root || at === path.dirname(at)) return;
    }
  }
}

/** @param {string} full */
export function syncDirectory(full) {
  const descriptor = fs.openSync(full, "r");
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
