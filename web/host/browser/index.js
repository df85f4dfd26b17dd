// The browser's side of the ports, as py_agent.hosts.browser is handed it in a dedicated worker.

import { clock, ids } from "../clock_ids.js";
import { Http } from "../http.js";
import { Storage } from "../storage.js";
import { PrivateFiles } from "./files.js";
import { StateLocks } from "./lock.js";

/**
 * @param {string} name the state directory's path in the origin private file system
 * @param {import("./files.js").OpenFile} [openFile]
 */
export async function browserHost(name, openFile) {
  let directory = await navigator.storage.getDirectory();
  for (const part of name.split("/")) directory = await directory.getDirectoryHandle(part, { create: true });
  return {
    storage: new Storage(new PrivateFiles(directory, openFile)),
    locks: new StateLocks(`py-agent:${name}`),
    http: new Http(),
    clock,
    ids,
  };
}
