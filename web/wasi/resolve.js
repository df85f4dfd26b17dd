// From a path to a place below one directory: no path and no symlink leads out of it.

import { E } from "./errno.js";

const NAME_MAX = 255;
const SYMLINKS_MAX = 40;
const encoder = new TextEncoder();

/**
 * @typedef {import("./filesystem.js").Node} Node
 * @typedef {import("./filesystem.js").DirectoryNode} DirectoryNode
 */

/**
 * Where a path ends. Without a name it ends at the directory itself, as "." and "a/.." do.
 * @typedef {object} Place
 * @property {DirectoryNode} directory
 * @property {string | null} name
 * @property {Node | undefined} node
 * @property {boolean} hasSlash whether only a directory can be meant
 */

/**
 * @typedef {object} Following
 * @property {boolean} follow whether a symlink at the end is followed
 * @property {boolean} [followSlash] whether one with a slash after it is, in any case
 */

/**
 * @param {DirectoryNode} start
 * @param {string} path
 * @param {Following} following
 * @returns {Place}
 */
export function resolve(start, path, { follow, followSlash = true }) {
  /** @type {DirectoryNode[]} the way down, never above `start` */
  const way = [start];
  const parts = partsOf(path);
  let hasSlash = path.endsWith("/");
  let symlinks = 0;
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const directory = /** @type {DirectoryNode} */ (way[way.length - 1]);
    if (part === ".") continue;
    if (part === "..") {
      if (way.length === 1) throw E.PERM;
      way.pop();
      continue;
    }
    const node = lookUp(directory, part);
    const isLast = parts.length === 0;
    if (node?.kind === "symlink" && (!isLast || follow || (hasSlash && followSlash))) {
      symlinks += 1;
      if (symlinks > SYMLINKS_MAX) throw E.LOOP;
      if (node.target === "") throw E.NOENT;
      parts.push(...partsOf(node.target));
      hasSlash ||= isLast && node.target.endsWith("/");
    } else if (isLast) {
      return { directory, name: part, node, hasSlash };
    } else {
      way.push(directoryOf(node));
    }
  }
  const directory = /** @type {DirectoryNode} */ (way[way.length - 1]);
  return { directory, name: null, node: directory, hasSlash };
}

/**
 * Whatever is there; nothing is an error, and so is a slash behind something that is no directory.
 * @param {Place} place
 * @returns {Node}
 */
export function existing({ node, hasSlash }) {
  if (!node) throw E.NOENT;
  if (hasSlash && node.kind !== "directory") throw E.NOTDIR;
  return node;
}

/**
 * @param {string} path
 * @returns {string[]} the last part first
 */
function partsOf(path) {
  if (path.startsWith("/")) throw E.PERM;
  if (!path.includes("/")) return [path];
  return path
    .split("/")
    .filter((part) => part !== "")
    .reverse();
}

/**
 * @param {DirectoryNode} directory
 * @param {string} name
 */
function lookUp(directory, name) {
  if (name.length * 3 > NAME_MAX && encoder.encode(name).length > NAME_MAX) throw E.NAMETOOLONG;
  return directory.get(name);
}

/** @param {Node | undefined} node */
function directoryOf(node) {
  if (!node) throw E.NOENT;
  if (node.kind !== "directory") throw E.NOTDIR;
  return node;
}
