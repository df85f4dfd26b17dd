// How a process ended, read from what was thrown through it.

import { Exit, ExitCode } from "./exit.js";

/**
 * @typedef {object} Outcome
 * @property {number} code
 * @property {import("./exit.js").Cause} cause
 * @property {string} message why, where the host ended it or it trapped: the rest of a sentence that begins with its name
 * @property {boolean} isExhausted whether this thread has no room for another memory, and a fresh one may
 * @property {unknown} [error] what was thrown, if it was no Exit
 */

/**
 * @param {Exit | null} exit what the process was ended with
 * @param {unknown} error what came out of it, null if nothing did
 * @returns {Outcome}
 */
export function outcomeOf(exit, error) {
  const end = exit ?? (error instanceof Exit ? error : null);
  if (end && (error === null || error instanceof Exit || end.cause !== "trap")) {
    return { code: end.code, cause: end.cause, message: end.message, isExhausted: false };
  }
  if (error === null) return { code: 0, cause: "exit", message: "", isExhausted: false };
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof WebAssembly.LinkError || isOutOfMemory(error)) {
    const isExhausted = isOutOfMemory(error);
    return {
      code: ExitCode.NOT_STARTED,
      cause: "start",
      message: `cannot be started: ${message}`,
      isExhausted,
      error,
    };
  }
  return { code: ExitCode.TRAP, cause: "trap", message: `trapped: ${message}`, isExhausted: false, error };
}

/**
 * Engines tell it in a RangeError, as they do for a stack that is used up; only its text differs.
 * @param {unknown} error
 */
function isOutOfMemory(error) {
  return (
    error instanceof RangeError && /memory|allocat/i.test(error.message) && !/call stack/i.test(error.message)
  );
}
