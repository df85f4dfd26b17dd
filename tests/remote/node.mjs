// Runs contract tests in Pyodide in Node: a line of JSON in, a line of JSON out.
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "pyodide";
import { NodeFolder } from "../../web/host/node/folder.js";
import { NodeHandle } from "../../web/host/node/handle.js";
import { nodeHost } from "../../web/host/node/index.js";
import { FaultyDisk } from "./faults.js";
import { startTests } from "./python.js";

const disk = new FaultyDisk();
const { O_CREAT } = fs.constants;
// What the host writes passes through its handles; names are made, moved and removed through these.
for (const name of /** @type {const} */ (["chmod", "fsync", "link", "rename", "rm", "rmdir", "symlink", "unlink"])) {
  Object.assign(fs, { [`${name}Sync`]: disk.guard(name, fs[`${name}Sync`]) });
}
const isMissing = (/** @type {fs.PathLike} */ name) => !fs.existsSync(name);
const makes = (/** @type {fs.PathLike} */ name, /** @type {unknown} */ flags) =>
  typeof flags === "number" && Boolean(flags & O_CREAT) && isMissing(name);
fs.mkdirSync = /** @type {typeof fs.mkdirSync} */ (disk.guard("mkdir", fs.mkdirSync, isMissing));
fs.openSync = disk.guard("open", fs.openSync, makes);
fs.writeFileSync = disk.guard("write", fs.writeFileSync);

class Place {
  #root;
  #host;
  disk = disk;

  /** @param {string} [root] a folder from before, to go on in */
  constructor(root = newRoot()) {
    this.#root = root;
    this.#host = this.#start();
  }

  async open() {
    return this.#host;
  }

  async restart() {
    this.#host = this.#start();
    return this.#host;
  }

  async renew() {
    this.remove();
    this.#root = newRoot();
    disk.renew();
    await this.restart();
  }

  async folder() {
    const project = path.join(this.#root, "project");
    fs.mkdirSync(project, { recursive: true });
    return new NodeFolder(project);
  }

  /** @param {string} session */
  async own(session) {
    const owner = spawn(process.execPath, ["tests/remote/owner.mjs", this.#state(), session]);
    await once(owner.stdout, "data");
    return {
      kill: async () => {
        owner.kill("SIGKILL");
        await once(owner, "exit");
      },
    };
  }

  remove() {
    disk.renew();
    fs.rmSync(this.#root, { recursive: true });
  }

  #start() {
    const open = (/** @type {string} */ full, /** @type {number} */ flags) =>
      disk.wrap(new NodeHandle(fs.openSync(full, flags, 0o600)));
    return nodeHost(this.#state(), open);
  }

  #state() {
    return path.join(this.#root, "state");
  }
}

function newRoot() {
  return fs.mkdtempSync(path.join(os.tmpdir(), "py-agent-"));
}

const [payload = "", ...wheels] = process.argv.slice(2);
const read = (/** @type {string} */ name) => new Uint8Array(fs.readFileSync(name));
const answer = (/** @type {object} */ value) => process.stdout.write(`${JSON.stringify(value)}\n`);

const indexURL = path.dirname(fileURLToPath(import.meta.resolve("pyodide")));
const run = await startTests({ loadPyodide, indexURL, wheels: wheels.map(read) }, read(payload));
answer({ failure: "" });
for await (const line of readline.createInterface({ input: process.stdin })) {
  const place = new Place(JSON.parse(line).root);
  answer({ failure: await run(line, place) });
  place.remove();
}
