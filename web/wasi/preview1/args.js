// Arguments and environment.

import { SUCCESS } from "../errno.js";

/** @typedef {import("../process.js").Process} Process */

/**
 * @param {Process} process
 * @param {number} pointers
 * @param {number} buffer
 */
export function args_get(process, pointers, buffer) {
  return writeStrings(process.memory, process.args, pointers, buffer);
}

/**
 * @param {Process} process
 * @param {number} count
 * @param {number} size
 */
export function args_sizes_get(process, count, size) {
  return writeSizes(process.memory, process.args, count, size);
}

/**
 * @param {Process} process
 * @param {number} pointers
 * @param {number} buffer
 */
export function environ_get(process, pointers, buffer) {
  return writeStrings(process.memory, process.environ, pointers, buffer);
}

/**
 * @param {Process} process
 * @param {number} count
 * @param {number} size
 */
export function environ_sizes_get(process, count, size) {
  return writeSizes(process.memory, process.environ, count, size);
}

/**
 * @param {import("../memory.js").GuestMemory} memory
 * @param {readonly Uint8Array[]} strings each ends with a NUL
 * @param {number} pointers
 * @param {number} buffer
 */
function writeStrings(memory, strings, pointers, buffer) {
  const first = memory.check(pointers, 4 * strings.length);
  let at = memory.check(buffer, totalOf(strings));
  for (const [index, string] of strings.entries()) {
    memory.setU32(first + 4 * index, at);
    memory.write(at, string);
    at += string.length;
  }
  return SUCCESS;
}

/**
 * @param {import("../memory.js").GuestMemory} memory
 * @param {readonly Uint8Array[]} strings
 * @param {number} count
 * @param {number} size
 */
function writeSizes(memory, strings, count, size) {
  memory.check(size, 4);
  memory.setU32(count, strings.length);
  memory.setU32(size, totalOf(strings));
  return SUCCESS;
}

/** @param {readonly Uint8Array[]} strings */
function totalOf(strings) {
  return strings.reduce((total, string) => total + string.length, 0);
}
