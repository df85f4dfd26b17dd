// A person's folder in a browser: one that was picked, or one in the origin private file system.

import { copyOf } from "../bytes.js";
import { FolderFaults } from "../folder_faults.js";

/**
 * @typedef {import("../bytes.js").Bytes} Bytes
 * @typedef {FileSystemDirectoryHandle | FileSystemFileHandle} Handle
 */

const faults = new FolderFaults({
  missing: ["NotFoundError"],
  wrongKind: ["TypeMismatchError", "InvalidModificationError"],
});

export class HandleFolder {
  #root;

  /** @param {FileSystemDirectoryHandle} root */
  constructor(root) {
    this.#root = root;
  }

  get label() {
    return this.#root.name;
  }

  /** @param {string} path */
  list(path) {
    return faults.reading(path, async () => {
      const entries = [];
      for await (const handle of (await this.#directory(path)).values()) entries.push(await entryOf(handle));
      return JSON.stringify(entries);
    });
  }

  /** @param {string} path */
  stat(path) {
    return faults.ifThere(path, async () => JSON.stringify(await entryOf(await this.#handle(path))));
  }

  /** @param {string} path */
  read(path) {
    return faults.reading(path, async () => {
      const { directory, name } = await this.#locate(path);
      const file = await (await directory.getFileHandle(name)).getFile();
      return new Uint8Array(await file.arrayBuffer());
    });
  }

  /**
   * A writable's bytes go to a file of its own, which takes the other's place when it is closed.
   * @param {string} path
   * @param {Bytes} data
   */
  write(path, data) {
    const bytes = copyOf(data);
    return faults.writing(path, async () => {
      const { directory, name } = await this.#locate(path, { create: true });
      const handle = await directory.getFileHandle(name, { create: true });
      const writable = await handle.createWritable();
      try {
        await writable.write(bytes);
      } catch (error) {
        await writable.abort();
        throw error;
      }
      await writable.close();
      return nanoseconds((await handle.getFile()).lastModified);
    });
  }

  /** @param {string} path */
  link(path) {
    return faults.writing(path, async () => {
      throw faults.inTheWay(path, "a browser's folders hold no symbolic links");
    });
  }

  /** @param {string} path */
  make_dir(path) {
    return faults.writing(path, async () => {
      await this.#directory(path, { create: true });
    });
  }

  /** @param {string} path */
  remove(path) {
    return faults.removing(path, async () => {
      const { directory, name } = await this.#locate(path);
      await directory.removeEntry(name);
    });
  }

  /**
   * @param {string} path
   * @returns {Promise<Handle>}
   */
  async #handle(path) {
    if (!path) return this.#root;
    const { directory, name } = await this.#locate(path);
    try {
      return await directory.getFileHandle(name);
    } catch (error) {
      if (!(error instanceof DOMException && error.name === "TypeMismatchError")) throw error;
      return directory.getDirectoryHandle(name);
    }
  }

  /**
   * @param {string} path
   * @param {FileSystemGetDirectoryOptions} [options]
   */
  async #locate(path, options) {
    const cut = path.lastIndexOf("/");
    return {
      directory: await this.#directory(path.slice(0, Math.max(cut, 0)), options),
      name: path.slice(cut + 1),
    };
  }

  /**
   * @param {string} path
   * @param {FileSystemGetDirectoryOptions} [options]
   */
  async #directory(path, options) {
    let directory = this.#root;
    for (const part of path ? path.split("/") : [])
      directory = await directory.getDirectoryHandle(part, options);
    return directory;
  }
}

/** @param {Handle} handle */
async function entryOf(handle) {
  if (handle.kind === "directory") return { name: handle.name, kind: "dir" };
  const file = await handle.getFile();
  return { name: handle.name, kind: "file", size: file.size, mtime_ns: nanoseconds(file.lastModified) };
}

/** @param {number} milliseconds */
function nanoseconds(milliseconds) {
  return `${milliseconds}000000`;
}
