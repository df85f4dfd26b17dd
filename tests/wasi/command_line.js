// Running the command line over a folder of its own, with modules made for the purpose; in Node alone.

import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { assemble, op } from "./assemble.js";

export const CLI = fileURLToPath(new URL("../../web/wasi/cli.js", import.meta.url));
export const [RESULT, IOVEC, NAME, OTHER, BUFFER] = [0, 16, 64, 128, 1024];

/** @param {(place: { folder: string, save: (name: string, bytes: Uint8Array) => string }) => void | Promise<void>} act */
export async function inFolder(act) {
  const top = fs.mkdtempSync(path.join(os.tmpdir(), "py-agent-wasi-"));
  const folder = path.join(top, "folder");
  fs.mkdirSync(folder);
  const save = (/** @type {string} */ name, /** @type {Uint8Array} */ bytes) => {
    fs.writeFileSync(path.join(top, name), bytes);
    return path.join(top, name);
  };
  try {
    await act({ folder, save });
  } finally {
    fs.rmSync(top, { recursive: true });
  }
}

/**
 * @param {string[]} words
 * @param {string} [input]
 */
export function run(words, input = "") {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...words], {
    input,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

/**
 * Calls one function with one or two paths and exits with its errno.
 * @param {string} name
 * @param {string} parameters
 * @param {number[]} args
 * @param {[string, string?]} texts
 */
export function calling(name, parameters, args, texts) {
  return assemble({
    others: [{ module: "wasi_snapshot_preview1", name, parameters }],
    imports: ["proc_exit"],
    data: { [NAME]: texts[0], [OTHER]: texts[1] ?? "" },
    body: (call) => call("proc_exit", call(name, ...args)),
  });
}

/**
 * Writes a text to a path below the first folder.
 * @param {string} name
 * @param {string} text
 */
export function saving(name, text) {
  return assemble({
    imports: ["path_open", "fd_write", "proc_exit"],
    data: { [NAME]: name, [BUFFER]: text },
    body: (call) => [
      op.block([
        call("path_open", 3, 1, NAME, name.length, 9, 64, 0, 0, RESULT),
        op.equalsZero,
        op.branchIf(0),
        call("proc_exit", 50),
      ]),
      op.store(IOVEC, op.i32(BUFFER)),
      op.store(IOVEC + 4, op.i32(text.length)),
      call("proc_exit", call("fd_write", op.load(RESULT), IOVEC, 1, IOVEC + 8)),
    ],
  });
}
