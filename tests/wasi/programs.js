// Small programs for tests, assembled.

import { loadProgramNow } from "../../web/wasi/index.js";
import { assemble, op } from "./assemble.js";

const [RESULT, IOVEC, BUFFER] = [0, 16, 1024];
const BUFFER_BYTES = 32768;

/** @param {import("./assemble.js").Source} source */
export function program(source) {
  return loadProgramNow(assemble(source));
}

/**
 * @param {number} at
 * @param {number} length
 */
function iovec(at, length) {
  return [op.store(IOVEC, op.i32(at)), op.store(IOVEC + 4, op.i32(length))];
}

/** @param {number} code */
export function exits(code) {
  return program({ imports: ["proc_exit"], body: (call) => call("proc_exit", code) });
}

/**
 * @param {string} text
 * @param {{ fd?: number, forever?: boolean }} [options]
 */
export function prints(text, { fd = 1, forever = false } = {}) {
  return program({
    imports: ["fd_write"],
    data: { [BUFFER]: text },
    body: (call) => {
      const write = [iovec(BUFFER, text.length), call("fd_write", fd, IOVEC, 1, RESULT), op.drop];
      return forever ? op.loop([write, op.branch(0)]) : write;
    },
  });
}

/** Copies its input to its output; an errno is its exit code. */
export function copies() {
  return program({
    imports: ["fd_read", "fd_write", "proc_exit"],
    body: (call) => [
      op.block([
        op.loop([
          iovec(BUFFER, BUFFER_BYTES),
          op.block([
            call("fd_read", 0, IOVEC, 1, RESULT),
            op.equalsZero,
            op.branchIf(0),
            call("proc_exit", 99),
          ]),
          op.load(RESULT),
          op.equalsZero,
          op.branchIf(1),
          op.store(IOVEC + 4, op.load(RESULT)),
          op.block([
            call("fd_write", 1, IOVEC, 1, RESULT),
            op.equalsZero,
            op.branchIf(0),
            call("proc_exit", 98),
          ]),
          op.branch(0),
        ]),
      ]),
    ],
  });
}

/** Reads once, and ends. */
export function readsOnce() {
  return program({
    imports: ["fd_read"],
    body: (call) => [iovec(BUFFER, 10), call("fd_read", 0, IOVEC, 1, RESULT), op.drop],
  });
}

/** Calls the host for ever without ever waiting. */
export function spins() {
  return program({
    imports: ["clock_time_get"],
    body: (call) => op.loop([call("clock_time_get", 1, 0, 8), op.drop, op.branch(0)]),
  });
}

/** @param {number} milliseconds */
export function sleeps(milliseconds) {
  return printsAndSleeps("", milliseconds);
}

/**
 * @param {string} text
 * @param {number} milliseconds
 */
export function printsAndSleeps(text, milliseconds) {
  return program({
    imports: ["fd_write", "poll_oneoff", "proc_exit"],
    data: { [BUFFER + 200]: text },
    body: (call) => [
      text ? [iovec(BUFFER + 200, text.length), call("fd_write", 1, IOVEC, 1, RESULT), op.drop] : [],
      op.store(BUFFER + 16, op.i32(1)),
      op.store(BUFFER + 24, op.i32(milliseconds * 1e6)),
      call("proc_exit", call("poll_oneoff", BUFFER, BUFFER + 100, 1, RESULT)),
    ],
  });
}

/** Grows its memory page by page as far as it gets; the number of pages is its exit code. */
export function grows({ pages = 1, maximum = /** @type {number | undefined} */ (undefined) } = {}) {
  return program({
    imports: ["proc_exit"],
    pages,
    ...(maximum !== undefined && { maximum }),
    body: (call) => [
      op.loop([op.i32(1), op.memoryGrow, op.i32(1), op.add, op.branchIf(0)]),
      call("proc_exit", op.memorySize),
    ],
  });
}

export function traps() {
  return program({ body: () => op.unreachable });
}

/** Calls itself until the stack is used up. */
export function recurses() {
  return program({ body: () => [op.callSelf(0), op.callSelf(0)] });
}

/** Exits with 7, swallows that, and goes on to print. */
export function survivesExit() {
  const text = "still here";
  return program({
    imports: ["proc_exit", "fd_write"],
    data: { [BUFFER]: text },
    body: (call) => [
      op.catchAll(call("proc_exit", 7)),
      iovec(BUFFER, text.length),
      op.catchAll([call("fd_write", 1, IOVEC, 1, RESULT), op.drop]),
    ],
  });
}
