// Modules made byte by byte: as much of an assembler as the tests' programs need.

const encoder = new TextEncoder();
const I32 = 0x7f;
const I64 = 0x7e;
const VOID = 0x40;

/** What the functions that the tests' programs import take; each gives a number unless it is in VOIDS. */
const PARAMETERS = {
  args_get: "ii",
  args_sizes_get: "ii",
  clock_time_get: "iIi",
  fd_close: "i",
  fd_read: "iiii",
  fd_write: "iiii",
  path_open: "iiiiiIIii",
  poll_oneoff: "iiii",
  proc_exit: "i",
  sched_yield: "",
};
const VOIDS = new Set(["proc_exit"]);

/** @typedef {(number | Code)[]} Code */

/** @param {number} value */
export function unsigned(value) {
  const bytes = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return [...bytes, rest];
}

/** @param {number} value */
function signed(value) {
  const bytes = [];
  let rest = value;
  for (;;) {
    const low = rest & 0x7f;
    rest >>= 7;
    if ((rest === 0 && low < 0x40) || (rest === -1 && low >= 0x40)) return [...bytes, low];
    bytes.push(low | 0x80);
  }
}

export const op = {
  unreachable: [0x00],
  drop: [0x1a],
  add: [0x6a],
  equalsZero: [0x45],
  memoryGrow: [0x40, 0x00],
  memorySize: [0x3f, 0x00],
  i32: (/** @type {number} */ value) => [0x41, ...signed(value)],
  i64: (/** @type {number} */ value) => [0x42, ...signed(value)],
  load: (/** @type {number} */ at) => [...op.i32(at), 0x28, 2, 0],
  store: (/** @type {number} */ at, /** @type {Code} */ value) => [...op.i32(at), value, 0x36, 2, 0],
  loop: (/** @type {Code} */ body) => [0x03, VOID, body, 0x0b],
  block: (/** @type {Code} */ body) => [0x02, VOID, body, 0x0b],
  branch: (/** @type {number} */ depth) => [0x0c, depth],
  branchIf: (/** @type {number} */ depth) => [0x0d, depth],
  callSelf: (/** @type {number} */ index) => [0x10, ...unsigned(index)],
  /** Run the body and swallow whatever is thrown in it. */
  catchAll: (/** @type {Code} */ body) => op.block([0x1f, VOID, 0x01, 0x02, 0x00, body, 0x0b]),
};

/**
 * @typedef {object} Source
 * @property {string[]} [imports] of preview 1, called by `call`
 * @property {{ module: string, name: string, parameters: string }[]} [others] imports that give a number
 * @property {number | null} [pages] of memory
 * @property {number} [maximum]
 * @property {Record<number, string>} [data]
 * @property {string} [start] the name of the exported function
 * @property {(call: (name: string, ...args: (number | Code)[]) => Code) => Code} body
 * @property {"export" | "section"} [runs] what makes the body run
 */

/**
 * @param {Source} source
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function assemble({
  imports = [],
  others = [],
  pages = 1,
  maximum,
  data = {},
  start = "_start",
  body,
  runs,
}) {
  const all = [
    ...imports.map((name) => ({ module: "wasi_snapshot_preview1", name, parameters: parametersOf(name) })),
    ...others,
  ];
  const call = (/** @type {string} */ name, /** @type {(number | Code)[]} */ ...args) => [
    ...args.map((each, at) => argument(each, all.find((one) => one.name === name)?.parameters[at])),
    0x10,
    all.findIndex((each) => each.name === name),
  ];
  const limits =
    maximum === undefined ? [0, ...unsigned(pages ?? 0)] : [1, ...unsigned(pages ?? 0), ...unsigned(maximum)];
  const main = [0, ...flat(body(call)), 0x0b];
  const empty = [0, 0x0b];
  const bodies = runs === "section" ? [main, empty] : [main];
  const started = all.length + bodies.length - 1;
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [[0x60, 0, 0], ...all.map(({ name, parameters }) => typeOf(name, parameters))]),
    ...section(
      2,
      all.map(({ module, name }, at) => [...text(module), ...text(name), 0, at + 1]),
    ),
    ...section(
      3,
      bodies.map(() => [0]),
    ),
    ...(pages === null ? [] : section(5, [limits])),
    ...section(7, [[...text(start), 0, started], ...(pages === null ? [] : [[...text("memory"), 2, 0]])]),
    ...(runs === "section" ? [8, ...sized(unsigned(all.length))] : []),
    ...section(10, bodies.map(sized)),
    ...section(
      11,
      Object.entries(data).map(([at, value]) => [0, ...op.i32(Number(at)), 0x0b, ...text(value)]),
    ),
  ]);
}

/** @param {string} name */
function parametersOf(name) {
  return PARAMETERS[/** @type {keyof typeof PARAMETERS} */ (name)];
}

/**
 * @param {string} name
 * @param {string} parameters
 */
function typeOf(name, parameters) {
  const types = [...parameters].map((each) => (each === "i" ? I32 : I64));
  return [0x60, ...sized(types), ...(VOIDS.has(name) ? [0] : [1, I32])];
}

/**
 * @param {number | Code} value
 * @param {string | undefined} type
 */
function argument(value, type) {
  if (typeof value !== "number") return value;
  return type === "I" ? op.i64(value) : op.i32(value);
}

/**
 * @param {number} id
 * @param {number[][]} items
 */
function section(id, items) {
  return items.length === 0 ? [] : [id, ...sized([...unsigned(items.length), ...items.flat()])];
}

/** @param {number[]} bytes */
function sized(bytes) {
  return [...unsigned(bytes.length), ...bytes];
}

/** @param {string} value */
function text(value) {
  return sized([...encoder.encode(value)]);
}

/**
 * @param {Code} code
 * @returns {number[]}
 */
function flat(code) {
  return code.flatMap((each) => (typeof each === "number" ? each : flat(each)));
}
