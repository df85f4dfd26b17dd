// A disk whose writes are counted, and fail from a chosen one on, as a full, a failing or a dead disk does;
// or the process is killed there.

/**
 * @typedef {import("../../web/host/append_file.js").Handle} Handle
 * @typedef {"full" | "failing" | "dead" | "killed"} Fault
 */

/** What a full disk still does. */
const FREE = new Set(["truncate", "unlink", "rm", "rmdir", "chmod"]);
const SYNCS = new Set(["flush", "fsync"]);

export class FaultyDisk {
  /** @type {string[]} */
  #calls = [];
  /** @type {{ fault: Fault, at: number, isHalf: boolean, isLasting: boolean } | null} */
  #plan = null;
  #hasStruck = false;

  /** @returns {string} the calls so far, as JSON */
  calls() {
    return JSON.stringify(this.#calls);
  }

  has_struck() {
    return this.#hasStruck;
  }

  /** @param {string} text the plan as JSON */
  plan(text) {
    this.#plan = JSON.parse(text);
    this.#hasStruck = false;
  }

  heal() {
    this.#plan = null;
  }

  renew() {
    this.heal();
    this.#calls = [];
  }

  /**
   * @param {Handle} handle
   * @returns {Handle}
   */
  wrap(handle) {
    return {
      getSize: () => handle.getSize(),
      read: (into, options) => handle.read(into, options),
      write: (from, options) => {
        const half = () => handle.write(from.subarray(0, from.length >> 1), options);
        this.#count("write", half);
        return handle.write(from, options);
      },
      flush: () => {
        this.#count("flush");
        handle.flush();
      },
      truncate: (size) => {
        this.#count("truncate");
        handle.truncate(size);
      },
      close: () => handle.close(),
    };
  }

  /**
   * @template {(...given: any[]) => any} Call
   * @param {string} name
   * @param {Call} call
   * @param {(...given: Parameters<Call>) => boolean} [isWrite]
   * @returns {(...given: Parameters<Call>) => ReturnType<Call>}
   */
  guard(name, call, isWrite = () => true) {
    return (...given) => {
      if (isWrite(...given)) this.#count(name);
      return call(...given);
    };
  }

  /**
   * @param {string} name
   * @param {() => void} [half]
   */
  #count(name, half) {
    this.#calls.push(name);
    const plan = this.#plan;
    if (!plan || this.#calls.length < plan.at || isSpared(plan.fault, name)) return;
    if (this.#hasStruck && !plan.isLasting) return;
    if (plan.isHalf && !this.#hasStruck) half?.();
    this.#hasStruck = true;
    if (plan.fault === "killed") process.kill(process.pid, "SIGKILL");
    throw plan.fault === "full" ? full() : failed();
  }
}

/**
 * @param {Fault} fault
 * @param {string} name
 */
function isSpared(fault, name) {
  return (fault === "full" && FREE.has(name)) || (fault === "failing" && !SYNCS.has(name));
}

function full() {
  return new DOMException("The quota has been exceeded.", "QuotaExceededError");
}

function failed() {
  return Object.assign(new Error("input/output error"), { code: "EIO" });
}
