// A directory in the browser's origin private file system, used from a worker.

/** @typedef {import("./storage.js").Directory} Directory */

/** @implements {Directory} */
export class OpfsDirectory {
  /** @param {FileSystemDirectoryHandle} root */
  constructor(root) {
    this.root = root;
  }

  /** @param {string} path */
  async openHandle(path) {
    const file = await this.#file(path, true);
    return file.createSyncAccessHandle();
  }

  /** @param {string} path */
  async readFile(path) {
    const file = await (await this.#file(path, false)).getFile();
    return new Uint8Array(await file.arrayBuffer());
  }

  /**
   * The bytes go to a new file first; giving it the old one's name is one step.
   * @param {string} path
   * @param {Uint8Array} data
   */
  async replaceFile(path, data) {
    const file = await this.#file(`${path}.new`, true);
    const handle = await file.createSyncAccessHandle();
    try {
      handle.truncate(0);
      handle.write(data, { at: 0 });
      handle.flush();
    } finally {
      handle.close();
    }
    const movable = /** @type {FileSystemFileHandle & {move(name: string): Promise<void>}} */ (file);
    await movable.move(/** @type {string} */ (path.split("/").pop()));
  }

  /** @param {string} path */
  async names(path) {
    try {
      const directory = await this.#directory(path.split("/").filter(Boolean), false);
      const names = [];
      for await (const name of directory.keys()) names.push(name);
      return names;
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /** @param {string} path */
  async remove(path) {
    const parts = path.split("/");
    const name = /** @type {string} */ (parts.pop());
    try {
      await (await this.#directory(parts, false)).removeEntry(name, { recursive: true });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  /** @param {string} path @param {boolean} create */
  async #file(path, create) {
    const parts = path.split("/");
    const name = /** @type {string} */ (parts.pop());
    return (await this.#directory(parts, create)).getFileHandle(name, { create });
  }

  /** @param {string[]} parts @param {boolean} create */
  async #directory(parts, create) {
    let directory = this.root;
    for (const part of parts) directory = await directory.getDirectoryHandle(part, { create });
    return directory;
  }
}

/** @param {unknown} error */
function isMissing(error) {
  return error instanceof DOMException && error.name === "NotFoundError";
}
