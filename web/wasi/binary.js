// A module's binary, changed so that its memory is handed in: the host then says how far it may grow,
// differently for each run of one compiled module, and knows it before the first instruction.

import { ProgramError } from "./program_error.js";

export const MEMORY_MODULE = "py_agent";
export const MEMORY_NAME = "memory";

const HEADER_BYTES = 8;
const SECTION = Object.freeze({ CUSTOM: 0, TYPE: 1, IMPORT: 2, MEMORY: 5 });
const KIND_MEMORY = 2;
const HAS_MAXIMUM = 1;
const encoder = new TextEncoder();

/** @typedef {{ initial: number, maximum: number | null }} MemoryPages */
/** @typedef {{ id: number, start: number, body: number, end: number }} Section */

/**
 * @param {Uint8Array} bytes
 * @returns {{ bytes: Uint8Array, memory: MemoryPages | null }} null for a module without a memory of its own
 */
export function importMemory(bytes) {
  checkHeader(bytes);
  const sections = [...sectionsOf(bytes)];
  const memory = sections.find(({ id }) => id === SECTION.MEMORY);
  if (!memory) return { bytes, memory: null };
  const reader = new Reader(bytes, memory.body);
  const count = reader.number();
  if (count === 0) return { bytes, memory: null };
  if (count > 1) throw new ProgramError("has more than one memory");
  const limitsAt = reader.at;
  const pages = pagesAt(reader);
  const imports = importSection(bytes, sections, bytes.subarray(limitsAt, reader.at));
  if (imports.end > memory.start) throw damaged();
  const pieces = [
    bytes.subarray(0, imports.start),
    imports.section,
    bytes.subarray(imports.end, memory.start),
    bytes.subarray(memory.end),
  ];
  return { bytes: joined(pieces), memory: pages };
}

/** @param {Uint8Array} bytes */
function checkHeader(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_BYTES || view.getUint32(0) !== 0x0061736d)
    throw new ProgramError("is no WebAssembly module");
  if (view.getUint32(4, true) !== 1)
    throw new ProgramError("is a WebAssembly component or of an unknown version");
}

/**
 * @param {Uint8Array} bytes
 * @returns {Generator<Section>}
 */
function* sectionsOf(bytes) {
  const reader = new Reader(bytes, HEADER_BYTES);
  while (reader.at < bytes.length) {
    const start = reader.at;
    const id = reader.byte();
    const size = reader.number();
    const body = reader.at;
    reader.at = body + size;
    if (reader.at > bytes.length) throw damaged();
    yield { id, start, body, end: reader.at };
  }
}

/** @param {Reader} reader */
function pagesAt(reader) {
  const flags = reader.byte();
  if (flags & ~HAS_MAXIMUM) throw new ProgramError("has a shared or 64-bit memory");
  const initial = reader.number();
  return { initial, maximum: flags & HAS_MAXIMUM ? reader.number() : null };
}

/**
 * The section of imports with the memory as its last one, and what it takes the place of.
 * @param {Uint8Array} bytes
 * @param {Section[]} sections
 * @param {Uint8Array} limits
 */
function importSection(bytes, sections, limits) {
  const old = sections.find(({ id }) => id === SECTION.IMPORT);
  const entry = joined([name(MEMORY_MODULE), name(MEMORY_NAME), Uint8Array.of(KIND_MEMORY), limits]);
  if (!old) {
    const next = sections.find(({ id }) => id !== SECTION.CUSTOM && id !== SECTION.TYPE);
    const start = next?.start ?? bytes.length;
    return { start, end: start, section: sectionOf([number(1), entry]) };
  }
  const reader = new Reader(bytes, old.body);
  const count = reader.number();
  const section = sectionOf([number(count + 1), bytes.subarray(reader.at, old.end), entry]);
  return { start: old.start, end: old.end, section };
}

/** @param {Uint8Array[]} pieces */
function sectionOf(pieces) {
  const body = joined(pieces);
  return joined([Uint8Array.of(SECTION.IMPORT), number(body.length), body]);
}

/** @param {string} text */
function name(text) {
  const bytes = encoder.encode(text);
  return joined([number(bytes.length), bytes]);
}

/** @param {number} value in the variable length that WebAssembly has for numbers */
function number(value) {
  const bytes = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Uint8Array.of(...bytes, rest);
}

/** @param {Uint8Array[]} pieces */
function joined(pieces) {
  const bytes = new Uint8Array(pieces.reduce((total, piece) => total + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

class Reader {
  #bytes;

  /**
   * @param {Uint8Array} bytes
   * @param {number} at
   */
  constructor(bytes, at) {
    this.#bytes = bytes;
    this.at = at;
  }

  byte() {
    const byte = this.#bytes[this.at++];
    if (byte === undefined) throw damaged();
    return byte;
  }

  number() {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw damaged();
  }
}

function damaged() {
  return new ProgramError("is a damaged WebAssembly module");
}
