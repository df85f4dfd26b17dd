// How a root differs from what the guest was given, found without looking at what was never touched.

/**
 * A file whose bytes are those of a blob names it; any other file has its bytes here, not to be changed.
 * Renames are a delete and an add. A directory counts where it is new, gone or has another mode, never for its times.
 * @typedef {object} Change
 * @property {"add" | "modify" | "delete"} change
 * @property {string} path below the root
 * @property {"file" | "dir" | "symlink"} kind
 * @property {number} [mode] absent, as all that follows, where something was deleted
 * @property {bigint} [mtime_ns]
 * @property {number} [size] of a file
 * @property {string} [blob] of a file
 * @property {Uint8Array} [bytes] of a file
 * @property {string} [target] of a symlink
 */

/** @typedef {import("./directory.js").MemoryNode} MemoryNode */
/** @typedef {{ path: string, before: MemoryNode | undefined, after: MemoryNode | undefined }} Pair */

/**
 * @param {import("./directory.js").MemoryDirectory} root
 * @returns {Promise<Change[]>} deletes first, the deepest before those above it, then the rest, parents first
 */
export async function changesOf(root) {
  /** @type {Change[]} */
  const deletes = [];
  /** @type {Change[]} */
  const others = [];
  /** @type {Pair[]} */
  const pairs = [{ path: "", before: root, after: root }];
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const { path, before, after } = pair;
    if (before === after && !after?.isTouched) continue;
    const isSameKind = before?.kind === after?.kind;
    if (before && !isSameKind) deletes.push({ change: "delete", path, kind: kindOf(before) });
    if (after && !isSameKind) others.push(await described("add", path, after));
    if (before && after && isSameKind && (await differs(before, after)))
      others.push(await described("modify", path, after));
    for (const deeper of below(pair)) pairs.push(deeper);
  }
  return [...deletes.reverse(), ...others];
}

/**
 * @param {Pair} pair
 * @returns {Pair[]}
 */
function below({ path, before, after }) {
  const was = before?.kind === "directory" ? before.startNames() : new Map();
  const is = after?.kind === "directory" ? after.names() : new Map();
  const names = new Set([...was.keys(), ...is.keys()]);
  return Array.from(names, (name) => ({
    path: path === "" ? name : `${path}/${name}`,
    before: was.get(name),
    after: is.get(name)?.node,
  }));
}

/**
 * @param {MemoryNode} before as it was at the start
 * @param {MemoryNode} after of the same kind
 */
async function differs(before, after) {
  const { start } = before;
  if (start === null || after.mode !== start.mode) return true;
  if (after.kind === "directory") return false;
  if (after.mtim !== start.mtim) return true;
  if (after.kind === "symlink") return before.kind !== "symlink" || after.target !== before.target;
  if (after.kind !== "file" || before.kind !== "file") return true;
  if (!after.isRewritten && after.start?.blob === start.blob) return false;
  return !(await isSame(before, after));
}

/**
 * Such as a file that was unpacked again over itself: only its bytes tell that it is the same.
 * @param {import("./file.js").MemoryFile} before
 * @param {import("./file.js").MemoryFile} after
 */
async function isSame(before, after) {
  const was = await before.startBytes();
  if (was.length !== after.size) return false;
  const is = await after.toBytes();
  return was.every((byte, at) => byte === is[at]);
}

/**
 * @param {"add" | "modify"} change
 * @param {string} path
 * @param {MemoryNode} node
 * @returns {Promise<Change>}
 */
async function described(change, path, node) {
  const { mode, mtim } = node;
  const common = { change, path, kind: kindOf(node), mode, mtime_ns: mtim };
  if (node.kind === "symlink") return { ...common, target: node.target };
  if (node.kind !== "file") return common;
  const blob = node.isRewritten ? null : node.start?.blob;
  return blob
    ? { ...common, size: node.size, blob }
    : { ...common, size: node.size, bytes: await node.toBytes() };
}

/**
 * @param {MemoryNode} node
 * @returns {Change["kind"]}
 */
function kindOf({ kind }) {
  return kind === "directory" ? "dir" : kind === "symlink" ? "symlink" : "file";
}
