// Locks through the Web Locks API: one tab owns a state directory, and a closed tab gives it up.

import { HostError } from "../errors.js";

export class StateLocks {
  #name;
  /** @type {Set<string>} */
  #held = new Set();
  /** @type {Promise<() => Promise<void>> | null} */
  #directory = null;

  /** @param {string} name names the state directory among all of this origin's */
  constructor(name) {
    this.#name = name;
  }

  /**
   * @param {string} name
   * @returns {Promise<{ release(): Promise<void> }>}
   */
  async acquire(name) {
    if (this.#held.has(name)) {
      throw new HostError("SessionLocked", `${name} is being written to in this tab; close it there first.`);
    }
    this.#held.add(name);
    try {
      this.#directory ??= hold(this.#name);
      await this.#directory;
    } catch (error) {
      this.#held.delete(name);
      this.#directory = null;
      throw error;
    }
    return { release: () => this.#release(name) };
  }

  /** @param {string} name */
  async #release(name) {
    if (!this.#held.delete(name) || this.#held.size > 0 || !this.#directory) return;
    const directory = this.#directory;
    this.#directory = null;
    await (await directory)();
  }
}

/**
 * Take a lock of the origin's at once, or refuse.
 * @param {string} name
 * @returns {Promise<() => Promise<void>>} what gives it up
 */
function hold(name) {
  return new Promise((resolve, reject) => {
    const ended = navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      if (!lock) {
        reject(
          new HostError("SessionLocked", "This workspace is open in another tab; close that tab first."),
        );
        return undefined;
      }
      return new Promise((/** @type {(value?: undefined) => void} */ release) => {
        resolve(async () => {
          release();
          await ended;
        });
      });
    });
    ended.catch(reject);
  });
}
