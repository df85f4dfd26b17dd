// Locks of the browser: held by one worker of one tab, given up when it ends.
import { fault } from "./faults.js";

export class WebLocks {
  /** @param {string} scope */
  constructor(scope) {
    this.scope = scope;
  }

  /** @param {string} name @returns {Promise<{release: () => void}>} */
  acquire(name) {
    return new Promise((resolve, reject) => {
      navigator.locks
        .request(`py-agent:${this.scope}:${name}`, { ifAvailable: true }, (lock) => {
          if (lock) return new Promise((release) => resolve({ release: () => release(undefined) }));
          reject(fault("SessionLocked", `${name} is being written to in another tab; close it there first.`));
          return undefined;
        })
        .catch(reject);
    });
  }
}
