// A process: one run of a program, with its arguments, descriptors and memory, until it ends.

import { SystemClock } from "./clock.js";
import { Description } from "./description.js";
import { Descriptor, Descriptors } from "./descriptors.js";
import { Exit, ExitCode } from "./exit.js";
import { importsOf } from "./imports.js";
import { GuestMemory } from "./memory.js";
import { outcomeOf } from "./outcome.js";
import { preopened } from "./preview1/path_open.js";
import { randomBytes } from "./random.js";
import { StreamDescription } from "./stream.js";
import { canSuspend, promising } from "./suspending.js";
import { Thread } from "./thread.js";
import { environOf, preopensFor, stringOf } from "./workplace.js";

/** @typedef {import("./signal.js").Signal} Signal */

/**
 * @typedef {object} Limits
 * @property {number} [memory_bytes] how far the guest's memory may grow
 * @property {number} [open_files]
 * @property {number} [wall_seconds] a guest that calls nothing can only be ended with its thread
 */

/**
 * @typedef {object} ProcessOptions
 * @property {readonly string[]} argv
 * @property {Iterable<readonly [string, string]>} [env]
 * @property {string} [cwd] below a preopened directory: told to the guest by `PWD`, and preopened as "."
 * @property {readonly import("./workplace.js").Preopen[]} [preopens] from descriptor 3 on
 * @property {readonly (import("./stream.js").Stream | Description)[]} [streams] descriptors 0, 1 and 2
 * @property {Limits} [limits]
 * @property {import("./clock.js").Clock} [clock]
 * @property {(bytes: Uint8Array, start: number, end: number) => void} [random]
 * @property {(milliseconds: number) => void} [sleep] blocks the whole thread; for where nothing can be suspended
 * @property {Thread} [thread]
 * @property {(process: Process) => import("./imports.js").ImportModules} [imports] host functions beside WASI's
 */

const PAGE_BYTES = 2 ** 16;
const PAGES_MAX = 2 ** 16;
const OPEN_FILES = 1024;
const TIMER_MAX = 2 ** 31 - 1;
/** How long a thread that cannot be suspended sleeps before it looks at descriptors again. */
const LOOK_MILLISECONDS = 10;

export class Process {
  memory = new GuestMemory();
  /** Whether calls may wait by suspending the guest. */
  suspends = false;
  #program;
  #options;
  #hasEntered = false;
  #hasStarted = false;
  #deadline = Number.POSITIVE_INFINITY;
  /** @type {Exit | null} */
  #exit = null;
  /** @type {(() => void) | null} */
  #wake = null;

  /**
   * @param {import("./program.js").Program} program
   * @param {ProcessOptions} options
   */
  constructor(program, options) {
    const { limits = {}, streams = [], preopens = [] } = options;
    this.#program = program;
    this.#options = options;
    this.thread = options.thread ?? new Thread();
    this.clock = options.clock ?? new SystemClock();
    this.random = options.random ?? randomBytes;
    this.args = options.argv.map(stringOf);
    this.environ = environOf(options.env ?? [], options.cwd);
    this.fds = new Descriptors(limits.open_files ?? OPEN_FILES);
    for (const stream of streams) {
      const description = stream instanceof Description ? stream : new StreamDescription(stream);
      this.fds.add(new Descriptor(description, description.rights, description.rights));
    }
    for (const { name, directory } of preopensFor(preopens, options.cwd))
      this.fds.add(preopened(name, directory));
  }

  /** Run it to its end, suspended whenever it waits; where the engine cannot do that, as `runNow` does. */
  async run() {
    if (!canSuspend()) return this.runNow();
    try {
      await promising(this.#prepared({ suspends: true }))();
      return this.#finished(null);
    } catch (error) {
      return this.#finished(error);
    }
  }

  /** Run it to its end at once. If it has to wait and `sleep` is not enough for that, it is ended. */
  runNow() {
    try {
      this.#prepared({ suspends: false })();
      return this.#finished(null);
    } catch (error) {
      return this.#finished(error);
    }
  }

  /** End it: a guest that waits at once, one that runs when it next calls the host. */
  stop(exit = new Exit(ExitCode.STOPPED, "stop")) {
    this.end(exit);
    this.#wake?.();
  }

  /**
   * Only the first end counts: a guest that catches what is thrown through it gets the same again.
   * @param {Exit} exit
   * @returns {Exit} to be thrown
   */
  end(exit) {
    this.#exit ??= exit;
    return this.#exit;
  }

  /** Called before each call of the guest. */
  check() {
    if (this.#exit) throw this.#exit;
    if (this.#deadline !== Number.POSITIVE_INFINITY && performance.now() >= this.#deadline) {
      throw this.end(new Exit(ExitCode.STOPPED, "time limit"));
    }
  }

  /**
   * Wait for a signal, then go on.
   * @template T
   * @param {Signal} signal
   * @param {() => T | Promise<T>} next
   * @returns {Promise<T>}
   */
  after(signal, next) {
    if (!this.suspends) return this.refuseToWait();
    return this.#waited([signal], Number.POSITIVE_INFINITY).then(next);
  }

  /**
   * Wait for one of several signals or until time has passed.
   * @param {readonly Signal[]} signals
   * @param {number} milliseconds
   * @returns {Promise<void> | undefined} undefined if the time has passed already
   */
  pause(signals, milliseconds) {
    if (this.suspends) return this.#waited(signals, milliseconds);
    const { sleep } = this.#options;
    if (!sleep) return this.refuseToWait();
    const left = this.#deadline - performance.now();
    sleep(Math.max(0, Math.min(milliseconds, left, signals.length > 0 ? LOOK_MILLISECONDS : TIMER_MAX)));
    this.check();
    return undefined;
  }

  /** Let others have a turn. */
  yield() {
    if (!this.suspends) return 0;
    return this.thread.nextTurn().then(() => {
      this.check();
      return 0;
    });
  }

  /** @returns {never} */
  refuseToWait() {
    const text = "has to wait, which this JavaScript engine cannot let it do: it lacks JSPI";
    throw this.end(new Exit(ExitCode.STOPPED, "no wait", text));
  }

  /**
   * @param {readonly Signal[]} signals
   * @param {number} milliseconds
   * @returns {Promise<void>}
   */
  #waited(signals, milliseconds) {
    return new Promise((/** @type {(value: void) => void} */ resolve) => {
      /** @type {ReturnType<typeof setTimeout> | undefined} */
      let timer;
      const wake = () => {
        this.#wake = null;
        clearTimeout(timer);
        for (const signal of signals) signal.delete(wake);
        resolve();
      };
      this.#wake = wake;
      for (const signal of signals) signal.add(wake);
      const limit = Math.min(milliseconds, this.#deadline - performance.now());
      if (limit !== Number.POSITIVE_INFINITY)
        timer = setTimeout(wake, Math.max(0, Math.min(limit, TIMER_MAX)));
    }).then(() => this.check());
  }

  /**
   * @param {{ suspends: boolean }} how
   * @returns {Function} what starts it
   */
  #prepared({ suspends }) {
    const { wall_seconds } = this.#options.limits ?? {};
    this.check();
    if (!this.thread.enter()) throw notStarted("cannot be started: too many commands run at once");
    this.#hasEntered = true;
    this.suspends = suspends;
    if (wall_seconds !== undefined) this.#deadline = performance.now() + wall_seconds * 1000;
    const memory = this.#newMemory();
    const more = this.#options.imports?.(this) ?? {};
    const imports = importsOf(this, this.#program, more, memory);
    if (memory) this.memory.attach(memory);
    const { exports } = new WebAssembly.Instance(this.#program.module, imports);
    this.#hasStarted = true;
    return /** @type {Function} */ (exports._start);
  }

  #newMemory() {
    const { memory } = this.#program;
    if (!memory) return null;
    const { memory_bytes } = this.#options.limits ?? {};
    const allowed = memory_bytes === undefined ? PAGES_MAX : Math.floor(memory_bytes / PAGE_BYTES);
    if (memory.initial > allowed) {
      throw notStarted(
        `needs ${memory.initial * PAGE_BYTES} bytes of memory, more than the ${memory_bytes} allowed`,
      );
    }
    return new WebAssembly.Memory({
      initial: memory.initial,
      maximum: Math.min(allowed, memory.maximum ?? PAGES_MAX),
    });
  }

  /** @param {unknown} error */
  #finished(error) {
    const outcome = outcomeOf(this.#exit, error, { hasStarted: this.#hasStarted });
    this.end(new Exit(outcome.code, outcome.cause));
    this.fds.closeAll();
    this.memory.detach();
    if (this.#hasEntered) this.thread.leave();
    return outcome;
  }
}

/** @param {string} what */
function notStarted(what) {
  return new Exit(ExitCode.NOT_STARTED, "start", what);
}
