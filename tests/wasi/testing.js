// `test` and what it asserts with, the same in Node, where node:test runs it, and in a browser's worker.

/** @typedef {{ name: string, run: () => unknown }} Test */

const isNode = globalThis.process?.versions?.node !== undefined;
/** @type {Test[]} */
export const registered = [];

/** @type {(name: string, run: () => void | Promise<void>) => void} */
export const test = isNode
  ? (await import("node:test")).test
  : (name, run) => {
      registered.push({ name, run });
    };

/**
 * @param {unknown} actual
 * @param {unknown} expected
 * @param {string} [what]
 */
export function equal(actual, expected, what = "") {
  const [is, should] = [shown(actual), shown(expected)];
  if (is !== should) throw new Error(`${what}\n  is     ${is}\n  should ${should}`);
}

/**
 * @param {unknown} truth
 * @param {string} what
 */
export function ok(truth, what) {
  if (!truth) throw new Error(what);
}

/**
 * @param {() => unknown} action
 * @param {(error: any) => boolean} isExpected
 */
export function throws(action, isExpected) {
  try {
    action();
  } catch (error) {
    if (isExpected(error)) return;
    throw error;
  }
  throw new Error("nothing was thrown");
}

/** @param {unknown} value */
function shown(value) {
  return JSON.stringify(value, (_, each) => {
    if (typeof each === "bigint") return `${each}n`;
    if (each instanceof Uint8Array) return `bytes ${[...each].join(" ")}`;
    return each === undefined ? "undefined" : each;
  });
}
