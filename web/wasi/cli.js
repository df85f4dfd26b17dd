// Runs a WASI command over real folders: node cli.js [--env K=V]... [--dir HOST[::GUEST]]... MODULE [ARGUMENT]...
//
// The folders are read as the command needs them and changed when it has ended. Its streams are this
// process's own, its exit code too; 126 says that it could not be started, 2 that this was called wrongly.

import fs from "node:fs";
import path from "node:path";
import { ExitCode } from "./exit.js";
import { changesOf } from "./files/changes.js";
import { MemoryFiles } from "./files/memory_files.js";
import { RealFolder, readFile } from "./node/folder.js";
import { NodeInput, NodeOutput, sleep } from "./node/standard.js";
import { Process } from "./process.js";
import { loadProgramNow } from "./program.js";
import { ProgramError } from "./program_error.js";

const USAGE = "usage: node cli.js [--env K=V]... [--dir HOST[::GUEST]]... MODULE [ARGUMENT]...";
const WRONG_CALL = 2;
const TOTAL_BYTES = 2 ** 32;

/** @typedef {{ env: [string, string][], dirs: { host: string, guest: string }[], module: string, args: string[] }} Call */

process.exitCode = await main(process.argv.slice(2));

/** @param {string[]} words */
async function main(words) {
  const call = parse(words);
  if (!call) return fail(WRONG_CALL, USAGE);
  try {
    return await run(call);
  } catch (error) {
    const name = path.basename(call.module);
    if (error instanceof ProgramError) return fail(ExitCode.NOT_STARTED, `${name} ${error.message}`);
    return fail(ExitCode.NOT_STARTED, `${name}: ${error instanceof Error ? error.message : error}`);
  }
}

/** @param {Call} call */
async function run({ env, dirs, module, args }) {
  const program = loadProgramNow(fs.readFileSync(module));
  const files = new MemoryFiles({ read: readFile, total_bytes: TOTAL_BYTES });
  const roots = dirs.map(({ host, guest }) => {
    const folder = new RealFolder(host);
    return { name: guest, folder, directory: files.addRoot((path) => folder.list(path), folder.start) };
  });
  const name = path.basename(module);
  const streams = [new NodeInput(0), new NodeOutput(1), new NodeOutput(2)];
  const guest = new Process(program, { argv: [name, ...args], env, preopens: roots, streams, sleep });
  const outcome = guest.runNow();
  for (const { folder, directory } of roots) folder.apply(await changesOf(directory));
  return outcome.message ? fail(outcome.code, `${name} ${outcome.message}`) : outcome.code & 0xff;
}

/**
 * @param {string[]} words
 * @returns {Call | null}
 */
function parse(words) {
  /** @type {Call} */
  const call = { env: [], dirs: [], module: "", args: [] };
  for (let at = 0; at < words.length; at += 2) {
    const word = words[at] ?? "";
    const value = words[at + 1];
    if (!word.startsWith("--")) return { ...call, module: word, args: words.slice(at + 1) };
    if (value === undefined) return null;
    if (word === "--env" && value.indexOf("=") > 0) call.env.push(pair(value, "="));
    else if (word === "--dir") call.dirs.push(directory(value));
    else return null;
  }
  return null;
}

/** @param {string} value */
function directory(value) {
  const [host, guest] = value.includes("::") ? pair(value, "::") : [value, value];
  return { host, guest };
}

/**
 * @param {string} text
 * @param {string} separator
 * @returns {[string, string]}
 */
function pair(text, separator) {
  const cut = text.indexOf(separator);
  return [text.slice(0, cut), text.slice(cut + separator.length)];
}

/**
 * @param {number} code
 * @param {string} sentence
 */
function fail(code, sentence) {
  console.error(sentence);
  return code;
}
