// Another process that owns a session until it is killed: it says so, and then waits.
import { nodeHost } from "../../web/host/node/index.js";

const [directory = "", session = ""] = process.argv.slice(2);
const host = nodeHost(directory);
await host.locks.acquire(session);
await host.storage.open(`${session}/events.jsonl`);
process.stdout.write("owned\n");
setInterval(() => {}, 2 ** 30);
