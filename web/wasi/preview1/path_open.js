// Opening what a path names, and making it where it is missing.

import { FdFlag, LookupFlag, OpenFlag, Right, Rights } from "../abi.js";
import { DirectoryDescription, FileDescription } from "../description.js";
import { Descriptor } from "../descriptors.js";
import { E, SUCCESS } from "../errno.js";
import { existing, resolve } from "../resolve.js";
import { rightsOf } from "./fd.js";

/** @typedef {import("../process.js").Process} Process */
/** @typedef {import("../description.js").Access} Access */

const UNSUPPORTED = FdFlag.DSYNC | FdFlag.RSYNC | FdFlag.SYNC;

/**
 * Of the rights asked for only reading and writing narrow what the descriptor gets, as in wasmtime: programs
 * ask for too few of the others and use them all the same. A directory's inheriting rights hold for all.
 * @param {Process} process
 * @param {number} fd
 * @param {number} lookup
 * @param {number} path
 * @param {number} length
 * @param {number} oflags
 * @param {bigint} rights
 * @param {bigint} inheriting
 * @param {number} flags
 * @param {number} result
 */
export function path_open(process, fd, lookup, path, length, oflags, rights, inheriting, flags, result) {
  const { fds, memory } = process;
  const from = fds.get(fd, neededRights(oflags));
  const wanted = rightsOf(rights);
  checkFlags(lookup, oflags, flags);
  if ((wanted | rightsOf(inheriting)) & ~from.inheriting) throw E.NOTCAPABLE;
  memory.check(result, 4);
  fds.checkRoom();
  const isWritable = (wanted & Right.FD_WRITE) !== 0;
  const isReadable = (wanted & Right.FD_READ) !== 0 || !isWritable;
  const node = nodeAt(fds.directory(fd, 0), memory.path(path, length), lookup, oflags, isWritable);
  const description = opened(node, fds, { isReadable, isWritable, flags });
  const descriptor = new Descriptor(description, description.rights & from.inheriting, from.inheriting);
  memory.setU32(result, fds.add(descriptor));
  return SUCCESS;
}

/**
 * @param {number} lookup
 * @param {number} oflags
 * @param {number} flags
 */
function checkFlags(lookup, oflags, flags) {
  if (lookup & ~LookupFlag.ALL || oflags & ~OpenFlag.ALL || flags & ~FdFlag.ALL) throw E.INVAL;
  if (oflags & OpenFlag.DIRECTORY && oflags !== OpenFlag.DIRECTORY) throw E.INVAL;
  if (flags & UNSUPPORTED) throw E.NOTSUP;
}

/** @param {number} oflags */
function neededRights(oflags) {
  return (
    Right.PATH_OPEN |
    (oflags & OpenFlag.CREATE ? Right.PATH_CREATE_FILE : 0) |
    (oflags & OpenFlag.TRUNCATE ? Right.PATH_FILESTAT_SET_SIZE : 0)
  );
}

/**
 * @param {import("../filesystem.js").DirectoryNode} start
 * @param {string} path
 * @param {number} lookup
 * @param {number} oflags
 * @param {boolean} isWritable
 */
function nodeAt(start, path, lookup, oflags, isWritable) {
  const isCreating = (oflags & OpenFlag.CREATE) !== 0;
  const isNew = isCreating && (oflags & OpenFlag.EXCLUSIVE) !== 0;
  const follow = (lookup & LookupFlag.SYMLINK_FOLLOW) !== 0 && !isNew;
  const place = resolve(start, path, { follow, followSlash: !isCreating });
  if (isCreating && place.hasSlash) throw E.ISDIR;
  if (isNew && place.node) throw E.EXIST;
  if (isCreating && place.node?.kind === "directory") throw E.ISDIR;
  if (isCreating && !place.node) return place.directory.createFile(/** @type {string} */ (place.name));
  const node = existing(place);
  if (node.kind === "symlink") throw E.LOOP;
  if (node.kind === "directory" && (isWritable || oflags & OpenFlag.TRUNCATE)) throw E.ISDIR;
  if (node.kind !== "directory" && oflags & OpenFlag.DIRECTORY) throw E.NOTDIR;
  if (node.kind === "file" && oflags & OpenFlag.TRUNCATE) node.resize(0);
  return node;
}

/**
 * @param {Exclude<import("../filesystem.js").Node, import("../filesystem.js").SymlinkNode>} node
 * @param {import("../descriptors.js").Descriptors} fds
 * @param {Access} access
 */
function opened(node, fds, access) {
  if (node.kind === "device") return node.open(fds, access);
  if (node.kind === "directory") return new DirectoryDescription(node, access.flags);
  return new FileDescription(node, access);
}

/**
 * The descriptor of a directory that a process has from the start.
 * @param {string} name
 * @param {import("../filesystem.js").DirectoryNode} directory
 */
export function preopened(name, directory) {
  const preopen = new TextEncoder().encode(name);
  return new Descriptor(new DirectoryDescription(directory), Rights.DIRECTORY, Rights.ALL, preopen);
}
