// Pipelines: bytes that stream from stage to stage, and how they end.

import {
  BytesInput,
  feed,
  listTree,
  MemoryFiles,
  Output,
  Pipe,
  Pipeline,
  Process,
  Thread,
} from "../../web/wasi/index.js";
import { op } from "./assemble.js";
import { copies, exits, prints, printsAndSleeps, program, readsOnce, sleeps, traps } from "./programs.js";
import { equal, ok, test } from "./testing.js";

/**
 * @param {import("../../web/wasi/program.js").Program[]} programs
 * @param {object} [options]
 */
function pipelineOf(programs, options = {}) {
  const taken = /** @type {Uint8Array[]} */ ([]);
  const stdout = new Output((bytes) => {
    taken.push(bytes.slice());
  });
  const stages = programs.map((each, at) => ({
    program: each,
    argv: [`stage ${at}`],
    stderr: new Output(() => {}),
  }));
  const pipeline = new Pipeline(stages, { stdin: new BytesInput(), stdout, ...options });
  return { pipeline, stdout, text: () => new TextDecoder().decode(joined(taken)) };
}

/** @param {Uint8Array[]} pieces */
function joined(pieces) {
  const bytes = new Uint8Array(pieces.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** @param {import("../../web/wasi/outcome.js").Outcome[]} outcomes */
function codes(outcomes) {
  return outcomes.map(({ code }) => code);
}

test("what the first stage prints comes out of the last", async () => {
  const { pipeline, text } = pipelineOf([prints("through\n"), copies(), copies()]);
  equal(codes(await pipeline.run()), [0, 0, 0]);
  equal(text(), "through\n");
});

test("far more than a pipe holds streams through in order", async () => {
  const bytes = new Uint8Array(3_000_000).map((_, at) => at % 251);
  let at = 0;
  const stdout = new Output((piece) => {
    for (const byte of piece) if (byte !== at++ % 251) throw new Error(`byte ${at} is wrong`);
  });
  const { pipeline } = pipelineOf([copies(), copies(), copies(), copies()], {
    stdin: new BytesInput(bytes),
    stdout,
  });
  equal(codes(await pipeline.run()), [0, 0, 0, 0]);
  equal(at, bytes.length);
});

test("a writer waits while its reader does not read", async () => {
  const pipe = new Pipe(new Thread());
  const writer = new Process(prints("y\n", { forever: true }), { argv: [], streams: [{}, pipe.writer] });
  const running = writer.run();
  const turns = new Thread();
  while (pipe.writer.writable?.() !== -1) await turns.nextTurn();
  equal(pipe.reader.readable?.(), 65536);
  for (let turn = 0; turn < 20; turn++) await turns.nextTurn();
  equal(pipe.reader.readable?.(), 65536);
  writer.stop();
  equal((await running).code, 137);
});

test("the little that a writer wrote before it waits is read meanwhile", async () => {
  const thread = new Thread();
  const pipe = new Pipe(thread);
  const writer = new Process(printsAndSleeps("few", 60_000), {
    argv: [],
    streams: [{}, pipe.writer],
    thread,
  });
  const reader = new Process(readsOnce(), { argv: [], streams: [pipe.reader], thread });
  const reading = reader.run();
  const writing = writer.run();
  equal((await reading).code, 0);
  writer.stop();
  equal((await writing).code, 137);
});

test("a writer whose reader is gone ends with 141", async () => {
  const { pipeline } = pipelineOf([prints("y\n", { forever: true }), readsOnce()]);
  const [writer, reader] = await pipeline.run();
  equal([writer?.code, writer?.cause, reader?.code], [141, "broken pipe", 0]);
});

test("stages that fail leave the others to end by themselves", async () => {
  equal(codes(await pipelineOf([prints("x"), traps(), copies()]).pipeline.run()), [0, 134, 0]);
  equal(codes(await pipelineOf([exits(3), copies()]).pipeline.run()), [3, 0]);
  const others = [{ module: "env", name: "missing", parameters: "" }];
  const unstartable = program({ others, body: () => [] });
  equal(
    codes(await pipelineOf([prints("x", { forever: true }), unstartable, copies()]).pipeline.run()),
    [141, 126, 0],
  );
});

test("stages have their own error streams and the same files", async () => {
  const errors = ["", ""];
  const stages = ["one", "two"].map((text, at) => ({
    program: prints(text, { fd: 2 }),
    argv: [text],
    stderr: new Output((bytes) => {
      errors[at] += new TextDecoder().decode(bytes);
    }),
  }));
  await new Pipeline(stages, { stdin: new BytesInput(), stdout: new Output(() => {}) }).run();
  equal(errors, ["one", "two"]);
});

test("timers and messages are served while stages feed each other without end", async () => {
  const { pipeline } = pipelineOf([prints("y\n", { forever: true }), copies(), copies()]);
  const running = pipeline.run();
  let turns = 0;
  await new Promise((resolve) => {
    const tick = () => {
      turns += 1;
      if (turns < 5) setTimeout(tick, 0);
      else resolve(null);
    };
    setTimeout(tick, 0);
  });
  pipeline.stop();
  equal(codes(await running), [137, 137, 137]);
});

test("a stopped pipeline ends at once, whether its stages wait or run", async () => {
  const { pipeline } = pipelineOf([sleeps(60_000), copies(), prints("y", { forever: true })]);
  const running = pipeline.run();
  await new Thread().nextTurn();
  pipeline.stop();
  equal(codes(await running), [137, 137, 137]);
});

test("input that comes piece by piece is read as it comes", async () => {
  const pipe = new Pipe(new Thread());
  const { pipeline, text } = pipelineOf([copies()], { stdin: pipe.reader });
  const running = pipeline.run();
  async function* pieces() {
    for (const text of ["one ", "", "two ", "x".repeat(200_000)]) {
      await new Thread().nextTurn();
      yield new TextEncoder().encode(text);
    }
  }
  await feed(pipe.writer, pieces());
  equal(codes(await running), [0]);
  equal(text(), `one two ${"x".repeat(200_000)}`);
});

test("input that nobody reads any more is let go", async () => {
  const pipe = new Pipe(new Thread());
  const { pipeline } = pipelineOf([readsOnce()], { stdin: pipe.reader });
  const running = pipeline.run();
  const endless = () => ({
    [Symbol.iterator]: () => ({ next: () => ({ done: false, value: new Uint8Array(1000) }) }),
  });
  await feed(pipe.writer, /** @type {any} */ (endless()));
  equal(codes(await running), [0]);
});

test("a guest is suspended until the blob it reads has come", async () => {
  const asked = /** @type {string[]} */ ([]);
  const read = async (/** @type {string} */ blob) => {
    asked.push(blob);
    await new Thread().nextTurn();
    return new TextEncoder().encode("from far away");
  };
  const files = new MemoryFiles({ read });
  const root = files.addRoot(listTree([{ path: "f", kind: "file", size: 13, blob: "b1" }]));
  const [RESULT, IOVEC, PATH, BUFFER] = [0, 16, 64, 1024];
  const cat = program({
    imports: ["path_open", "fd_read", "fd_write", "proc_exit"],
    data: { [PATH]: "f" },
    body: (call) => [
      call("path_open", 3, 0, PATH, 1, 0, 2, 0, 0, RESULT),
      op.drop,
      op.store(IOVEC, op.i32(BUFFER)),
      op.store(IOVEC + 4, op.i32(100)),
      call("fd_read", op.load(RESULT), IOVEC, 1, RESULT),
      op.drop,
      op.store(IOVEC + 4, op.load(RESULT)),
      call("proc_exit", call("fd_write", 1, IOVEC, 1, RESULT)),
    ],
  });
  const { pipeline, text } = pipelineOf([cat], { preopens: [{ name: "/", directory: root }] });
  equal(codes(await pipeline.run()), [0]);
  equal([text(), asked], ["from far away", ["b1"]]);
});

test("a callback that is behind holds the whole pipeline back", async () => {
  let [waiting, most] = [0, 0];
  const stdout = new Output(async () => {
    waiting += 1;
    most = Math.max(most, waiting);
    await new Thread().nextTurn();
    waiting -= 1;
  });
  const { pipeline } = pipelineOf([copies(), copies()], {
    stdin: new BytesInput(new Uint8Array(500_000)),
    stdout,
  });
  equal(codes(await pipeline.run()), [0, 0]);
  equal([most, stdout.totalBytes], [1, 500_000]);
});

test("a hundred runs one after the other leave nothing behind in their thread", async () => {
  const thread = new Thread({ max_live: 2 });
  for (let at = 0; at < 100; at++) {
    const { pipeline, text } = pipelineOf([prints(String(at)), copies()], { thread });
    equal(codes(await pipeline.run()), [0, 0]);
    equal(text(), String(at));
  }
  equal(thread.live, 0);
  ok(true, "all ran");
});
