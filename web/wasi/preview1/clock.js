// Clocks: what time it is, and how exactly that is known.

import { ClockId } from "../abi.js";
import { E, SUCCESS } from "../errno.js";

/** @typedef {import("../process.js").Process} Process */

/**
 * @param {Process} process
 * @param {number} id
 * @param {number} result
 */
export function clock_res_get(process, id, result) {
  timeOf(process, id);
  process.memory.setU64(result, process.clock.resolution);
  return SUCCESS;
}

/**
 * @param {Process} process
 * @param {number} id
 * @param {bigint} _precision
 * @param {number} result
 */
export function clock_time_get(process, id, _precision, result) {
  process.memory.setU64(result, timeOf(process, id));
  return SUCCESS;
}

/**
 * @param {Process} process
 * @param {number} id
 */
function timeOf({ clock }, id) {
  if (id === ClockId.REALTIME) return clock.realtime();
  if (id === ClockId.MONOTONIC) return clock.monotonic();
  // There is a name for a process's own time, but none is measured.
  throw id === ClockId.PROCESS_CPUTIME || id === ClockId.THREAD_CPUTIME ? E.BADF : E.INVAL;
}
