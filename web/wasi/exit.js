// How a guest ends: the signal that unwinds it, and the exit codes that are the host's own.

/** Where a shell would see a signal's number plus 128, so does whoever reads an outcome. */
export const ExitCode = Object.freeze({
  /** It never began: no such module, not a command, damaged, too large, too many at once. */
  NOT_STARTED: 126,
  /** It trapped, as by `abort`: unreachable code, an access out of bounds, too deep a recursion. */
  TRAP: 134,
  /** It was stopped from outside or ran out of time. */
  STOPPED: 137,
  /** It wrote to a pipe that nobody reads any more. */
  BROKEN_PIPE: 141,
  /** It wrote more output than it may. */
  OUTPUT_LIMIT: 153,
});

/** @typedef {"exit" | "trap" | "stop" | "time limit" | "broken pipe" | "output limit" | "no wait" | "start"} Cause */

/** Thrown through the guest. It is no Error: its stack tells nothing, and taking one costs time. */
export class Exit {
  /**
   * @param {number} code
   * @param {Cause} cause
   * @param {string} [message] a sentence, where a person should be told
   */
  constructor(code, cause, message = "") {
    this.code = code;
    this.cause = cause;
    this.message = message;
  }
}
