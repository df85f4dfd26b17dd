// Locks as files that name the process which made them; one whose process is gone counts for nothing.

import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { faultOf, HostError, isMissing, storageError } from "../errors.js";

/** Lock files that this process holds: a file with its number that is not among them is left from before. */
const held = new Set();

export class NodeLocks {
  #root;

  /** @param {string} root */
  constructor(root) {
    this.#root = path.resolve(root);
  }

  /**
   * @param {string} name
   * @returns {Promise<{ release(): Promise<void> }>}
   */
  async acquire(name) {
    const full = path.join(this.#root, `${name}.lock`);
    translating(full, () => {
      fs.mkdirSync(path.dirname(full), { recursive: true });
      take(full, name);
    });
    held.add(full);
    return {
      release: async () => {
        if (held.delete(full)) translating(full, () => fs.rmSync(full, { force: true }));
      },
    };
  }
}

/**
 * @param {string} full
 * @param {() => void} use
 */
function translating(full, use) {
  try {
    use();
  } catch (error) {
    throw storageError(error, full);
  }
}

/**
 * @param {string} full
 * @param {string} name
 */
function take(full, name) {
  const own = `${full}.${randomUUID()}`;
  try {
    fs.writeFileSync(own, ownerOf(process.pid), { mode: 0o600 });
    // A link appears whole or not at all, so that nobody reads a lock file without its owner.
    while (!link(own, full)) {
      const owner = readIfThere(full);
      if (owner !== null && isAlive(owner, full)) {
        const text = `${name} is being written to by process ${owner.split(" ")[0]}; wait for it to end.`;
        throw new HostError("SessionLocked", text);
      }
      if (owner !== null) putAside(full, owner);
    }
  } finally {
    fs.rmSync(own, { force: true });
  }
}

/**
 * @param {string} from
 * @param {string} to
 * @returns {boolean} whether nothing was there
 */
function link(from, to) {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    if (faultOf(error) === "EEXIST") return false;
    throw error;
  }
}

/**
 * Remove a dead process's lock, unless another process has just put its own in that place.
 * @param {string} full
 * @param {string} owner
 */
function putAside(full, owner) {
  const aside = `${full}.${randomUUID()}`;
  try {
    fs.renameSync(full, aside);
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  if (fs.readFileSync(aside, "utf8") !== owner) link(aside, full);
  fs.rmSync(aside);
}

/**
 * @param {string} owner
 * @param {string} full
 */
function isAlive(owner, full) {
  const pid = Number.parseInt(owner, 10);
  if (pid === process.pid) return held.has(full);
  try {
    process.kill(pid, 0);
  } catch (error) {
    return faultOf(error) === "EPERM";
  }
  return owner === ownerOf(pid);
}

/**
 * A process's number, and on Linux when it started, because numbers come again.
 * @param {number} pid
 */
function ownerOf(pid) {
  const stat = readIfThere(`/proc/${pid}/stat`);
  const started = stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  return started ? `${pid} ${started}` : `${pid}`;
}

/**
 * @param {string} full
 * @returns {string | null}
 */
function readIfThere(full) {
  try {
    return fs.readFileSync(full, "utf8");
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
