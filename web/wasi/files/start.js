// The tree a guest starts with: entries, given as one flat list or directory by directory.

import { E, Errno } from "../errno.js";
import { MemoryDirectory } from "./directory.js";
import { MemoryFile } from "./file.js";
import { MemorySymlink, SYMLINK_MODE } from "./symlink.js";

/**
 * @typedef {object} StartEntry
 * @property {string} name
 * @property {"file" | "dir" | "symlink"} kind
 * @property {number} [size] of a file
 * @property {bigint | number | string} [mtime_ns]
 * @property {number} [mode] permission bits; without them `executable` decides
 * @property {boolean} [executable]
 * @property {string} [blob] which bytes a file starts with; a file without them is empty
 * @property {string} [target] of a symlink
 * @property {number} [nlink] of a directory, to tell it without listing what is in it
 */

/** @typedef {(path: string) => Iterable<StartEntry>} ListStart the path is below the root, "" is the root itself */
/** @typedef {Omit<StartEntry, "name"> & { path: string }} TreeEntry */

/**
 * @param {MemoryDirectory} parent
 * @param {StartEntry} entry
 * @param {ListStart} list
 */
export function nodeOf(parent, entry, list) {
  const { files } = parent;
  const path = parent.start?.path ? `${parent.start.path}/${entry.name}` : entry.name;
  const mode = entry.kind === "symlink" ? SYMLINK_MODE : (entry.mode ?? modeOf(entry));
  const start = {
    path,
    mode,
    mtim: BigInt(entry.mtime_ns ?? 0),
    blob: entry.blob ?? null,
    nlink: entry.nlink,
  };
  if (entry.kind === "dir") return new MemoryDirectory(files, mode, start, list);
  if (entry.kind === "symlink") return new MemorySymlink(files, start, entry.target ?? "");
  return new MemoryFile(files, mode, start, entry.blob === undefined ? 0 : (entry.size ?? 0));
}

/**
 * @param {ListStart} list
 * @param {string} path
 * @returns {StartEntry[]} all of them or, with an Errno, none
 */
export function startEntries(list, path) {
  try {
    return [...list(path)];
  } catch (error) {
    throw error instanceof Errno ? error : E.IO;
  }
}

/** @param {StartEntry} entry */
function modeOf({ kind, executable }) {
  return kind === "dir" || executable ? 0o755 : 0o644;
}

/**
 * @param {Iterable<TreeEntry>} entries in any order; a directory that is only a part of a path is made
 * @returns {ListStart}
 */
export function listTree(entries) {
  /** @type {Map<string, Map<string, StartEntry>>} */
  const directories = new Map([["", new Map()]]);
  for (const entry of entries) {
    const cut = entry.path.lastIndexOf("/");
    const name = entry.path.slice(cut + 1);
    if (name === "" || name === "." || name === "..")
      throw new RangeError(`No entry can be at ${entry.path}.`);
    directoryAt(directories, entry.path.slice(0, Math.max(cut, 0))).set(name, { ...entry, name });
  }
  return (path) => directories.get(path)?.values() ?? [];
}

/**
 * @param {Map<string, Map<string, StartEntry>>} directories
 * @param {string} path
 * @returns {Map<string, StartEntry>}
 */
function directoryAt(directories, path) {
  const found = directories.get(path);
  if (found) return found;
  const cut = path.lastIndexOf("/");
  const name = path.slice(cut + 1);
  if (name === "" || name === "." || name === "..") throw new RangeError(`No entry can be at ${path}.`);
  const above = directoryAt(directories, path.slice(0, Math.max(cut, 0)));
  if (!above.has(name)) above.set(name, { name, kind: "dir" });
  const made = new Map();
  directories.set(path, made);
  return made;
}
