// Clock and ids: the same calls in browsers and in Node.

import { toHex } from "./bytes.js";

export const clock = {
  /** @returns {number} seconds since 1970, UTC */
  now: () => Date.now() / 1000,
  /** @returns {number} seconds since this worker started */
  monotonic: () => performance.now() / 1000,
};

export const ids = {
  /** @returns {string} 32 hexadecimal characters, all of them random */
  make: () => toHex(crypto.getRandomValues(new Uint8Array(16))),
};
