// The agent worker: Python, the state in OPFS, and messages of JSON text to and from the page.
import { boot } from "../boot.js";
import { browserHost } from "../host/browser/index.js";

const STATE = "py-agent";
const base = new URL("../", import.meta.url);

/** @type {Promise<(text: string) => void>} */
const handle = start();

addEventListener("message", async (event) => (await handle)(event.data));
handle.catch((error) => say({ type: "error", message: error.message ?? String(error) }));

async function start() {
  say({ type: "loading", step: "Python" });
  const { loadPyodide } = await import(new URL("pyodide/pyodide.mjs", base).href);
  const wheels = await fetchWheels();
  const python = await boot({ loadPyodide, indexURL: new URL("pyodide/", base).href, wheels });
  say({ type: "loading", step: "Your files and sessions" });
  const host = await browserHost(STATE);
  const worker = python.pyimport("py_agent.worker");
  return worker.start(host, (/** @type {string} */ text) => postMessage(text));
}

async function fetchWheels() {
  const names = await (await fetch(new URL("wheels/manifest.json", base))).json();
  return Promise.all(
    names.map(async (/** @type {string} */ name) => {
      const response = await fetch(new URL(`wheels/${name}`, base));
      if (!response.ok) throw new Error(`${name} could not be loaded: ${response.status}`);
      return new Uint8Array(await response.arrayBuffer());
    }),
  );
}

/** @param {object} message */
function say(message) {
  postMessage(JSON.stringify(message));
}
