// A person's folder in a browser: one that was picked, or one in the origin private file system.

import { copyOf } from "../bytes.js";
import { faultOf, HostError } from "../errors.js";
import { FolderFaults, stateOf } from "../folder_faults.js";
import { leftIn, temporaryName } from "../temporary.js";

/**
 * @typedef {import("../bytes.js").Bytes} Bytes
 * @typedef {FileSystemDirectoryHandle | FileSystemFileHandle} Handle
 */

const READ_TRIES = 3;

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
      const handles = await Array.fromAsync((await this.#directory(path)).values());
      return faults.listed(path, handles, entryOf);
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
      const handle = await directory.getFileHandle(name);
      for (let tries = 0; tries < READ_TRIES; tries += 1) {
        const bytes = await readWhole(handle);
        if (bytes) return bytes;
      }
      throw faults.restless(path);
    });
  }

  /**
   * @param {string} path
   * @param {Bytes} data
   * @param {boolean} _executable
   * @param {string} [seen]
   */
  write(path, data, _executable, seen) {
    const bytes = copyOf(data);
    return faults.writing(path, async () => {
      const { directory, name } = await this.#locate(path, { create: true });
      const check = async () => faults.checkSeen(path, seen, await this.#state(path));
      await check();
      if (await isThere(directory, name)) await replace(await directory.getFileHandle(name), bytes, check);
      else await make(directory, name, bytes, check);
      return nanoseconds((await (await directory.getFileHandle(name)).getFile()).lastModified);
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

  /**
   * @param {string} path
   * @param {string} [seen]
   */
  remove(path, seen) {
    return faults.removing(path, async () => {
      const { directory, name } = await this.#locate(path);
      faults.checkSeen(path, seen, await this.#state(path));
      const handle = await this.#handle(path);
      if (handle.kind === "directory") {
        for (const left of leftIn(await Array.fromAsync(handle.keys()))) await handle.removeEntry(left);
      }
      await directory.removeEntry(name);
    });
  }

  /** @param {string} path */
  async #state(path) {
    try {
      return stateOf(await entryOf(await this.#handle(path)));
    } catch (error) {
      if (faultOf(error) !== "NotFoundError") throw error;
      return "";
    }
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

/**
 * @param {FileSystemDirectoryHandle} directory
 * @param {string} name
 */
async function isThere(directory, name) {
  try {
    await directory.getFileHandle(name);
    return true;
  } catch (error) {
    if (faultOf(error) === "NotFoundError") return false;
    throw error;
  }
}

/**
 * A writable's bytes go to a file of its own, which takes the other's place when it is closed.
 * @param {FileSystemFileHandle} file
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {() => Promise<void>} check what is done last before that
 */
async function replace(file, bytes, check) {
  const writable = await file.createWritable();
  try {
    await writable.write(bytes);
    await check();
  } catch (error) {
    await writable.abort();
    throw error;
  }
  await writable.close();
}

/**
 * A file is empty when it is made, so it gets its name once it is whole. Not every folder can move files;
 * there an empty one is seen for a moment.
 * @param {FileSystemDirectoryHandle} directory
 * @param {string} name
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {() => Promise<void>} check what is done last before it gets its name
 */
async function make(directory, name, bytes, check) {
  const temporary = await directory.getFileHandle(temporaryName(), { create: true });
  try {
    await replace(temporary, bytes, check);
    await /** @type {import("./files.js").MovableFile} */ (temporary).move(name);
  } catch (error) {
    await directory.removeEntry(temporary.name);
    if (error instanceof HostError || faultOf(error) === "QuotaExceededError") throw error;
    await check();
    await replace(await directory.getFileHandle(name, { create: true }), bytes, async () => {});
  }
}

/**
 * A file's bytes, or null if it changed meanwhile.
 * @param {FileSystemFileHandle} handle
 */
async function readWhole(handle) {
  try {
    return new Uint8Array(await (await handle.getFile()).arrayBuffer());
  } catch (error) {
    if (faultOf(error) !== "NotReadableError") throw error;
    return null;
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
