// A program: a compiled module that is a WASI command, with what a host must know to run it.

import { importMemory, MEMORY_MODULE } from "./binary.js";
import { ProgramError } from "./program_error.js";

/**
 * Plain data: it can be sent to another worker.
 * @typedef {object} Program
 * @property {WebAssembly.Module} module
 * @property {import("./binary.js").MemoryPages | null} memory
 * @property {{ module: string, name: string, kind: string }[]} imports but for its memory
 */

const BYTES_MAX = 2 ** 28;
const START = "_start";

/**
 * @param {Uint8Array} bytes
 * @param {{ max_bytes?: number }} [options]
 * @returns {Promise<Program>} fails with a ProgramError
 */
export async function loadProgram(bytes, options) {
  const { bytes: changed, memory } = checked(bytes, options);
  const module = await WebAssembly.compile(/** @type {BufferSource} */ (changed)).catch(refuse);
  return programOf(module, memory);
}

/**
 * @param {Uint8Array} bytes
 * @param {{ max_bytes?: number }} [options]
 * @returns {Program}
 */
export function loadProgramNow(bytes, options) {
  const { bytes: changed, memory } = checked(bytes, options);
  try {
    return programOf(new WebAssembly.Module(/** @type {BufferSource} */ (changed)), memory);
  } catch (error) {
    return refuse(error);
  }
}

/**
 * @param {Uint8Array} bytes
 * @param {{ max_bytes?: number }} [options]
 */
function checked(bytes, { max_bytes = BYTES_MAX } = {}) {
  if (bytes.length > max_bytes)
    throw new ProgramError(`has ${bytes.length} bytes, more than the ${max_bytes} allowed`);
  return importMemory(bytes);
}

/**
 * @param {WebAssembly.Module} module
 * @param {import("./binary.js").MemoryPages | null} memory
 * @returns {Program}
 */
function programOf(module, memory) {
  const start = WebAssembly.Module.exports(module).find(({ name }) => name === START);
  if (start?.kind !== "function")
    throw new ProgramError(`is no WASI command: it exports no function ${START}`);
  const imports = WebAssembly.Module.imports(module).filter((each) => each.module !== MEMORY_MODULE);
  return { module, memory, imports };
}

/**
 * @param {unknown} error
 * @returns {never}
 */
function refuse(error) {
  if (!(error instanceof WebAssembly.CompileError)) throw error;
  throw new ProgramError(`cannot be compiled: ${error.message}`);
}
