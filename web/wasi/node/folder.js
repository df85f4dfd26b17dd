// A real folder as the tree a guest starts with: listed and read as it is needed, changed when the guest has ended.

import fs from "node:fs";
import path from "node:path";
import { E } from "../errno.js";
import { Staging } from "./staging.js";

/** @typedef {import("../files/changes.js").Change} Change */

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export class RealFolder {
  #root;

  /** @param {string} root */
  constructor(root) {
    this.#root = fs.realpathSync(root);
    if (!fs.statSync(this.#root).isDirectory()) throw new RangeError(`${root} is no directory.`);
  }

  /** What the folder itself is. */
  get start() {
    const { mode, mtimeNs } = fs.lstatSync(this.#root, { bigint: true });
    return { mode: Number(mode & 0o777n), mtime_ns: mtimeNs };
  }

  /**
   * Names that are no UTF-8 cannot be told to a guest, and devices, pipes and sockets are not for it.
   * @param {string} name
   * @returns {import("../files/start.js").StartEntry[]}
   */
  list(name) {
    const full = path.join(this.#root, name);
    const names = translating(() => fs.readdirSync(full, { encoding: "buffer" }));
    return names.flatMap((each) => {
      const text = decoded(each);
      return text === null ? [] : (entryOf(path.join(full, text), text) ?? []);
    });
  }

  /** @param {readonly Change[]} changes as `changesOf` orders them */
  apply(changes) {
    if (changes.length === 0) return;
    const staging = new Staging(this.#root, changes);
    try {
      for (const change of changes) this.#applyOne(change, staging);
    } finally {
      staging.remove();
    }
  }

  /**
   * @param {Change} change
   * @param {Staging} staging
   */
  #applyOne(change, staging) {
    const full = this.#locate(change.path);
    if (change.change === "delete") {
      if (change.kind === "dir") fs.rmdirSync(full);
      else fs.unlinkSync(full);
    } else if (change.kind === "file") {
      staging.place(change, full);
    } else if (change.kind === "symlink") {
      if (change.change === "modify") fs.unlinkSync(full);
      fs.symlinkSync(change.target ?? "", full);
      setTime(full, change);
    } else if (change.change === "add") {
      fs.mkdirSync(full);
    } else {
      checkDirectory(full);
      fs.chmodSync(full, change.mode ?? 0o755);
    }
  }

  /**
   * Whoever else works in the folder may have put a symlink where a directory was: it is not followed.
   * @param {string} name
   */
  #locate(name) {
    const parts = name.split("/");
    let full = this.#root;
    for (const part of parts.slice(0, -1)) {
      full = path.join(full, part);
      checkDirectory(full);
    }
    return path.join(full, parts.at(-1) ?? "");
  }
}

/** @param {string} full */
function checkDirectory(full) {
  if (!fs.lstatSync(full).isDirectory()) throw new RangeError(`${full} is no directory any more.`);
}

/**
 * @param {string} full the path of a file that was listed, which is its blob's name
 * @returns {Uint8Array}
 */
export function readFile(full) {
  return translating(() => {
    const fd = fs.openSync(full, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      return fs.readFileSync(fd);
    } finally {
      fs.closeSync(fd);
    }
  });
}

/**
 * @template T
 * @param {() => T} act
 * @returns {T}
 */
function translating(act) {
  try {
    return act();
  } catch (error) {
    throw error instanceof Error && "code" in error && error.code === "EACCES" ? E.ACCES : E.IO;
  }
}

/**
 * @param {string} full
 * @param {Change} change
 */
export function setTime(full, { mtime_ns = 0n }) {
  const seconds = Number(mtime_ns) / 1e9;
  fs.lutimesSync(full, seconds, seconds);
}

/**
 * @param {string} full
 * @param {string} name
 * @returns {import("../files/start.js").StartEntry | null}
 */
function entryOf(full, name) {
  const stat = fs.lstatSync(full, { bigint: true, throwIfNoEntry: false });
  if (!stat) return null;
  const common = { name, mtime_ns: stat.mtimeNs, mode: Number(stat.mode & 0o777n) };
  if (stat.isDirectory()) return { ...common, kind: "dir", nlink: Number(stat.nlink) };
  if (stat.isSymbolicLink()) return { ...common, kind: "symlink", target: fs.readlinkSync(full) };
  return stat.isFile() ? { ...common, kind: "file", size: Number(stat.size), blob: full } : null;
}

/** @param {Uint8Array} name */
function decoded(name) {
  try {
    return decoder.decode(name);
  } catch {
    return null;
  }
}
