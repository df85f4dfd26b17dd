// Where a process works: its strings, its environment, and the directories it is given.

import { Errno } from "./errno.js";
import { existing, resolve } from "./resolve.js";

/** @typedef {{ name: string, directory: import("./filesystem.js").DirectoryNode }} Preopen */

const encoder = new TextEncoder();

/**
 * @param {string} text
 * @returns {Uint8Array} with a NUL at its end, as the guest is given it
 */
export function stringOf(text) {
  if (text.includes("\0"))
    throw new RangeError(`An argument or variable holds a NUL: ${JSON.stringify(text)}.`);
  return encoder.encode(`${text}\0`);
}

/**
 * @param {Iterable<readonly [string, string]>} env
 * @param {string | undefined} cwd
 */
export function environOf(env, cwd) {
  const variables = [...env].filter(([name]) => name !== "PWD" || cwd === undefined);
  if (cwd !== undefined) variables.push(["PWD", cwd]);
  return variables.map(([name, value]) => stringOf(`${name}=${value}`));
}

/**
 * The directory in which a process works comes last, as ".": a libc that knows of no working directory
 * looks there for relative paths.
 * @param {readonly Preopen[]} preopens
 * @param {string | undefined} cwd
 * @returns {Preopen[]}
 */
export function preopensFor(preopens, cwd) {
  if (cwd === undefined) return [...preopens];
  return [...preopens, { name: ".", directory: directoryAt(preopens, cwd) }];
}

/**
 * @param {readonly Preopen[]} preopens
 * @param {string} path
 */
function directoryAt(preopens, path) {
  const holding = preopens
    .filter(({ name }) => isBelow(path, name))
    .sort((a, b) => b.name.length - a.name.length)[0];
  if (!holding) throw new RangeError(`There is no directory ${path}.`);
  const rest = path.slice(holding.name.length).replace(/^\/+/, "");
  try {
    const node = existing(resolve(holding.directory, rest || ".", { follow: true }));
    if (node.kind === "directory") return node;
  } catch (error) {
    if (!(error instanceof Errno)) throw error;
  }
  throw new RangeError(`There is no directory ${path}.`);
}

/**
 * @param {string} path
 * @param {string} name
 */
function isBelow(path, name) {
  return path === name || path.startsWith(name.endsWith("/") ? name : `${name}/`);
}
