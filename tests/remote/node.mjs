// Runs contract tests in Pyodide in Node: a line of JSON in, a line of JSON out.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "pyodide";
import { NodeFolder } from "../../web/host/node/folder.js";
import { nodeHost } from "../../web/host/node/index.js";
import { startTests } from "./python.js";

class Place {
  #root = fs.mkdtempSync(path.join(os.tmpdir(), "py-agent-"));
  #host = nodeHost(path.join(this.#root, "state"));

  async open() {
    return this.#host;
  }

  async restart() {
    this.#host = nodeHost(path.join(this.#root, "state"));
    return this.#host;
  }

  async folder() {
    const project = path.join(this.#root, "project");
    fs.mkdirSync(project, { recursive: true });
    return new NodeFolder(project);
  }

  remove() {
    fs.rmSync(this.#root, { recursive: true });
  }
}

const [payload = "", ...wheels] = process.argv.slice(2);
const read = (/** @type {string} */ name) => new Uint8Array(fs.readFileSync(name));
const answer = (/** @type {object} */ value) => process.stdout.write(`${JSON.stringify(value)}\n`);

const indexURL = path.dirname(fileURLToPath(import.meta.resolve("pyodide")));
const run = await startTests({ loadPyodide, indexURL, wheels: wheels.map(read) }, read(payload));
answer({ failure: "" });
for await (const line of readline.createInterface({ input: process.stdin })) {
  const place = new Place();
  answer({ failure: await run(line, place) });
  place.remove();
}
