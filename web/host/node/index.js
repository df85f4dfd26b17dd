// Node's side of the ports, as py_agent.hosts.browser is handed it.

import { clock, ids } from "../clock_ids.js";
import { Http } from "../http.js";
import { Storage } from "../storage.js";
import { NodeFiles } from "./files.js";
import { NodeLocks } from "./lock.js";

/**
 * @param {string} directory the state directory
 * @param {import("./files.js").OpenFile} [openFile]
 */
export function nodeHost(directory, openFile) {
  return {
    storage: new Storage(new NodeFiles(directory, openFile)),
    locks: new NodeLocks(directory),
    http: new Http(),
    clock,
    ids,
  };
}
