// Random bytes, in pieces of the size that crypto gives at once.

const PIECE = 2 ** 16;

/**
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} end
 */
export function randomBytes(bytes, start, end) {
  for (let at = start; at < end; at += PIECE) {
    crypto.getRandomValues(
      /** @type {Uint8Array<ArrayBuffer>} */ (bytes.subarray(at, Math.min(end, at + PIECE))),
    );
  }
}
