// Blobs in one append-only file: a record is the SHA-256, the length in 8 bytes, and the bytes.
import { withBytes } from "./append_file.js";
import { fault } from "./faults.js";

/** @typedef {import("./append_file.js").AppendFile} AppendFile */
/** @typedef {import("./append_file.js").Bytes} Bytes */

const HEADER = 40;

export class Pack {
  /** @type {Map<string, {offset: number, length: number}>} */
  #index = new Map();
  /** @type {{sha256: string, record: Uint8Array}[]} */
  #staged = [];

  /** @param {AppendFile} file */
  constructor(file) {
    this.file = file;
    this.#walk();
  }

  /** @param {string} sha256 */
  has(sha256) {
    return this.#index.has(sha256);
  }

  /**
   * Take a blob in; it is kept once `flush` has come back.
   * @param {string} sha256
   * @param {Bytes} bytes
   */
  stage(sha256, bytes) {
    if (this.has(sha256) || this.#staged.some((blob) => blob.sha256 === sha256)) return;
    withBytes(bytes, (data) => {
      const record = new Uint8Array(HEADER + data.length);
      record.set(fromHex(sha256), 0);
      new DataView(record.buffer).setBigUint64(32, BigInt(data.length));
      record.set(data, HEADER);
      this.#staged.push({ sha256, record });
    });
  }

  /** Write all that was staged, with one flush. On failure none of it is kept. */
  flush() {
    const staged = this.#staged;
    this.#staged = [];
    if (staged.length === 0) return;
    const total = new Uint8Array(staged.reduce((sum, blob) => sum + blob.record.length, 0));
    let at = 0;
    for (const { record } of staged) {
      total.set(record, at);
      at += record.length;
    }
    let offset = this.file.getSize();
    this.file.append(total);
    for (const { sha256, record } of staged) {
      this.#index.set(sha256, { offset: offset + HEADER, length: record.length - HEADER });
      offset += record.length;
    }
  }

  /** @param {string} sha256 */
  get(sha256) {
    const place = this.#index.get(sha256);
    if (!place) throw fault("StorageMissing", `There is no blob ${sha256}.`);
    return this.file.read(place.offset, place.length);
  }

  close() {
    this.file.close();
  }

  /** Index every whole record; what a crash left behind the last one is cut off. */
  #walk() {
    const size = this.file.getSize();
    let offset = 0;
    while (offset + HEADER <= size) {
      const header = this.file.read(offset, HEADER);
      const length = Number(new DataView(header.buffer, header.byteOffset).getBigUint64(32));
      if (offset + HEADER + length > size) break;
      this.#index.set(toHex(header.subarray(0, 32)), { offset: offset + HEADER, length });
      offset += HEADER + length;
    }
    if (offset < size) this.file.truncate(offset);
  }
}

/** @param {string} text */
function fromHex(text) {
  return Uint8Array.from({ length: 32 }, (_, index) => Number.parseInt(text.slice(index * 2, index * 2 + 2), 16));
}

/** @param {Uint8Array} bytes */
function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
