// Descriptors themselves: closing, renumbering, their flags and rights, and the names of preopened directories.

import { FdFlag, Right, Rights, Size } from "../abi.js";
import { E, SUCCESS } from "../errno.js";

/** @typedef {import("../process.js").Process} Process */

const PREOPEN_DIRECTORY = 0;

/**
 * @param {Process} process
 * @param {number} fd
 */
export function fd_close(process, fd) {
  process.fds.close(fd);
  return SUCCESS;
}

/**
 * @param {Process} process
 * @param {number} from
 * @param {number} to
 */
export function fd_renumber(process, from, to) {
  process.fds.renumber(from, to);
  return SUCCESS;
}

/**
 * @param {Process} process
 * @param {number} fd
 * @param {number} result
 */
export function fd_fdstat_get({ fds, memory }, fd, result) {
  const { description, rights, inheriting } = fds.get(fd);
  memory.clear(result, Size.FDSTAT);
  memory.setU8(result, description.filetype);
  memory.setU16(result + 2, description.flags);
  memory.setU64(result + 8, rights);
  memory.setU64(result + 16, inheriting);
  return SUCCESS;
}

/**
 * @param {Process} process
 * @param {number} fd
 * @param {number} flags
 */
export function fd_fdstat_set_flags({ fds }, fd, flags) {
  const { description } = fds.get(fd, Right.FD_FDSTAT_SET_FLAGS);
  if (flags & ~(FdFlag.APPEND | FdFlag.NONBLOCK)) throw E.INVAL;
  description.flags = flags;
  return SUCCESS;
}

/**
 * Rights can be given up, never taken back.
 * @param {Process} process
 * @param {number} fd
 * @param {bigint} rights
 * @param {bigint} inheriting
 */
export function fd_fdstat_set_rights({ fds }, fd, rights, inheriting) {
  const descriptor = fds.get(fd);
  const wanted = rightsOf(rights);
  const wantedInheriting = rightsOf(inheriting);
  if (wanted & ~descriptor.rights || wantedInheriting & ~descriptor.inheriting) throw E.NOTCAPABLE;
  descriptor.rights = wanted;
  descriptor.inheriting = wantedInheriting;
  return SUCCESS;
}

/**
 * @param {Process} process
 * @param {number} fd
 * @param {number} result
 */
export function fd_prestat_get({ fds, memory }, fd, result) {
  const { preopen } = fds.get(fd);
  if (!preopen) throw E.BADF;
  memory.clear(result, Size.PRESTAT);
  memory.setU8(result, PREOPEN_DIRECTORY);
  memory.setU32(result + 4, preopen.length);
  return SUCCESS;
}

/**
 * @param {Process} process
 * @param {number} fd
 * @param {number} buffer
 * @param {number} length
 */
export function fd_prestat_dir_name({ fds, memory }, fd, buffer, length) {
  const { preopen } = fds.get(fd);
  if (!preopen) throw E.NOTDIR;
  if (length >>> 0 < preopen.length) throw E.NAMETOOLONG;
  memory.write(buffer, preopen);
  return SUCCESS;
}

/** @param {bigint} bits */
export function rightsOf(bits) {
  const rights = Number(BigInt.asUintN(64, bits));
  if (rights > Rights.ALL) throw E.INVAL;
  return rights;
}
