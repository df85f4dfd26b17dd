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
 * @param {{ hasStarted: boolean }} state
 * @returns {Outcome}
 */
export function outcomeOf(exit, error, { hasStarted }) {
  const end = error instanceof Exit ? (exit ?? error) : exit?.cause === "trap" ? null : exit;
  if (end) return { code: end.code, cause: end.cause, message: end.message, isExhausted: false };
  if (error === null) return { code: 0, cause: "exit", message: "", isExhausted: false };
  const message = error instanceof Error ? error.message : String(error);
  if (hasStarted || error instanceof WebAssembly.RuntimeError) {
    return { code: ExitCode.TRAP, cause: "trap", message: `trapped: ${message}`, isExhausted: false, error };
  }
  const text = `cannot be started: ${message}`;
  const isExhausted = error instanceof RangeError;
  return { code: ExitCode.NOT_STARTED, cause: "start", message: text, isExhausted, error };
}
