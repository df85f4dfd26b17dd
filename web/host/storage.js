// A state directory: append-only files, whole files and blobs, over a directory of OPFS or of Node.
import { AppendFile, withBytes } from "./append_file.js";
import { storageFault } from "./faults.js";
import { Pack } from "./pack.js";

/** @typedef {import("./append_file.js").Handle} Handle */
/** @typedef {import("./append_file.js").Bytes} Bytes */

/**
 * @typedef {object} Directory
 * @property {(path: string) => Promise<Handle>} openHandle makes the file and its directories
 * @property {(path: string) => Promise<Uint8Array>} readFile
 * @property {(path: string, data: Uint8Array) => Promise<void>} replaceFile all of it or none, durable
 * @property {(path: string) => Promise<string[]>} names none if there is no such directory
 * @property {(path: string) => Promise<void>} remove nothing there is no error
 */

export class Storage {
  /** A second handle on a file is refused by OPFS, so those of one worker share it. */
  /** @type {Map<string, {handle: Handle, users: number}>} */
  #handles = new Map();

  /**
   * @param {Directory} directory
   * @param {Pack} blobs
   */
  constructor(directory, blobs) {
    this.directory = directory;
    this.blobs = blobs;
  }

  /** @param {Directory} directory */
  static async open(directory) {
    const path = "blobs.pack";
    try {
      const handle = await directory.openHandle(path);
      return new Storage(directory, new Pack(new AppendFile(handle, path)));
    } catch (error) {
      throw storageFault(error, path);
    }
  }

  /** @param {string} path */
  async open(path) {
    let shared = this.#handles.get(path);
    if (!shared) {
      shared = { handle: await this.#try(path, () => this.directory.openHandle(path)), users: 0 };
      this.#handles.set(path, shared);
    }
    shared.users += 1;
    return new AppendFile(shared.handle, path, () => this.#leave(path));
  }

  /** @param {string} path */
  read(path) {
    return this.#try(path, () => this.directory.readFile(path));
  }

  /** @param {string} path @param {Bytes} bytes */
  write(path, bytes) {
    const data = withBytes(bytes, (data) => data.slice());
    return this.#try(path, () => this.directory.replaceFile(path, data));
  }

  /** @param {string} path */
  async list(path) {
    return (await this.#try(path, () => this.directory.names(path))).sort();
  }

  /** @param {string} path */
  remove(path) {
    return this.#try(path, () => this.directory.remove(path));
  }

  close() {
    for (const { handle } of this.#handles.values()) handle.close();
    this.#handles.clear();
    this.blobs.close();
  }

  /** @param {string} path */
  #leave(path) {
    const shared = this.#handles.get(path);
    if (!shared) return;
    shared.users -= 1;
    if (shared.users > 0) return;
    shared.handle.close();
    this.#handles.delete(path);
  }

  /**
   * @template T
   * @param {string} path
   * @param {() => Promise<T>} work
   */
  async #try(path, work) {
    try {
      return await work();
    } catch (error) {
      throw storageFault(error, path);
    }
  }
}
