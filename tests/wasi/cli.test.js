// The command line: streams, arguments, exit codes, and what it says.

import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { assemble, op } from "./assemble.js";
import { BUFFER, CLI, IOVEC, inFolder, NAME, RESULT, run } from "./command_line.js";
import { equal, ok, test } from "./testing.js";

/** Copies its input to its output. */
const copying = assemble({
  imports: ["fd_read", "fd_write"],
  body: (call) =>
    op.block([
      op.loop([
        op.store(IOVEC, op.i32(BUFFER)),
        op.store(IOVEC + 4, op.i32(4096)),
        call("fd_read", 0, IOVEC, 1, RESULT),
        op.branchIf(1),
        op.load(RESULT),
        op.equalsZero,
        op.branchIf(1),
        op.store(IOVEC + 4, op.load(RESULT)),
        call("fd_write", 1, IOVEC, 1, RESULT),
        op.branchIf(1),
        op.branch(0),
      ]),
    ]),
});

test("streams and the exit code are passed on", () =>
  inFolder(({ save }) => {
    const copy = save("copy.wasm", copying);
    const text = "line\n".repeat(50_000);
    equal(run([copy], text), { status: 0, stdout: text, stderr: "" });
    const exit = save(
      "exit.wasm",
      assemble({ imports: ["proc_exit"], body: (call) => call("proc_exit", 33) }),
    );
    equal(run([exit]), { status: 33, stdout: "", stderr: "" });
  }));

test("arguments and variables are passed on, the module's name first", () =>
  inFolder(({ save }) => {
    for (const [what, words] of /** @type {const} */ ([
      ["args", ["a.wasm", "--env", "x y"]],
      ["environ", ["A=1", "B=2=3"]],
    ])) {
      const others = ["sizes_get", "get"].map((rest) => ({
        module: "wasi_snapshot_preview1",
        name: `${what}_${rest}`,
        parameters: "ii",
      }));
      const module = save(
        "a.wasm",
        assemble({
          others,
          imports: ["fd_write"],
          body: (call) => [
            call(`${what}_sizes_get`, RESULT, IOVEC + 4),
            op.drop,
            call(`${what}_get`, NAME, BUFFER),
            op.drop,
            op.store(IOVEC, op.i32(BUFFER)),
            call("fd_write", 1, IOVEC, 1, RESULT),
            op.drop,
          ],
        }),
      );
      const { stdout } = run(["--env", "A=1", "--env", "B=2=3", module, "--env", "x y"]);
      equal(stdout, words.map((word) => `${word}\0`).join(""));
    }
  }));

test("what cannot be started is said in a sentence, with 126", () =>
  inFolder(({ folder, save }) => {
    /** @type {[string[], RegExp][]} */
    const cases = [
      [[path.join(folder, "none.wasm")], /none\.wasm.*no such file/i],
      [
        [save("text.wasm", new TextEncoder().encode("hello world"))],
        /^text\.wasm is no WebAssembly module$/m,
      ],
      [[save("lib.wasm", assemble({ start: "main", body: () => [] }))], /no WASI command/],
      [[save("cut.wasm", copying.slice(0, 60))], /damaged|compiled/],
      [["--dir", path.join(folder, "nowhere"), save("copy.wasm", copying)], /nowhere/],
      [
        [
          save(
            "env.wasm",
            assemble({ others: [{ module: "env", name: "f", parameters: "" }], body: () => [] }),
          ),
        ],
        /env\.f/,
      ],
    ];
    for (const [words, expected] of cases) {
      const { status, stdout, stderr } = run(words);
      equal([status, stdout, stderr.trim().split("\n").length], [126, "", 1], stderr);
      ok(expected.test(stderr), stderr);
    }
  }));

test("a trap is 134 and said in a sentence, and what was written before it stays", () =>
  inFolder(({ folder, save }) => {
    const bytes = assemble({
      imports: ["path_open"],
      data: { [NAME]: "f" },
      body: (call) => [call("path_open", 3, 0, NAME, 1, 1, 64, 0, 0, RESULT), op.drop, op.unreachable],
    });
    const { status, stderr } = run(["--dir", `${folder}::/`, save("m.wasm", bytes)]);
    equal(status, 134);
    ok(/m\.wasm trapped: .*unreachable/.test(stderr), stderr);
    equal(fs.readdirSync(folder), ["f"]);
  }));

test("a wrong call is 2 and says how to call it", () => {
  for (const words of [
    [],
    ["--env"],
    ["--env", "novalue", "m.wasm"],
    ["--unknown", "x", "m.wasm"],
    ["--dir"],
  ]) {
    const { status, stderr } = run(words);
    equal(status, 2);
    ok(stderr.startsWith("usage:"), stderr);
  }
});

test("an endless writer ends when nobody reads any more", () =>
  inFolder(async ({ save }) => {
    const bytes = assemble({
      imports: ["fd_write"],
      body: (call) => [
        op.store(IOVEC + 4, op.i32(60_000)),
        op.loop([call("fd_write", 1, IOVEC, 1, RESULT), op.drop, op.branch(0)]),
      ],
    });
    const child = spawn(process.execPath, [CLI, save("yes.wasm", bytes)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    child.stdout.once("data", () => child.stdout.destroy());
    equal(await new Promise((resolve) => child.once("exit", resolve)), 141);
  }));

test("a program sleeps without JSPI, and polls its input while it waits", () =>
  inFolder(async ({ save }) => {
    const SUBSCRIPTIONS = 2048;
    const bytes = assemble({
      imports: ["poll_oneoff", "proc_exit"],
      body: (call) => [
        op.store(SUBSCRIPTIONS + 16, op.i32(1)),
        op.store(SUBSCRIPTIONS + 24, op.i32(1_000_000)),
        call("poll_oneoff", SUBSCRIPTIONS, BUFFER, 1, RESULT),
        op.drop,
        op.store(SUBSCRIPTIONS + 8, op.i32(1)),
        op.store(SUBSCRIPTIONS + 16, op.i32(0)),
        call("poll_oneoff", SUBSCRIPTIONS, BUFFER, 1, RESULT),
        op.drop,
        call("proc_exit", op.load(BUFFER + 16)),
      ],
    });
    const child = spawn(process.execPath, [CLI, save("poll.wasm", bytes)], {
      stdio: ["pipe", "ignore", "inherit"],
    });
    child.stdin.write("1234567");
    equal(await new Promise((resolve) => child.once("exit", resolve)), 7);
    child.stdin.destroy();
  }));
