// What is done with a path without opening it.

import { LookupFlag, Right, TimeFlag } from "../abi.js";
import { E, SUCCESS } from "../errno.js";
import { existing, resolve } from "../resolve.js";
import { filetypeOf, newTimes, writeFilestat } from "./filestat.js";

/** @typedef {import("../process.js").Process} Process */
/** @typedef {import("../resolve.js").Place} Place */

const encoder = new TextEncoder();

/**
 * @param {Process} process
 * @param {number} fd
 * @param {number} path
 * @param {number} length
 */
export function path_create_directory(process, fd, path, length) {
  const following = { follow: false, followSlash: false };
  const place = placeAt(process, fd, Right.PATH_CREATE_DIRECTORY, path, length, following);
  if (place.name === null || place.node) throw E.EXIST;
  place.directory.createDirectory(place.name);
  return SUCCESS;
}

/**
 * @param {Process} process
 * @param {number} fd
 * @param {number} lookup
 * @param {number} path
 * @param {number} length
 * @param {number} result
 */
export function path_filestat_get(process, fd, lookup, path, length, result) {
  const node = existing(placeAt(process, fd, Right.PATH_FILESTAT_GET, path, length, following(lookup)));
  writeFilestat(process.memory, result, node, filetypeOf(node));
  return SUCCESS;
}

/**
 * @param {Process} process
 * @param {number} fd
 * @param {number} lookup
 * @param {number} path
 * @param {number} length
 * @param {bigint} atim
 * @param {bigint} mtim
 * @param {number} flags
 */
export function path_filestat_set_times(process, fd, lookup, path, length, atim, mtim, flags) {
  const times = newTimes(process.clock, atim, mtim, flags);
  const node = existing(placeAt(process, fd, Right.PATH_FILESTAT_SET_TIMES, path, length, following(lookup)));
  if (flags & TimeFlag.ALL) node.setTimes(times.atim, times.mtim);
  return SUCCESS;
}

/**
 * A link to what a symlink points at cannot be asked for: wasmtime has no such links either.
 * @param {Process} process
 * @param {number} fd
 * @param {number} lookup
 * @param {number} path
 * @param {number} length
 * @param {number} newFd
 * @param {number} newPath
 * @param {number} newLength
 */
export function path_link(process, fd, lookup, path, length, newFd, newPath, newLength) {
  process.fds.get(newFd, Right.PATH_LINK_TARGET);
  const from = placeAt(process, fd, Right.PATH_LINK_SOURCE, path, length, { follow: false });
  if (lookup !== 0) throw E.INVAL;
  const to = placeAt(process, newFd, Right.PATH_LINK_TARGET, newPath, newLength, { follow: false });
  const node = existing(from);
  const name = vacant(to);
  if (node.kind === "directory") throw E.PERM;
  to.directory.link(name, node);
  return SUCCESS;
}

/**
 * @param {Process} process
 * @param {number} fd
 * @param {number} path
 * @param {number} length
 * @param {number} buffer
 * @param {number} size
 * @param {number} result
 */
export function path_readlink(process, fd, path, length, buffer, size, result) {
  const { memory } = process;
  const node = existing(placeAt(process, fd, Right.PATH_READLINK, path, length, { follow: false }));
  if (node.kind !== "symlink") throw E.INVAL;
  if (node.target.startsWith("/")) throw E.PERM;
  const target = encoder.encode(node.target).subarray(0, size >>> 0);
  memory.check(result, 4);
  memory.write(buffer, target);
  memory.setU32(result, target.length);
  return SUCCESS;
}

/**
 * @param {Process} process
 * @param {number} fd
 * @param {number} path
 * @param {number} length
 */
export function path_remove_directory(process, fd, path, length) {
  const following = { follow: false, followSlash: false };
  const place = placeAt(process, fd, Right.PATH_REMOVE_DIRECTORY, path, length, following);
  if (place.name === null) throw E.INVAL;
  place.directory.removeDirectory(place.name);
  return SUCCESS;
}

/**
 * @param {Process} process
 * @param {number} fd
 * @param {number} path
 * @param {number} length
 * @param {number} newFd
 * @param {number} newPath
 * @param {number} newLength
 */
export function path_rename(process, fd, path, length, newFd, newPath, newLength) {
  process.fds.get(newFd, Right.PATH_RENAME_TARGET);
  const following = { follow: false, followSlash: false };
  const from = placeAt(process, fd, Right.PATH_RENAME_SOURCE, path, length, following);
  const to = placeAt(process, newFd, Right.PATH_RENAME_TARGET, newPath, newLength, following);
  if (from.name === null || to.name === null) throw E.BUSY;
  const node = existing(from);
  const isSlashed = to.hasSlash && (node.kind !== "directory" || (to.node && to.node.kind !== "directory"));
  if (isSlashed) throw E.NOTDIR;
  from.directory.rename(from.name, to.directory, to.name);
  return SUCCESS;
}

/**
 * @param {Process} process
 * @param {number} target
 * @param {number} targetLength
 * @param {number} fd
 * @param {number} path
 * @param {number} length
 */
export function path_symlink(process, target, targetLength, fd, path, length) {
  process.fds.get(fd, Right.PATH_SYMLINK);
  const text = process.memory.path(target, targetLength);
  if (text.startsWith("/")) throw E.PERM;
  const place = placeAt(process, fd, Right.PATH_SYMLINK, path, length, { follow: false });
  place.directory.createSymlink(vacant(place), text);
  return SUCCESS;
}

/**
 * @param {Process} process
 * @param {number} fd
 * @param {number} path
 * @param {number} length
 */
export function path_unlink_file(process, fd, path, length) {
  const place = placeAt(process, fd, Right.PATH_UNLINK_FILE, path, length, { follow: false });
  if (existing(place).kind === "directory") throw E.ISDIR;
  place.directory.unlink(/** @type {string} */ (place.name));
  return SUCCESS;
}

/**
 * @param {Process} process
 * @param {number} fd
 * @param {number} right
 * @param {number} path
 * @param {number} length
 * @param {import("../resolve.js").Following} following
 */
function placeAt({ fds, memory }, fd, right, path, length, following) {
  const directory = fds.directory(fd, right);
  return resolve(directory, memory.path(path, length), following);
}

/** @param {number} lookup */
function following(lookup) {
  if (lookup & ~LookupFlag.ALL) throw E.INVAL;
  return { follow: (lookup & LookupFlag.SYMLINK_FOLLOW) !== 0 };
}

/**
 * @param {Place} place
 * @returns {string} a name that can be made there
 */
function vacant({ name, node, hasSlash }) {
  if (hasSlash && node?.kind !== "directory") throw node ? E.NOTDIR : E.NOENT;
  if (name === null || node) throw E.EXIST;
  return name;
}
