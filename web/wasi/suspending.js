// JavaScript Promise Integration: guests that wait without blocking their thread, where the engine has it.

/**
 * What TypeScript's library does not know yet.
 * @typedef {object} Integration
 * @property {new (call: (...args: any[]) => unknown) => WebAssembly.ImportValue} Suspending
 * @property {(exported: Function) => () => Promise<unknown>} promising
 */

const engine = /** @type {Partial<Integration>} */ (/** @type {unknown} */ (WebAssembly));

export function canSuspend() {
  return engine.Suspending !== undefined && engine.promising !== undefined;
}

/**
 * An import during which the guest may be suspended.
 * @param {(...args: any[]) => unknown} call
 */
export function suspending(call) {
  return new /** @type {Integration} */ (engine).Suspending(call);
}

/**
 * An export that may call such imports.
 * @param {Function} exported
 */
export function promising(exported) {
  return /** @type {Integration} */ (engine).promising(exported);
}
