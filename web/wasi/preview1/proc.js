// The process itself: its end, its turn, random bytes.

import { E, SUCCESS } from "../errno.js";
import { Exit } from "../exit.js";

/** @typedef {import("../process.js").Process} Process */

/**
 * @param {Process} process
 * @param {number} code
 * @returns {never}
 */
export function proc_exit(process, code) {
  throw process.end(new Exit(code >>> 0, "exit"));
}

/** @returns {never} */
export function proc_raise() {
  throw E.NOTSUP;
}

/** @param {Process} process */
export function sched_yield(process) {
  return process.yield();
}

/**
 * @param {Process} process
 * @param {number} buffer
 * @param {number} length
 */
export function random_get(process, buffer, length) {
  const size = length >>> 0;
  const start = process.memory.check(buffer, size);
  process.random(process.memory.bytes, start, start + size);
  return SUCCESS;
}
