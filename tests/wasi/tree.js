// Trees in short, and a clock that stands still.

const encoder = new TextEncoder();

/** A clock that stands still until it is moved. */
export class StillClock {
  resolution = 1n;
  now = 1_000_000_000n;
  realtime = () => this.now;
  monotonic = () => this.now;
  fileTime = () => this.now;
}

/**
 * A tree in short: text is a file, an object a directory, an array of one text a symlink.
 * @typedef {{ [name: string]: string | [string] | Tree }} Tree
 */

/**
 * @param {Tree} tree
 * @param {string} [above]
 * @returns {any[]}
 */
export function entriesOf(tree, above = "") {
  return Object.entries(tree).flatMap(([name, value]) => {
    const path = above ? `${above}/${name}` : name;
    if (typeof value === "string") {
      return [{ path, kind: "file", size: encoder.encode(value).length, blob: value, mtime_ns: 5n }];
    }
    if (Array.isArray(value)) return [{ path, kind: "symlink", target: value[0], mtime_ns: 5n }];
    return [{ path, kind: "dir", mtime_ns: 5n }, ...entriesOf(value, path)];
  });
}
