// Blobs in one append-only file, because opening a file per blob is slow where this runs.
//
// A record is the blob's SHA-256, its length in eight bytes and its bytes. Each batch but the first
// begins with a marker, 32 bytes of 0xff and the marker's own offset, written only when what stands
// before it is on the disk. So only what follows the last marker can be torn, and is checked on opening.

import { fromHex, toHex, withBytes } from "./bytes.js";
import { HostError } from "./errors.js";

/**
 * @typedef {import("./append_file.js").AppendFile} AppendFile
 * @typedef {import("./bytes.js").Bytes} Bytes
 * @typedef {{ sha256: string, offset: number, length: number }} BlobRecord
 */

const HASH_BYTES = 32;
const HEADER_BYTES = HASH_BYTES + 8;
const WINDOW_BYTES = 2 ** 16;

export class BlobPack {
  #file;
  /** @type {Map<string, BlobRecord>} */
  #records;
  /** @type {BlobRecord[]} */
  #batch = [];
  #end;

  /**
   * @param {AppendFile} file
   * @param {Map<string, BlobRecord>} records
   */
  constructor(file, records) {
    this.#file = file;
    this.#records = records;
    this.#end = file.size;
  }

  /**
   * Index the file and cut off a torn end.
   * @param {AppendFile} file
   * @returns {Promise<BlobPack>}
   */
  static async open(file) {
    const { settled, last, end } = walk(file);
    const whole = await wholeOnes(file, last);
    const cut = whole.length < last.length ? startOf(last[whole.length]) : end;
    if (cut < file.size) file.truncate(cut);
    return new BlobPack(file, new Map([...settled, ...whole].map((record) => [record.sha256, record])));
  }

  /**
   * @param {string} sha256
   * @returns {boolean}
   */
  has(sha256) {
    return this.#records.has(sha256);
  }

  /**
   * The bytes as they are on the disk; whoever uses them checks their hash.
   * @param {string} sha256
   * @returns {Uint8Array<ArrayBuffer>}
   */
  read(sha256) {
    const record = this.#records.get(sha256);
    if (!record) throw new HostError("StorageMissing", `There is no blob ${sha256}.`);
    return this.#file.read(record.offset, record.length);
  }

  /**
   * Write a blob that is not there yet; it is there once `sync` came back.
   * @param {string} sha256
   * @param {Bytes} data
   */
  add(sha256, data) {
    this.#changing(() => {
      if (this.#batch.length === 0 && this.#end > 0) this.#write(markerAt(this.#end));
      const length = withBytes(data, (bytes) => bytes.length);
      this.#write(header(fromHex(sha256), length));
      this.#batch.push({ sha256, offset: this.#end, length });
      this.#write(data);
    });
  }

  sync() {
    if (this.#batch.length === 0) return;
    this.#changing(() => this.#file.sync());
    for (const record of this.#batch) this.#records.set(record.sha256, record);
    this.#batch = [];
  }

  close() {
    this.#file.close();
  }

  /** @param {Bytes} data */
  #write(data) {
    this.#file.add(data);
    this.#end += withBytes(data, (bytes) => bytes.length);
  }

  /** @param {() => void} change */
  #changing(change) {
    try {
      change();
    } catch (error) {
      this.#batch = [];
      this.#end = this.#file.size;
      throw error;
    }
  }
}

/**
 * Read the headers: the records before the last marker, those after it, and where the last one ends.
 * @param {AppendFile} file
 * @returns {{ settled: BlobRecord[], last: BlobRecord[], end: number }}
 */
function walk(file) {
  const read = windowOn(file);
  /** @type {BlobRecord[]} */
  const records = [];
  let settled = 0;
  let offset = 0;
  while (offset < file.size) {
    const found = recordAt(read, offset, file.size);
    if (found === "marker") {
      settled = records.length;
      offset += HEADER_BYTES;
    } else if (found) {
      records.push(found);
      offset = found.offset + found.length;
    } else {
      // Damage before a marker is not a torn end: what can be reached behind it stays.
      const marker = nextMarker(file, offset + 1);
      if (marker === -1) break;
      offset = marker;
    }
  }
  return { settled: records.slice(0, settled), last: records.slice(settled), end: offset };
}

/**
 * @param {(offset: number) => Uint8Array<ArrayBuffer>} read
 * @param {number} offset
 * @param {number} size
 * @returns {BlobRecord | "marker" | null}
 */
function recordAt(read, offset, size) {
  if (offset + HEADER_BYTES > size) return null;
  const bytes = read(offset);
  const hash = bytes.subarray(0, HASH_BYTES);
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset + HASH_BYTES, 8).getBigUint64(0));
  if (hash.every((byte) => byte === 0xff)) return length === offset ? "marker" : null;
  const start = offset + HEADER_BYTES;
  return start + length > size ? null : { sha256: toHex(hash), offset: start, length };
}

/**
 * The records of the last batch up to the first whose bytes did not all reach the disk.
 * @param {AppendFile} file
 * @param {BlobRecord[]} records
 * @returns {Promise<BlobRecord[]>}
 */
async function wholeOnes(file, records) {
  const whole = [];
  for (const record of records) {
    const hash = await crypto.subtle.digest("SHA-256", file.read(record.offset, record.length));
    if (toHex(new Uint8Array(hash)) !== record.sha256) break;
    whole.push(record);
  }
  return whole;
}

/**
 * @param {AppendFile} file
 * @param {number} from
 * @returns {number} the offset of the next marker, or -1
 */
function nextMarker(file, from) {
  for (let start = from; start + HEADER_BYTES <= file.size; start += WINDOW_BYTES) {
    const bytes = file.read(start, WINDOW_BYTES + HEADER_BYTES);
    let run = 0;
    for (let at = 0; at < bytes.length - 8; at++) {
      run = bytes[at] === 0xff ? run + 1 : 0;
      const offset = start + at + 1 - HASH_BYTES;
      if (run < HASH_BYTES) continue;
      const view = new DataView(bytes.buffer, bytes.byteOffset + at + 1, 8);
      if (Number(view.getBigUint64(0)) === offset) return offset;
    }
  }
  return -1;
}

/**
 * Headers are small and often close together: read them through a window.
 * @param {AppendFile} file
 * @returns {(offset: number) => Uint8Array<ArrayBuffer>}
 */
function windowOn(file) {
  let start = 0;
  let bytes = new Uint8Array();
  return (offset) => {
    if (offset < start || offset + HEADER_BYTES > start + bytes.length) {
      start = offset;
      bytes = file.read(start, WINDOW_BYTES);
    }
    return bytes.subarray(offset - start, offset - start + HEADER_BYTES);
  };
}

/** @param {number} offset */
function markerAt(offset) {
  return header(new Uint8Array(HASH_BYTES).fill(0xff), offset);
}

/**
 * @param {Uint8Array} hash
 * @param {number} length
 */
function header(hash, length) {
  const bytes = new Uint8Array(HEADER_BYTES);
  bytes.set(hash);
  new DataView(bytes.buffer).setBigUint64(HASH_BYTES, BigInt(length));
  return bytes;
}

/** @param {BlobRecord | undefined} record */
function startOf(record) {
  return record ? record.offset - HEADER_BYTES : 0;
}
