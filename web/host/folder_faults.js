// What goes wrong in a person's folder, as the errors that the folder port names.

import { faultOf, HostError, storageError } from "./errors.js";

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
    const looked = found.map((each) => this.ifThere(path, async () => JSON.stringify(await entryOf(each))));
    const entries = await Promise.all(looked);
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
