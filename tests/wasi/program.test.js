// Which modules are programs, and what is changed in their binary.

import { importMemory } from "../../web/wasi/binary.js";
import { loadProgram, loadProgramNow, ProgramError } from "../../web/wasi/index.js";
import { assemble, op } from "./assemble.js";
import { equal, ok, test, throws } from "./testing.js";

const nothing = assemble({ body: () => [] });

/**
 * @param {Uint8Array} bytes
 * @returns {string}
 */
function refusal(bytes, options = {}) {
  try {
    loadProgramNow(bytes, options);
  } catch (error) {
    if (error instanceof ProgramError) return error.message;
    throw error;
  }
  return "none";
}

test("what is no WASI command is refused with a reason", () => {
  ok(/no WebAssembly module/.test(refusal(new Uint8Array())), "nothing");
  ok(/no WebAssembly module/.test(refusal(new TextEncoder().encode("#!/bin/sh\necho hello"))), "a script");
  ok(/component/.test(refusal(Uint8Array.of(0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0))), "a component");
  ok(/no function _start/.test(refusal(assemble({ start: "main", body: () => [] }))), "no _start");
  ok(/more than the 10 allowed/.test(refusal(nothing, { max_bytes: 10 })), "too large");
  equal(refusal(nothing), "none");
});

test("a module cut off anywhere, or damaged in any byte, is refused or loads: nothing else happens", () => {
  const whole = assemble({
    imports: ["fd_write"],
    data: { 9: "text" },
    maximum: 9,
    body: (call) => [call("fd_write", 1, 2, 3, 4), op.drop],
  });
  equal(refusal(whole), "none");
  for (let length = 0; length < whole.length; length++) {
    ok(
      refusal(whole.slice(0, length)) !== "" && typeof refusal(whole.slice(0, length)) === "string",
      `${length}`,
    );
  }
  for (let at = 0; at < whole.length; at++) {
    for (const flip of [0x01, 0x80, 0xff]) {
      const damaged = whole.slice();
      damaged[at] = /** @type {number} */ (damaged[at]) ^ flip;
      ok(refusal(damaged).length > 0, `byte ${at}`);
    }
  }
});

test("a memory of its own becomes one that is handed in, whether there are imports or not", () => {
  for (const imports of [[], ["fd_write", "proc_exit"]]) {
    const { bytes, memory } = importMemory(
      assemble({ imports, pages: 3, maximum: 200, data: { 5: "x" }, body: () => [] }),
    );
    equal(memory, { initial: 3, maximum: 200 });
    const module = new WebAssembly.Module(/** @type {any} */ (bytes));
    equal(
      WebAssembly.Module.imports(module).map(({ name, kind }) => [name, kind]),
      [...imports.map((name) => [name, "function"]), ["memory", "memory"]],
    );
    equal(
      WebAssembly.Module.exports(module).map(({ name, kind }) => [name, kind]),
      [
        ["_start", "function"],
        ["memory", "memory"],
      ],
    );
  }
});

test("a memory without a maximum, and a module without a memory, are told", () => {
  equal(importMemory(nothing).memory, { initial: 1, maximum: null });
  const without = assemble({ pages: null, body: () => [] });
  equal(importMemory(without), { bytes: without, memory: null });
});

test("custom sections and long names do not disturb it", () => {
  const custom = [0, 5, 1, 65, 9, 9, 9];
  const module = assemble({ imports: ["proc_exit"], body: (call) => call("proc_exit", 3) });
  const bytes = Uint8Array.from([...module.slice(0, 8), ...custom, ...module.slice(8), ...custom]);
  equal(refusal(bytes), "none");
  equal(importMemory(bytes).memory, { initial: 1, maximum: null });
});

test("a shared, 64-bit or second memory is refused", () => {
  /** @param {number[]} section */
  const withMemory = (section) => {
    const bytes = assemble({ pages: null, body: () => [] });
    const at = bytes.indexOf(7, 8);
    return Uint8Array.from([...bytes.slice(0, at), 5, section.length, ...section, ...bytes.slice(at)]);
  };
  ok(/shared or 64-bit/.test(refusal(withMemory([1, 3, 1, 1]))), "shared");
  ok(/shared or 64-bit/.test(refusal(withMemory([1, 4, 1]))), "64-bit");
  ok(/more than one memory/.test(refusal(withMemory([2, 0, 1, 0, 1]))), "two");
});

test("a program is loaded the same way later as at once", async () => {
  const bytes = assemble({ imports: ["proc_exit"], body: (call) => call("proc_exit", 3) });
  const [later, now] = [await loadProgram(bytes), loadProgramNow(bytes)];
  equal([later.memory, later.imports], [now.memory, now.imports]);
  await loadProgram(nothing.slice(0, 30)).then(
    () => ok(false, "a damaged one loads"),
    (error) => ok(error instanceof ProgramError, "another error"),
  );
  throws(
    () => loadProgramNow(nothing.slice(0, 30)),
    (error) => error instanceof ProgramError,
  );
});
