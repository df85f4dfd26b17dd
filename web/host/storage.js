// A state directory, over the files of whatever platform this runs on.

import { AppendFile, Snapshot } from "./append_file.js";
import { copyOf } from "./bytes.js";
import { isMissing, storageError } from "./errors.js";
import { BlobPack } from "./pack.js";

/**
 * What a platform gives; failures are its own errors.
 * @typedef {object} Files
 * @property {(path: string) => Promise<import("./append_file.js").Handle>} open make it if it is missing
 * @property {(path: string) => Promise<Uint8Array<ArrayBuffer>>} read
 * @property {(path: string, bytes: Uint8Array<ArrayBuffer>) => Promise<void>} replace all or nothing, durable
 * @property {(path: string) => Promise<string[]>} list
 * @property {(path: string) => Promise<void>} remove
 */

const PACK = "blobs.pack";
/** Ends the name of a file that is being replaced; one that was left behind is never shown. */
export const NEW = ".new";

export class Storage {
  #files;
  /** @type {Promise<BlobPack> | null} */
  #pack = null;
  /** @type {Promise<unknown>} */
  #lastWrite = Promise.resolve();

  /** @param {Files} files */
  constructor(files) {
    this.#files = files;
  }

  /**
   * A file that another tab or worker has open is given as it was at this moment, to read.
   * @param {string} path
   * @returns {Promise<AppendFile | Snapshot>}
   */
  async open(path) {
    try {
      return await this.#openToWrite(path);
    } catch (error) {
      if (!(error instanceof Error && error.name === "SessionLocked")) throw error;
      return new Snapshot(path, await this.read(path));
    }
  }

  /** @returns {Promise<BlobPack>} the one pack, opened when it is first asked for */
  blobs() {
    this.#pack ??= this.#openPack();
    return this.#pack;
  }

  /**
   * @param {string} path
   * @returns {Promise<Uint8Array<ArrayBuffer>>}
   */
  read(path) {
    return translating(path, () => this.#files.read(path));
  }

  /**
   * @param {string} path
   * @param {import("./bytes.js").Bytes} data
   * @returns {Promise<void>}
   */
  write(path, data) {
    const bytes = copyOf(data);
    const write = () => translating(path, () => this.#files.replace(path, bytes));
    // In turn, because two writes of one path share the name that the new bytes have until they are whole.
    const written = this.#lastWrite.then(write, write);
    this.#lastWrite = written;
    return written;
  }

  /**
   * @param {string} path
   * @returns {Promise<string[]>}
   */
  async list(path) {
    try {
      const names = await this.#files.list(path);
      return names.filter((name) => !name.endsWith(NEW));
    } catch (error) {
      if (isMissing(error)) return [];
      throw storageError(error, path);
    }
  }

  /**
   * @param {string} path
   * @returns {Promise<void>}
   */
  async remove(path) {
    try {
      await this.#files.remove(path);
    } catch (error) {
      if (!isMissing(error)) throw storageError(error, path);
    }
  }

  /** @param {string} path */
  async #openToWrite(path) {
    return new AppendFile(path, await translating(path, () => this.#files.open(path)));
  }

  async #openPack() {
    let file;
    try {
      file = await this.#openToWrite(PACK);
      return await BlobPack.open(file);
    } catch (error) {
      file?.close();
      this.#pack = null;
      throw error;
    }
  }
}

/**
 * @template T
 * @param {string} path
 * @param {() => Promise<T>} use
 * @returns {Promise<T>}
 */
async function translating(path, use) {
  try {
    return await use();
  } catch (error) {
    throw storageError(error, path);
  }
}
