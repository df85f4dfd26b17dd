// What goes wrong in a person's folder, as the errors that the folder port names.

import { faultOf, HostError, storageError } from "./errors.js";

// So many entries are looked at before others get their turn.
const AT_ONCE = 256;

/**
 * What tells whether an entry was changed, as `FolderEntry.state` does in Python.
 * @param {{ kind: string, size?: number, mtime_ns?: string, target?: string }} entry
 */
export function stateOf({ kind, size = 0, mtime_ns = "0", target }) {
  if (kind === "dir") return "dir";
  return kind === "symlink" ? `symlink ${target}` : `${kind} ${size} ${mtime_ns}`;
}

export class FolderFaults {
  #missing;
  #wrongKind;

  /** @param {{ missing: string[], wrongKind: string[] }} names the platform's names for these failures */
  constructor({ missing, wrongKind }) {
    this.#missing = new Set(missing);
    this.#wrongKind = new Set(wrongKind);
  }

  /**
   * @template T
   * @param {string} path
   * @param {() => Promise<T>} use
   */
  async reading(path, use) {
    try {
      return await use();
    } catch (error) {
      if (!this.#isAbsent(error)) throw this.#translated(error, path);
      throw new HostError("PathMissing", `There is no '${path}' in the folder, or it is a link.`, error);
    }
  }

  /**
   * @param {string} path
   * @param {() => Promise<string>} use
   */
  async ifThere(path, use) {
    try {
      return await use();
    } catch (error) {
      if (this.#isAbsent(error)) return "null";
      throw this.#translated(error, path);
    }
  }

  /**
   * The entries of a directory as JSON, without those that were gone when they were looked at.
   * @template T
   * @param {string} path
   * @param {T[]} found
   * @param {(found: T) => Promise<object>} entryOf
   */
  async listed(path, found, entryOf) {
    const entries = [];
    for (let start = 0; start < found.length; start += AT_ONCE) {
      if (start > 0) await new Promise((resolve) => setTimeout(resolve));
      const some = found.slice(start, start + AT_ONCE);
      const looked = some.map((each) => this.ifThere(path, async () => JSON.stringify(await entryOf(each))));
      entries.push(...(await Promise.all(looked)));
    }
    return `[${entries.filter((entry) => entry !== "null").join(",")}]`;
  }

  /**
   * @template T
   * @param {string} path
   * @param {() => Promise<T>} use
   */
  async writing(path, use) {
    try {
      return await use();
    } catch (error) {
      throw this.#translated(error, path);
    }
  }

  /**
   * @param {string} path
   * @param {() => Promise<void>} use
   */
  async removing(path, use) {
    try {
      await use();
    } catch (error) {
      if (!this.#missing.has(faultOf(error))) throw this.#translated(error, path);
    }
  }

  /**
   * @param {string} path
   * @param {string} why
   * @param {unknown} [cause]
   */
  inTheWay(path, why, cause) {
    return new HostError("WrongKind", `'${path}' in the folder is in the way: ${why}.`, cause);
  }

  /**
   * Throw if what is there is not what the writer has seen.
   * @param {string} path
   * @param {string | undefined} seen
   * @param {string} state
   */
  checkSeen(path, seen = "anything", state) {
    if (seen === "anything" || seen === state) return;
    throw new HostError(
      "PathExists",
      `'${path}' in the folder was changed at this moment; it is left as it is.`,
    );
  }

  /** @param {string} path */
  restless(path) {
    const text = `'${path}' in the folder changes whenever it is read; try again when it rests.`;
    return new HostError("StorageFailed", text);
  }

  /** @param {unknown} error */
  #isAbsent(error) {
    const fault = faultOf(error);
    return this.#missing.has(fault) || this.#wrongKind.has(fault);
  }

  /**
   * @param {unknown} error
   * @param {string} path
   */
  #translated(error, path) {
    if (error instanceof TypeError) {
      return new HostError("InvalidPath", `The folder cannot hold the name '${path}'.`, error);
    }
    if (this.#wrongKind.has(faultOf(error))) {
      return this.inTheWay(path, error instanceof Error ? error.message : "another kind of file", error);
    }
    return storageError(error, path);
  }
}
