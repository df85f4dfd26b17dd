// Errors that cross into Python: `name` is the class of py_agent.errors that is raised there.

/**
 * @typedef {"StorageMissing" | "StorageFull" | "StorageFailed" | "SessionLocked" | "InvalidPath"
 *   | "PathExists" | "PathMissing" | "WrongKind" | "Unreachable" | "ConnectionLost"} ErrorName
 */

export class HostError extends Error {
  /**
   * @param {ErrorName} name
   * @param {string} message
   * @param {unknown} [cause]
   */
  constructor(name, message, cause) {
    super(message, { cause });
    this.name = name;
  }
}

const FULL = new Set(["QuotaExceededError", "ENOSPC", "EDQUOT", "EFBIG"]);
const MISSING = new Set(["NotFoundError", "ENOENT"]);

/**
 * What the platform calls the failure: a DOMException's name or Node's code. A mistake in our own
 * code has neither and gives "", so that it is never taken for a full disk.
 * @param {unknown} error
 * @returns {string}
 */
export function faultOf(error) {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  return error instanceof DOMException || error.name === "QuotaExceededError" ? error.name : "";
}

/**
 * @param {unknown} error
 * @returns {boolean}
 */
export function isMissing(error) {
  return MISSING.has(faultOf(error));
}

/**
 * What to throw instead of `error`, which came up while `path` was used.
 * @param {unknown} error
 * @param {string} path
 * @returns {unknown}
 */
export function storageError(error, path) {
  const fault = faultOf(error);
  if (error instanceof HostError || !fault) return error;
  if (MISSING.has(fault)) return new HostError("StorageMissing", `There is no ${path}.`, error);
  const why = error instanceof Error ? error.message : fault;
  if (FULL.has(fault)) {
    const text = `No room to write ${path}: ${why} Free some space; nothing stored before is lost.`;
    return new HostError("StorageFull", text, error);
  }
  if (fault === "NoModificationAllowedError") return lockedError(path, error);
  return new HostError("StorageFailed", `${path} could not be used: ${why}`, error);
}

/**
 * @param {string} path
 * @param {unknown} [cause]
 * @returns {HostError}
 */
export function lockedError(path, cause) {
  const text = `${path} is in use in another tab or worker; close it there, then try again.`;
  return new HostError("SessionLocked", text, cause);
}
