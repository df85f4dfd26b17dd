// A pipeline: processes side by side in one thread, each one's output the next one's input.

import { ExitCode } from "./exit.js";
import { Pipe } from "./pipe.js";
import { Process } from "./process.js";
import { canSuspend } from "./suspending.js";
import { Thread } from "./thread.js";

/**
 * @typedef {import("./stream.js").Stream} Stream
 * @typedef {import("./outcome.js").Outcome} Outcome
 */

/**
 * What a stage has of its own; all else is the same for every stage.
 * @typedef {object} Stage
 * @property {import("./program.js").Program} program
 * @property {readonly string[]} argv
 * @property {Iterable<readonly [string, string]>} [env]
 * @property {Stream} stderr
 */

/** @typedef {Omit<import("./process.js").ProcessOptions, "argv" | "streams">} Shared */

export class Pipeline {
  /** @type {Process[]} */
  #processes = [];

  /**
   * @param {readonly Stage[]} stages
   * @param {Shared & { stdin: Stream, stdout: Stream }} options
   */
  constructor(stages, { stdin, stdout, thread = new Thread(), ...shared }) {
    let input = stdin;
    for (const [index, { program, argv, env, stderr }] of stages.entries()) {
      const pipe = index < stages.length - 1 ? new Pipe(thread) : null;
      const streams = [input, pipe ? pipe.writer : stdout, stderr];
      this.#processes.push(new Process(program, { ...shared, ...(env && { env }), argv, streams, thread }));
      if (pipe) input = pipe.reader;
    }
  }

  /** @returns {Promise<Outcome[]>} one for each stage */
  async run() {
    if (this.#processes.length > 1 && !canSuspend()) return this.#processes.map(refused);
    return Promise.all(this.#processes.map((process) => process.run()));
  }

  stop() {
    for (const process of this.#processes) process.stop();
  }
}

/** @returns {Outcome} */
function refused() {
  const message = "cannot be a part of a pipeline: this JavaScript engine lacks JSPI";
  return { code: ExitCode.NOT_STARTED, cause: "start", message, isExhausted: false };
}
