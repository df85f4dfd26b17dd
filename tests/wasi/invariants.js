// What must hold for a tree in memory whatever a guest did, found by walking all of it.

import { changesOf } from "../../web/wasi/index.js";
import { equal, ok } from "./testing.js";

/** @typedef {import("../../web/wasi/files/directory.js").MemoryDirectory} MemoryDirectory */
/** @typedef {{ kind: string, content: string, mtim: bigint, mode: number }} Seen */

/**
 * @param {MemoryDirectory[]} roots
 * @param {(path: string, entry: import("../../web/wasi/files/inode.js").Entry) => void} see
 */
function walk(roots, see) {
  /** @type {[string, MemoryDirectory][]} */
  const directories = roots.map((root) => ["", root]);
  for (let next = directories.pop(); next; next = directories.pop()) {
    const [path, directory] = next;
    for (const [name, entry] of directory.names()) {
      const below = path ? `${path}/${name}` : name;
      equal([entry.name, entry.parent === directory, entry.isGone], [name, true, false], below);
      see(below, entry);
      if (entry.node.kind === "directory") directories.push([below, entry.node]);
    }
  }
}

/** @param {any} node */
function contentOf(node) {
  if (node.kind === "symlink") return node.target;
  if (node.kind !== "file") return "";
  const bytes = new Uint8Array(node.size + 1);
  equal(node.read(bytes, 0, bytes.length, 0), node.size, "a file's size is what can be read of it");
  return bytes.join(" ");
}

/**
 * Every name is one of its node's names, every directory has one, and each byte of room is accounted for.
 * @param {import("../../web/wasi/index.js").MemoryFiles} files
 * @param {MemoryDirectory[]} roots all there are, nothing being open
 */
export function checkLinks(files, roots) {
  /** @type {Map<any, any[]>} */
  const names = new Map();
  let used = 0;
  walk(roots, (_, entry) => {
    names.set(entry.node, [...(names.get(entry.node) ?? []), entry]);
    used += entry.charge;
  });
  for (const [node, entries] of names) {
    equal(node.entries.length, entries.length, "names of a node");
    ok(
      entries.every((entry) => node.entries.includes(entry)),
      "a node knows its names",
    );
    if (node.kind === "file" && node.isRewritten) used += node.size;
    if (node.kind !== "directory") {
      equal(node.nlink, entries.length, "links of a file");
      continue;
    }
    equal(entries.length, 1, "names of a directory");
    const inside = [...node.names().values()].filter((each) => each.node.kind === "directory").length;
    equal(node.nlink, 2 + inside, "links of a directory");
  }
  equal(files.quota.used, used, "room that is used");
}

/**
 * @param {MemoryDirectory} root
 * @returns {Map<string, Seen>}
 */
export function snapshot(root) {
  const seen = new Map();
  walk([root], (path, { node }) => {
    const { kind, mtim, mode } = node;
    seen.set(path, { kind: kind === "directory" ? "dir" : kind, content: contentOf(node), mtim, mode });
  });
  return seen;
}

/**
 * The changes that are told are those that two full walks find.
 * @param {Map<string, Seen>} before
 * @param {MemoryDirectory} root
 */
export async function checkChanges(before, root) {
  const after = snapshot(root);
  /** @type {string[]} */
  const expected = [];
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(path), after.get(path)];
    if (was && was.kind !== is?.kind) expected.push(`delete ${path} ${was.kind}`);
    if (is && was?.kind !== is.kind) expected.push(told("add", path, is));
    if (is && was?.kind === is.kind && told("", "", was) !== told("", "", is))
      expected.push(told("modify", path, is));
  }
  const changes = await changesOf(root);
  const actual = changes.map(({ change, path, kind, mode = 0, mtime_ns = 0n, bytes, blob, target }) => {
    if (change === "delete") return `delete ${path} ${kind}`;
    const content =
      target ?? [...(bytes ?? new TextEncoder().encode(blob)), ...(kind === "file" ? [0] : [])].join(" ");
    return told(change, path, { kind, content: kind === "dir" ? "" : content, mtim: mtime_ns, mode });
  });
  equal(actual.sort(), expected.sort(), "changes");
}

/**
 * @param {string} change
 * @param {string} path
 * @param {Seen} seen
 */
function told(change, path, { kind, content, mtim, mode }) {
  return `${change} ${path} ${kind} ${mode} ${kind === "dir" ? "" : mtim} ${content}`;
}
