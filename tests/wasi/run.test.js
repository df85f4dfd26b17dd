// Programs run to their end: exit codes, traps, limits, host functions of the embedder.

import { BytesInput, E, MemoryFiles, Output, Process, Thread } from "../../web/wasi/index.js";
import { op } from "./assemble.js";
import {
  copies,
  exits,
  grows,
  prints,
  program,
  recurses,
  sleeps,
  spins,
  survivesExit,
  traps,
} from "./programs.js";
import { equal, ok, test } from "./testing.js";

/**
 * @param {import("../../web/wasi/program.js").Program} loaded
 * @param {object} [options]
 */
async function run(loaded, options = {}) {
  let output = "";
  const out = new Output((bytes) => {
    output += new TextDecoder().decode(bytes);
  });
  const make = () => new Process(loaded, { argv: ["x"], streams: [new BytesInput(), out, out], ...options });
  const { code, cause, message } = await make().run();
  return { code, cause, message, output };
}

test("a program ends with its code, or with none", async () => {
  for (const code of [0, 1, 33, 125, 126, 127, 255]) equal((await run(exits(code))).code, code);
  equal(await run(prints("hello\n")), { code: 0, cause: "exit", message: "", output: "hello\n" });
});

test("a trap is 134 and says what happened", async () => {
  const { code, cause, message } = await run(traps());
  equal([code, cause], [134, "trap"]);
  ok(/unreachable/.test(message), message);
});

test("a recursion without end is a trap", async () => {
  const { code, cause } = await run(recurses());
  equal([code, cause], [134, "trap"]);
});

test("a program that runs at once ends as one that may be suspended", async () => {
  for (const [loaded, code] of [
    [exits(5), 5],
    [traps(), 134],
    [recurses(), 134],
    [prints("x"), 0],
  ]) {
    const process = new Process(/** @type {any} */ (loaded), {
      argv: [],
      streams: [{}, new Output(() => {})],
    });
    equal(process.runNow().code, code);
  }
});

test("a program that swallows its own end gets no answer any more", async () => {
  const { code, output } = await run(survivesExit());
  equal([code, output], [7, ""]);
});

test("an import that there is not is named, and nothing is run", async () => {
  const others = [{ module: "env", name: "missing", parameters: "i" }];
  const { code, cause, message } = await run(
    program({ others, body: (call) => [call("missing", 1), op.drop] }),
  );
  equal([code, cause], [126, "start"]);
  ok(message.includes("env.missing"), message);
});

test("names that every object has are no imports", async () => {
  const before = Object.getOwnPropertyNames(Object.prototype).map(
    (name) => Object.getOwnPropertyDescriptor(Object.prototype, name)?.value,
  );
  for (const [module = "", name = ""] of [
    ["__proto__", "toString"],
    ["constructor", "keys"],
    ["wasi_snapshot_preview1", "constructor"],
    ["wasi_snapshot_preview1", "__proto__"],
    ["py_agent", "other"],
  ]) {
    const others = [{ module, name, parameters: "" }];
    const { code, cause } = await run(program({ others, body: (call) => [call(name), op.drop] }));
    equal([code, cause], [126, "start"], `${module}.${name}`);
  }
  const after = Object.getOwnPropertyNames(Object.prototype).map(
    (name) => Object.getOwnPropertyDescriptor(Object.prototype, name)?.value,
  );
  ok(
    before.length === after.length && before.every((value, at) => value === after[at]),
    "Object.prototype is as it was",
  );
});

test("a process that was stopped before it ran does not run", async () => {
  const process = new Process(traps(), { argv: [] });
  process.stop();
  equal([(await process.run()).cause, process.runNow().cause, process.thread.live], ["stop", "stop", 0]);
});

test("memory grows to the program's own maximum, or to the limit if that is less", async () => {
  const PAGE = 65536;
  equal((await run(grows({ pages: 2, maximum: 9 }))).code, 9);
  equal((await run(grows({ pages: 2, maximum: 9 }), { limits: { memory_bytes: 5 * PAGE + 1 } })).code, 5);
  equal((await run(grows({ pages: 2, maximum: 9 }), { limits: { memory_bytes: 50 * PAGE } })).code, 9);
  equal((await run(grows({ pages: 1 }), { limits: { memory_bytes: 20 * PAGE } })).code, 20);
});

test("one loaded program runs with another limit each time", async () => {
  const loaded = grows();
  for (const pages of [3, 30, 7])
    equal((await run(loaded, { limits: { memory_bytes: pages * 65536 } })).code, pages);
});

test("a program that needs more memory from the start than it may have is not started", async () => {
  const { code, cause, message } = await run(grows({ pages: 10 }), { limits: { memory_bytes: 9 * 65536 } });
  equal([code, cause], [126, "start"]);
  ok(message.includes(String(9 * 65536)), message);
});

test("a program that calls the host in its start function finds its memory", async () => {
  const loaded = program({
    imports: ["clock_time_get", "proc_exit"],
    runs: "section",
    body: (call) => [call("proc_exit", call("clock_time_get", 1, 0, 8))],
  });
  equal(new Process(loaded, { argv: [] }).runNow(), {
    code: 0,
    cause: "exit",
    message: "",
    isExhausted: false,
  });
});

test("a time limit ends a program that sleeps or calls the host, suspended or not", async () => {
  const limits = { wall_seconds: 0.02 };
  for (const loaded of [sleeps(60_000), spins(), prints("y\n", { forever: true })]) {
    const { code, cause } = await run(loaded, { limits });
    equal([code, cause], [137, "time limit"]);
    const now = new Process(loaded, {
      argv: [],
      limits,
      streams: [{}, new Output(() => {})],
      sleep: () => {},
    });
    equal(now.runNow().cause, "time limit");
  }
});

test("output is capped and counted, and beyond its limit the program is ended", async () => {
  let taken = "";
  const take = (/** @type {Uint8Array} */ bytes) => {
    taken += new TextDecoder().decode(bytes);
  };
  const capped = new Output(take, { cap_bytes: 4 });
  const outcome = await new Process(prints("hello\n"), { argv: [], streams: [{}, capped] }).run();
  equal([outcome.code, taken, capped.totalBytes, capped.isTruncated], [0, "hell", 6, true]);
  taken = "";
  const limited = new Output(take, { cap_bytes: 8, limit_bytes: 1000 });
  const ended = await new Process(prints("hello\n", { forever: true }), {
    argv: [],
    streams: [{}, limited],
  }).run();
  equal([ended.code, ended.cause, taken, limited.totalBytes], [153, "output limit", "hello\nhe", 1000]);
});

test("the room in the file system is limited, and what is deleted gives it back", async () => {
  const { Guest, O } = await import("./guest.js");
  const guest = new Guest({ f: "x".repeat(900) }, { files: { total_bytes: 4000 } });
  guest.save("a", "x".repeat(3000));
  equal(guest.stat("a").size, 3000);
  const fd = guest.open("b", { oflags: O.CREATE });
  equal(fd, "NOSPC");
  equal(guest.onPath("path_create_directory", "b"), "NOSPC");
  equal(guest.symlink("t", "b"), "NOSPC");
  equal(guest.link("a", "b"), "NOSPC");
  equal(guest.write(guest.open("f"), "!"), "NOSPC");
  guest.onPath("path_unlink_file", "a");
  equal(guest.files.quota.used, 0);
  equal(guest.write(guest.open("f"), "!"), 1);
  equal(guest.files.quota.used, 900);
  guest.onPath("path_unlink_file", "f");
  equal(guest.files.quota.used, 900);
  for (const open of [4, 5]) guest.call("fd_close", open);
  equal(guest.files.quota.used, 0);
});

test("host functions of the embedder get the process, answer errnos, and may wait", async () => {
  const others = [
    { module: "host", name: "double", parameters: "i" },
    { module: "host", name: "refuse", parameters: "" },
    { module: "host", name: "wait", parameters: "" },
  ];
  const loaded = program({
    others,
    imports: ["proc_exit"],
    body: (call) => call("proc_exit", [call("double", 4), call("refuse"), op.add, call("wait"), op.add]),
  });
  const imports = (/** @type {Process} */ process) => ({
    host: {
      double: {
        call: (/** @type {Process} */ given, /** @type {number} */ value) =>
          given === process ? 2 * value : -1,
        blocks: false,
      },
      refuse: {
        call: () => {
          throw E.NOTSUP;
        },
        blocks: false,
      },
      wait: { call: async () => 100, blocks: true },
    },
  });
  equal((await run(loaded, { imports })).code, 8 + E.NOTSUP.code + 100);
  const now = new Process(loaded, { argv: [], imports }).runNow();
  equal([now.code, now.cause], [137, "no wait"]);
});

test("only so many instances live in a thread at once, and each that ended makes room", async () => {
  const thread = new Thread({ max_live: 2 });
  const asleep = [1, 2, 3].map(() => new Process(sleeps(60_000), { argv: [], thread }));
  const running = asleep.map((process) => process.run());
  equal(thread.live, 2);
  const refused = await running[2];
  equal([refused?.code, refused?.cause], [126, "start"]);
  for (const process of asleep) process.stop();
  equal(
    (await Promise.all(running)).map(({ code }) => code),
    [137, 137, 126],
  );
  equal(thread.live, 0);
  equal((await run(exits(3), { thread })).code, 3);
});

test("a program that has to wait for its input is suspended, and stopped where it waits", async () => {
  const { Pipe } = await import("../../web/wasi/index.js");
  const pipe = new Pipe(new Thread());
  const process = new Process(copies(), { argv: [], streams: [pipe.reader, new Output(() => {})] });
  const running = process.run();
  process.stop();
  const { code, cause } = await running;
  equal([code, cause], [137, "stop"]);
  equal(pipe.writer.writable?.(), -2);
});

test("a program that ended keeps neither memory nor descriptors", async () => {
  const files = new MemoryFiles();
  const process = new Process(prints("x"), {
    argv: [],
    preopens: [{ name: "/", directory: files.addRoot() }],
    streams: [{}, new Output(() => {})],
  });
  await process.run();
  equal(process.memory.bytes.length, 0);
  for (const fd of [0, 1, 2]) {
    try {
      process.fds.get(fd);
      ok(false, `${fd} is open`);
    } catch (error) {
      equal(error, E.BADF);
    }
  }
});
