// Runs one file of tests in a worker of a browser and answers with what went wrong in each, or nothing.

import { registered } from "./testing.js";

addEventListener("message", async ({ data }) => {
  /** @type {Record<string, string>} */
  const failures = {};
  try {
    await import(`./${data}`);
    for (const { name, run } of registered) failures[name] = await failureOf(run);
  } catch (error) {
    failures[`${data} could not be loaded`] = String(error);
  }
  postMessage(failures);
});

/** @param {() => unknown} run */
async function failureOf(run) {
  try {
    await run();
    return "";
  } catch (error) {
    return (error instanceof Error && error.stack) || String(error);
  }
}
