// Runs contract tests in Pyodide in a worker of a page.
import { HandleFolder } from "../../web/host/browser/folder.js";
import { browserHost } from "../../web/host/browser/index.js";
import { FaultyDisk } from "./faults.js";
import { startTests } from "./python.js";

class Place {
  #name = newName();
  /** @type {Set<FileSystemSyncAccessHandle>} */
  #open = new Set();
  disk = new FaultyDisk();
  #host = this.#start();

  open() {
    return this.#host;
  }

  /** What the end of a worker does is done here: its files are closed. */
  restart() {
    for (const handle of this.#open) handle.close();
    this.#open.clear();
    this.#host = this.#start();
    return this.#host;
  }

  async renew() {
    this.#name = newName();
    this.disk.renew();
    await this.restart();
  }

  /** @param {string} session */
  async own(session) {
    const owner = new Worker(new URL("./owner.js", import.meta.url), { type: "module" });
    owner.postMessage({ directory: `${this.#name}/state`, session });
    await new Promise((resolve) => owner.addEventListener("message", resolve, { once: true }));
    return {
      kill: async () => {
        owner.terminate();
        // The lock is free when the worker has ended, and with it its files.
        await navigator.locks.request(`py-agent:${this.#name}/state`, () => {});
      },
    };
  }

  #start() {
    return browserHost(`${this.#name}/state`, async (file) => {
      const handle = await file.createSyncAccessHandle();
      this.#open.add(handle);
      return this.disk.wrap(handle);
    });
  }

  async folder() {
    let directory = await navigator.storage.getDirectory();
    for (const part of [...this.#name.split("/"), "project"]) {
      directory = await directory.getDirectoryHandle(part, { create: true });
    }
    return new HandleFolder(directory);
  }
}

function newName() {
  return `tests/${crypto.randomUUID()}`;
}

const { pyodide, wheels, payload } = Object.fromEntries(new URL(location.href).searchParams);
const running = start();

addEventListener("message", async ({ data }) => {
  try {
    postMessage(await (await running)(data, new Place()));
  } catch (error) {
    postMessage(`The test could not be run: ${error instanceof Error ? error.stack : error}`);
  }
});

async function start() {
  const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
  const archives = await Promise.all([payload, ...wheels.split(",")].map(load));
  return startTests({ loadPyodide, indexURL: `${pyodide}/`, wheels: archives.slice(1) }, archives[0]);
}

/** @param {string} url */
async function load(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
