// Another worker that owns a session until it is ended: it says so, and then waits.
import { browserHost } from "../../web/host/browser/index.js";

addEventListener("message", async ({ data: { directory, session } }) => {
  const host = await browserHost(directory);
  await host.locks.acquire(session);
  await host.storage.open(`${session}/events.jsonl`);
  postMessage("owned");
});
