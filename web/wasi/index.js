// A WASI preview 1 host: programs over a file system in memory, alone or as pipelines.

export { SystemClock } from "./clock.js";
export { E, Errno } from "./errno.js";
export { Exit, ExitCode } from "./exit.js";
export { changesOf } from "./files/changes.js";
export { deviceDirectory } from "./files/device.js";
export { MemoryFiles } from "./files/memory_files.js";
export { listTree } from "./files/start.js";
export { feed, Pipe } from "./pipe.js";
export { Pipeline } from "./pipeline.js";
export { Process } from "./process.js";
export { loadProgram, loadProgramNow } from "./program.js";
export { ProgramError } from "./program_error.js";
export { BytesInput, Output } from "./standard.js";
export { canSuspend } from "./suspending.js";
export { Thread } from "./thread.js";
