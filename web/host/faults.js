// Errors that cross into Python: their names are those of the classes in py_agent/errors.py.

/**
 * @param {string} name
 * @param {string} message
 * @param {unknown} [cause]
 */
export function fault(name, message, cause) {
  const error = new Error(message, { cause });
  error.name = name;
  return error;
}

/** @type {Record<string, string>} */
const NAMES = {
  NotFoundError: "StorageMissing",
  ENOENT: "StorageMissing",
  QuotaExceededError: "StorageFull",
  ENOSPC: "StorageFull",
  EDQUOT: "StorageFull",
  NoModificationAllowedError: "SessionLocked",
};

/** @type {Record<string, string>} */
const SENTENCES = {
  StorageMissing: "There is no file",
  StorageFull: "There is no room left to write",
  SessionLocked: "Another tab or worker holds",
  StorageFailed: "The browser's storage did not take or give",
};

/**
 * The error of a storage call on `path`, as ours.
 * @param {unknown} error
 * @param {string} path
 */
export function storageFault(error, path) {
  const { name, code, message } = /** @type {{name?: string, code?: string, message?: string}} */ (error);
  const known = NAMES[code ?? ""] ?? NAMES[name ?? ""] ?? "StorageFailed";
  return fault(known, `${SENTENCES[known]} ${path}: ${message ?? name}.`, error);
}
