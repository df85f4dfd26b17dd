// The functions a guest imports: each call is checked, and what goes wrong in it is answered as a number.

import { MEMORY_MODULE, MEMORY_NAME } from "./binary.js";
import { Errno } from "./errno.js";
import { Exit, ExitCode } from "./exit.js";
import { MODULE, PREVIEW1 } from "./preview1/index.js";
import { suspending } from "./suspending.js";

/**
 * @typedef {import("./preview1/index.js").HostFunction} HostFunction
 * @typedef {Readonly<Record<string, Readonly<Record<string, HostFunction>>>>} ImportModules
 * @typedef {import("./process.js").Process} Process
 */

/**
 * @param {Process} process
 * @param {import("./program.js").Program} program
 * @param {ImportModules} more
 * @param {WebAssembly.Memory | null} memory
 * @returns {WebAssembly.Imports}
 */
export function importsOf(process, program, more, memory) {
  const modules = { ...more, [MODULE]: PREVIEW1 };
  /** @type {WebAssembly.Imports} */
  const imports = Object.create(null);
  if (memory) imports[MEMORY_MODULE] = { [MEMORY_NAME]: memory };
  for (const { module, name, kind } of program.imports) {
    const found = own(own(modules, module) ?? {}, name);
    if (!found || kind !== "function") throw missing(module, name, kind);
    imports[module] ??= Object.create(null);
    /** @type {WebAssembly.ModuleImports} */ (imports[module])[name] =
      found.blocks && process.suspends ? suspendable(process, found) : plain(process, found);
  }
  return imports;
}

/**
 * What a guest names may be a name that every object has, such as "__proto__".
 * @template T
 * @param {Readonly<Record<string, T>>} values
 * @param {string} name
 * @returns {T | undefined}
 */
function own(values, name) {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/**
 * Rest parameters would cost an array for each call: no function has more than nine.
 * @param {Process} process
 * @param {HostFunction} found
 */
function plain(process, { call }) {
  /** @type {(...args: any[]) => unknown} */
  return (a, b, c, d, e, f, g, h, i) => {
    try {
      process.check();
      const answer = call(process, a, b, c, d, e, f, g, h, i);
      return answer instanceof Promise ? process.refuseToWait() : answer;
    } catch (error) {
      return answerTo(process, error);
    }
  };
}

/**
 * @param {Process} process
 * @param {HostFunction} found
 */
function suspendable(process, { call }) {
  /** @type {(...args: any[]) => unknown} */
  const guarded = (a, b, c, d, e, f, g, h, i) => {
    try {
      process.check();
      const answer = call(process, a, b, c, d, e, f, g, h, i);
      return answer instanceof Promise ? answer.catch((error) => answerTo(process, error)) : answer;
    } catch (error) {
      return answerTo(process, error);
    }
  };
  return suspending((a, b, c, d, e, f, g, h, i) => {
    if (!process.thread.isDue) return guarded(a, b, c, d, e, f, g, h, i);
    return process.thread.nextTurn().then(() => guarded(a, b, c, d, e, f, g, h, i));
  });
}

/**
 * @param {Process} process
 * @param {unknown} error
 * @returns {number}
 */
function answerTo(process, error) {
  if (error instanceof Errno) return error.code;
  if (error instanceof Exit) throw process.end(error);
  // Such as a stack that the guest has used up: it must not go on as if nothing had happened.
  process.end(new Exit(ExitCode.TRAP, "trap", String(error)));
  throw error;
}

/**
 * @param {string} module
 * @param {string} name
 * @param {string} kind
 */
function missing(module, name, kind) {
  return new Exit(ExitCode.NOT_STARTED, "start", `wants the ${kind} ${module}.${name}, which there is not`);
}
