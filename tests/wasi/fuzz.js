// Calls with any pointers, lengths and descriptors, in any order: the host answers each and keeps its tree whole.

import { deviceDirectory, Exit, listTree, MemoryFiles, Output, Pipe, Thread } from "../../web/wasi/index.js";
import { PREVIEW1 } from "../../web/wasi/preview1/index.js";
import { FD, Guest } from "./guest.js";
import { checkChanges, checkLinks, snapshot } from "./invariants.js";
import { Random } from "./random.js";
import { entriesOf } from "./tree.js";

/** @type {import("./tree.js").Tree} */
const TREE = {
  f: "hello",
  k: "0123456789".repeat(20),
  d: { g: "x", s: { deep: "y" }, upf: ["../f"] },
  e: {},
  lf: ["f"],
  ld: ["d"],
  dang: ["nope"],
  up: ["../x"],
  loop: ["loop"],
};
const NAMES = [
  "f",
  "k",
  "d",
  "e",
  "lf",
  "ld",
  "dang",
  "up",
  "loop",
  "n1",
  "n2",
  "n3",
  "d/g",
  "d/s",
  "d/s/deep",
  "d/n1",
];
const ODD_PATHS = [
  "",
  ".",
  "..",
  "/",
  "d/..",
  "d/../..",
  "ld/g",
  "n1/n2",
  "f/",
  "d/",
  "n1/",
  "a\0b",
  "x".repeat(256),
  "é",
  "null",
];
const [PATHS, IOVECS, SUBSCRIPTIONS, FREE] = [4096, 256, 16384, 65536];
const FAR = [5 * 65536 - 1, 5 * 65536, 2 ** 31 - 1, -(2 ** 31), -1, -2, -65536];
/** Of each kind mostly what makes sense, so that much is done before something goes wrong. */
const CHOICES = {
  d: [0, 1, 2, 3, 3, 3, 3, 4, 4, 5, 6, 6, 6, 7, 7, 7, 8, 8, 9, 10, 11, 12],
  D: [3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 5, 6, 7, 8],
  e: [6, 6, 7, 7, 8, 8, 9, 10, 11, 12, 13, 14],
  c: [0, 0, 0, 1, 1, 2, 3],
  f: [0, 0, 0, 1, 1, 4, 5, 8],
  g: [66n, 66n, 66n, 2n, 64n, 0n, 2n ** 30n - 1n, 2n ** 27n - 1n],
  k: [0, 0, 0, 0, 0, 0, 1, 1, 1, 2],
  l: [0n, 0n, 1n, 2n, 5n, 9n, 100n, 3000n, 70_000n, 2n ** 20n],
  n: [0, 1, 5, 24, 100, 1000, 5000],
  o: [0, 0, 0, 1, 1, 1, 5, 9, 2, 8],
  t: [1, 2, 4, 5, 8, 10, 0, 3],
  w: [0, 1, 2, 3, 9],
};
const ODD_LONGS = [2n ** 32n, 2n ** 53n, 2n ** 63n - 1n, -1n, -(2n ** 63n), 2n ** 31n];
const VECTOR_MAX = 6;
const TOTAL_BYTES = 2 ** 20;
const SLEEPS_MAX = 50;

/**
 * What each function takes, by the letters of CHOICES, and p a path, v a vector of buffers, s subscriptions,
 * r a place for a result.
 */
const SIGNATURES = Object.entries({
  args_get: "rr",
  args_sizes_get: "rr",
  environ_get: "rr",
  environ_sizes_get: "rr",
  clock_res_get: "cr",
  clock_time_get: "clr",
  random_get: "rn",
  sched_yield: "",
  proc_raise: "w",
  fd_advise: "dllc",
  fd_allocate: "dll",
  fd_close: "e",
  fd_datasync: "d",
  fd_sync: "d",
  fd_fdstat_get: "dr",
  fd_fdstat_set_flags: "df",
  fd_fdstat_set_rights: "egg",
  fd_filestat_get: "dr",
  fd_filestat_set_size: "dl",
  fd_filestat_set_times: "dllt",
  fd_pread: "dvlr",
  fd_prestat_get: "dr",
  fd_prestat_dir_name: "drn",
  fd_pwrite: "dvlr",
  fd_read: "dvr",
  fd_readdir: "drnlr",
  fd_renumber: "ee",
  fd_seek: "dlcr",
  fd_tell: "dr",
  fd_write: "dvr",
  path_create_directory: "Dp",
  path_filestat_get: "Dkpr",
  path_filestat_set_times: "Dkpllt",
  path_link: "DkpDp",
  path_open: "Dkpoggfr",
  path_readlink: "Dprnr",
  path_remove_directory: "Dp",
  path_rename: "DpDp",
  path_symlink: "pDp",
  path_unlink_file: "Dp",
  poll_oneoff: "srcr",
  sock_accept: "dcr",
  sock_recv: "dvcrr",
  sock_send: "dvcr",
  sock_shutdown: "dc",
});

/** How often a function is called, if it is not once in a while: what changes the tree is tried most. */
const OFTEN = /** @type {Record<string, number>} */ ({
  path_open: 12,
  path_rename: 8,
  path_link: 5,
  path_create_directory: 4,
  path_symlink: 3,
  path_unlink_file: 4,
  path_remove_directory: 5,
  fd_write: 6,
  fd_pwrite: 4,
  fd_read: 3,
  fd_filestat_set_size: 4,
  fd_allocate: 2,
  path_filestat_set_times: 3,
});
const CALLS = SIGNATURES.flatMap((each) => Array.from({ length: OFTEN[each[0]] ?? 1 }, () => each));

/**
 * @param {number} seed
 * @param {number} steps
 */
export async function fuzz(seed, steps) {
  const random = new Random(seed);
  const { guest, roots } = made(random);
  const before = snapshot(pristine());
  for (let step = 0; step < steps; step++) {
    fillMemory(guest, random);
    const [name, signature] = random.pick(CALLS);
    const args = [...signature].flatMap((each) => argument(each, guest, random));
    try {
      const answer = PREVIEW1[name]?.call(guest.process, ...args);
      if (!Number.isInteger(answer)) throw new Error(`it answered ${answer}`);
    } catch (error) {
      if (error instanceof Exit) break;
      if (error instanceof Error) {
        error.message = `seed ${seed}, step ${step}, ${name}(${args.join(", ")}): ${error.message}`;
        throw error;
      }
    }
  }
  guest.process.fds.closeAll();
  checkLinks(guest.files, roots);
  await checkChanges(before, guest.root);
}

/**
 * @param {Random} random
 * @returns {{ guest: Guest, roots: import("./invariants.js").MemoryDirectory[] }}
 */
function made(random) {
  let sleeps = 0;
  const pipe = new Pipe(new Thread());
  /** @type {import("./invariants.js").MemoryDirectory[]} */
  const roots = [];
  const guest = new Guest(TREE, {
    files: { total_bytes: TOTAL_BYTES },
    env: [["K", "V"]],
    limits: { open_files: 40 },
    random: (/** @type {Uint8Array} */ bytes, /** @type {number} */ start, /** @type {number} */ end) => {
      bytes.fill(random.below(256), start, end);
    },
    streams: [pipe.reader, pipe.writer, new Output(() => {})],
    sleep: (/** @type {number} */ milliseconds) => {
      guest.clock.now += BigInt(Math.ceil(milliseconds)) * 1_000_000n;
      sleeps += 1;
      if (sleeps > SLEEPS_MAX) guest.process.stop();
    },
    preopens: (
      /** @type {MemoryFiles} */ files,
      /** @type {import("./invariants.js").MemoryDirectory} */ root,
    ) => {
      roots.push(root, files.addRoot());
      return [
        { name: "/", directory: root },
        { name: "/tmp", directory: roots[1] },
        { name: "/dev", directory: deviceDirectory(files) },
      ];
    },
  });
  for (const fd of [0, 1]) guest.process.fds.get(fd).description.flags = FD.NONBLOCK;
  return { guest, roots };
}

/** The tree as it was, in a file system of its own. */
function pristine() {
  const files = new MemoryFiles({ read: (blob) => new TextEncoder().encode(blob) });
  return files.addRoot(listTree(entriesOf(TREE)));
}

/**
 * @param {Guest} guest
 * @param {Random} random
 */
function fillMemory(guest, random) {
  for (let at = 0; at < VECTOR_MAX; at++) {
    guest.iovecs(IOVECS + 8 * at, [[pointer(random), random.pick([0, 1, 5, 100, 3000, 70_000])]]);
    const subscription = SUBSCRIPTIONS + 48 * at;
    guest.view.setUint8(subscription + 8, random.below(4));
    guest.view.setUint32(subscription + 16, random.below(8), true);
    guest.view.setBigUint64(subscription + 24, BigInt(random.below(2 ** 30)), true);
    guest.view.setUint16(subscription + 40, random.below(3), true);
  }
}

/**
 * @param {string} kind
 * @param {Guest} guest
 * @param {Random} random
 * @returns {(number | bigint)[]}
 */
function argument(kind, guest, random) {
  const isOdd = random.below(20) === 0;
  if (kind === "p") return isOdd ? [anything(random), anything(random)] : path(guest, random);
  if (kind === "v") return [isOdd ? anything(random) : IOVECS, random.below(VECTOR_MAX)];
  if (kind === "s") return [SUBSCRIPTIONS];
  if (kind === "r") return [pointer(random)];
  if (isOdd) return kind === "l" || kind === "g" ? [random.pick(ODD_LONGS)] : [anything(random)];
  return [
    random.pick(/** @type {(number | bigint)[]} */ (CHOICES[/** @type {keyof typeof CHOICES} */ (kind)])),
  ];
}

/**
 * @param {Guest} guest
 * @param {Random} random
 */
function path(guest, random) {
  const at = PATHS + 1024 * random.below(4);
  return guest.path(random.below(5) === 0 ? random.pick(ODD_PATHS) : random.pick(NAMES), at);
}

/**
 * Mostly into free memory, now and then over what other arguments point at.
 * @param {Random} random
 */
function pointer(random) {
  if (random.below(40) === 0) return anything(random);
  return random.below(10) === 0 ? random.below(FREE) : FREE + random.below(FREE);
}

/** @param {Random} random */
function anything(random) {
  return random.below(2) === 0 ? random.pick(FAR) : random.next() | 0;
}
