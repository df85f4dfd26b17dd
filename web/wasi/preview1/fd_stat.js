// What a descriptor's file is, and changes to it that are not writes.

import { Right, TimeFlag } from "../abi.js";
import { E, SUCCESS } from "../errno.js";
import { newTimes, writeFilestat } from "./filestat.js";

/** @typedef {import("../process.js").Process} Process */
/** @typedef {import("../description.js").FileDescription} FileDescription */

const ADVICE_LAST = 5;
const OFFSET_MAX = 2n ** 63n - 1n;

/**
 * @param {Process} process
 * @param {number} fd
 * @param {number} result
 */
export function fd_filestat_get({ fds, memory }, fd, result) {
  const { description } = fds.get(fd, Right.FD_FILESTAT_GET);
  writeFilestat(memory, result, description.stat(), description.filetype);
  return SUCCESS;
}

/**
 * @param {Process} process
 * @param {number} fd
 * @param {bigint} size
 */
export function fd_filestat_set_size({ fds }, fd, size) {
  const file = fileOf(fds, fd, Right.FD_FILESTAT_SET_SIZE);
  file.resize(sizeOf(size));
  return SUCCESS;
}

/**
 * @param {Process} process
 * @param {number} fd
 * @param {bigint} atim
 * @param {bigint} mtim
 * @param {number} flags
 */
export function fd_filestat_set_times(process, fd, atim, mtim, flags) {
  const { description } = process.fds.get(fd, Right.FD_FILESTAT_SET_TIMES);
  const times = newTimes(process.clock, atim, mtim, flags);
  const { node } = /** @type {FileDescription | import("../description.js").DirectoryDescription} */ (
    description
  );
  if (flags & TimeFlag.ALL) node.setTimes(times.atim, times.mtim);
  return SUCCESS;
}

/**
 * @param {Process} process
 * @param {number} fd
 * @param {bigint} offset
 * @param {bigint} length
 */
export function fd_allocate({ fds }, fd, offset, length) {
  const file = fileOf(fds, fd, Right.FD_ALLOCATE);
  if (offset < 0n || length <= 0n) throw E.INVAL;
  const size = sizeOf(offset + length);
  if (size > file.size) file.resize(size);
  return SUCCESS;
}

/**
 * @param {Process} process
 * @param {number} fd
 * @param {bigint} offset
 * @param {bigint} length
 * @param {number} advice
 */
export function fd_advise({ fds }, fd, offset, length, advice) {
  fds.get(fd, Right.FD_ADVISE);
  if (advice >>> 0 > ADVICE_LAST || offset < 0n || length < 0n) throw E.INVAL;
  return SUCCESS;
}

/**
 * @param {Process} process
 * @param {number} fd
 */
export function fd_datasync({ fds }, fd) {
  fds.get(fd, Right.FD_DATASYNC);
  return SUCCESS;
}

/**
 * @param {Process} process
 * @param {number} fd
 */
export function fd_sync({ fds }, fd) {
  fds.get(fd, Right.FD_SYNC);
  return SUCCESS;
}

/**
 * @param {import("../descriptors.js").Descriptors} fds
 * @param {number} fd
 * @param {number} right one that only files have
 */
function fileOf(fds, fd, right) {
  return /** @type {FileDescription} */ (fds.get(fd, right).description).node;
}

/** @param {bigint} size */
function sizeOf(size) {
  if (size < 0n) throw E.INVAL;
  if (size > OFFSET_MAX) throw E.FBIG;
  return Number(size);
}
