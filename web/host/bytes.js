// Bytes as they come from Python: buffers that live in its memory, seen without a copy.

/**
 * What Pyodide hands over for a `bytes`.
 * @typedef {{ getBuffer(type: "u8"): { data: Uint8Array<ArrayBuffer>, release(): void } }} PythonBytes
 * @typedef {Uint8Array<ArrayBuffer> | PythonBytes} Bytes
 */

/**
 * Use the bytes where they are; they are gone when `use` returns.
 * @template T
 * @param {Bytes} data
 * @param {(view: Uint8Array<ArrayBuffer>) => T} use
 * @returns {T}
 */
export function withBytes(data, use) {
  if (data instanceof Uint8Array) return use(data);
  const buffer = data.getBuffer("u8");
  try {
    return use(buffer.data);
  } finally {
    buffer.release();
  }
}

/**
 * A copy that outlives an await, during which Python's memory may grow and move.
 * @param {Bytes} data
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function copyOf(data) {
  return withBytes(data, (view) => view.slice());
}

/**
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function fromHex(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
