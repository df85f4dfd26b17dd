// Files in the origin private file system, as a dedicated worker can use them.

import { writeAll } from "../append_file.js";
import { NEW } from "../storage.js";

/**
 * @typedef {import("../append_file.js").Handle} Handle
 * @typedef {(file: FileSystemFileHandle) => Promise<Handle>} OpenFile
 */

export class PrivateFiles {
  #root;
  #openFile;

  /**
   * @param {FileSystemDirectoryHandle} root
   * @param {OpenFile} [openFile]
   */
  constructor(root, openFile = (file) => file.createSyncAccessHandle()) {
    this.#root = root;
    this.#openFile = openFile;
  }

  /**
   * @param {string} path
   * @returns {Promise<Handle>}
   */
  async open(path) {
    const { directory, name } = await this.#locate(path, { create: true });
    return this.#openFile(await directory.getFileHandle(name, { create: true }));
  }

  /**
   * @param {string} path
   * @returns {Promise<Uint8Array<ArrayBuffer>>}
   */
  async read(path) {
    const { directory, name } = await this.#locate(path);
    const file = await (await directory.getFileHandle(name)).getFile();
    return new Uint8Array(await file.arrayBuffer());
  }

  /**
   * The bytes reach the disk under another name, and moving a file over another is one step.
   * @param {string} path
   * @param {Uint8Array<ArrayBuffer>} bytes
   */
  async replace(path, bytes) {
    const { directory, name } = await this.#locate(path, { create: true });
    const file = /** @type {MovableFile} */ (await directory.getFileHandle(name + NEW, { create: true }));
    const handle = await this.#openFile(file);
    try {
      handle.truncate(0);
      writeAll(handle, bytes, 0);
      handle.flush();
    } finally {
      handle.close();
    }
    await file.move(name);
  }

  /**
   * @param {string} path
   * @returns {Promise<string[]>}
   */
  async list(path) {
    const directory = await this.#directory(path ? path.split("/") : []);
    return Array.fromAsync(directory.keys());
  }

  /** @param {string} path */
  async remove(path) {
    const { directory, name } = await this.#locate(path);
    await directory.removeEntry(name, { recursive: true });
  }

  /**
   * @param {string} path
   * @param {FileSystemGetDirectoryOptions} [options]
   */
  async #locate(path, options) {
    const parts = path.split("/");
    const name = parts.pop() ?? "";
    return { directory: await this.#directory(parts, options), name };
  }

  /**
   * @param {string[]} parts
   * @param {FileSystemGetDirectoryOptions} [options]
   */
  async #directory(parts, options) {
    let directory = this.#root;
    for (const part of parts) directory = await directory.getDirectoryHandle(part, options);
    return directory;
  }
}

/**
 * Browsers move files within their private file system; TypeScript's libraries do not know it.
 * @typedef {FileSystemFileHandle & { move(name: string): Promise<void> }} MovableFile
 */
