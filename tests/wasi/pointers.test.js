// Pointers and lengths that lead out of the guest's memory.

import { Guest, O } from "./guest.js";
import { equal, test } from "./testing.js";

const END = 5 * 65536;
const FAR = [END, END - 1, 0x7fffffff, -1, -4];
const TREE = { f: "hello", d: { g: "x" }, l: /** @type {[string]} */ (["ff"]) };

/** Every pointer and length of every function: what is marked with P is tried out of range. */
const P = Symbol("pointer");
/** @type {[string, (number | bigint | typeof P)[]][]} */
const CALLS = [
  ["args_get", [P, 5000]],
  ["args_get", [1000, P]],
  ["args_sizes_get", [P, 0]],
  ["args_sizes_get", [0, P]],
  ["environ_get", [1000, P]],
  ["environ_sizes_get", [P, 0]],
  ["clock_res_get", [0, P]],
  ["clock_time_get", [0, 0n, P]],
  ["fd_fdstat_get", [3, P]],
  ["fd_filestat_get", [3, P]],
  ["fd_prestat_get", [3, P]],
  ["fd_prestat_dir_name", [3, P, 100]],
  ["fd_read", [4, P, 1, 0]],
  ["fd_read", [4, 64, 1, P]],
  ["fd_pread", [4, P, 1, 0n, 0]],
  ["fd_pread", [4, 64, 1, 0n, P]],
  ["fd_write", [4, P, 1, 0]],
  ["fd_write", [4, 64, 1, P]],
  ["fd_pwrite", [4, P, 1, 0n, 0]],
  ["fd_pwrite", [4, 64, 1, 0n, P]],
  ["fd_readdir", [3, P, 100, 0n, 0]],
  ["fd_readdir", [3, 1000, 100, 0n, P]],
  ["fd_seek", [4, 1n, 0, P]],
  ["fd_tell", [4, P]],
  ["path_create_directory", [3, P, 8]],
  ["path_filestat_get", [3, 0, P, 8, 0]],
  ["path_filestat_get", [3, 0, 4096, 1, P]],
  ["path_filestat_set_times", [3, 0, P, 8, 0n, 0n, 1]],
  ["path_link", [3, 0, P, 8, 3, 4096, 1]],
  ["path_link", [3, 0, 4096, 1, 3, P, 8]],
  ["path_open", [3, 0, P, 8, O.CREATE, 0n, 0n, 0, 0]],
  ["path_open", [3, 0, 4200, 3, O.CREATE, 0n, 0n, 0, P]],
  ["path_readlink", [3, P, 8, 1000, 10, 0]],
  ["path_readlink", [3, 4100, 1, P, 10, 0]],
  ["path_readlink", [3, 4100, 1, 1000, 10, P]],
  ["path_remove_directory", [3, P, 8]],
  ["path_rename", [3, P, 8, 3, 4096, 1]],
  ["path_rename", [3, 4096, 1, 3, P, 8]],
  ["path_symlink", [P, 8, 3, 4200, 3]],
  ["path_symlink", [4096, 1, 3, P, 8]],
  ["path_unlink_file", [3, P, 8]],
  ["poll_oneoff", [P, 1000, 1, 0]],
  ["poll_oneoff", [1000, P, 1, 0]],
  ["poll_oneoff", [1000, 2000, 1, P]],
  ["random_get", [P, 100]],
];

function prepared() {
  const guest = new Guest(TREE, { env: [["K", "V"]], name: "/root" });
  equal(guest.open("f"), 4);
  guest.path("f", 4096);
  guest.path("l", 4100);
  guest.path("new", 4200);
  guest.iovecs(64, [[1000, 5]]);
  return guest;
}

test("a pointer out of range is a fault in every function, and nothing is changed", () => {
  for (const [name, args] of CALLS) {
    for (const far of FAR) {
      const guest = prepared();
      const before = guest.names(3);
      const memory = guest.bytes.slice();
      const answer = guest.call(name, ...args.map((each) => (each === P ? far : each)));
      equal(answer, "FAULT", `${name} with ${far} as ${args.indexOf(P)}`);
      equal(
        guest.bytes.every((byte, at) => byte === memory[at]),
        true,
        `${name} wrote to memory`,
      );
      equal([guest.names(3), guest.content("f"), guest.seek(4, 0, 1)], [before, "hello", 0], name);
    }
  }
});

test("an enormous length is a fault, not a hang", () => {
  const guest = prepared();
  equal(guest.call("random_get", 0, -1), "FAULT");
  equal(guest.call("path_open", 3, 0, 4096, -1, 0, 0n, 0n, 0, 0), "FAULT");
  equal(guest.call("fd_readdir", 3, 1000, -1, 0n, 0), "FAULT");
  guest.iovecs(64, [[0, 0xffffffff]]);
  equal(guest.call("fd_read", 4, 64, 1, 0), "FAULT");
  equal(guest.call("fd_write", 4, 64, 1, 0), "FAULT");
});

test("a buffer that lies out of range faults before another one is used", () => {
  const guest = prepared();
  guest.iovecs(64, [
    [1000, 2],
    [END - 1, 2],
  ]);
  equal(guest.call("fd_read", 4, 64, 2, 0), "FAULT");
  equal(guest.call("fd_write", 4, 64, 2, 0), "FAULT");
  equal([guest.read(4), guest.content("f")], ["hello", "hello"]);
});

test("a buffer that is read over the pointers of the next ones does not lead out of memory", () => {
  const guest = prepared();
  const lines = new DataView(new ArrayBuffer(8));
  lines.setUint32(0, END - 4, true);
  lines.setUint32(4, 100, true);
  guest.bytes.set(new Uint8Array(lines.buffer), 2000);
  guest.bytes.fill(65, 2008, 2208);
  guest.iovecs(64, [[2000, 208]]);
  equal(guest.call("fd_pwrite", 4, 64, 1, 0n, 0), "ok");
  guest.iovecs(64, [
    [72, 8],
    [1000, 8],
  ]);
  equal(guest.call("fd_read", 4, 64, 2, 0), "FAULT");
});

test("what reaches to the last byte of memory is fine", () => {
  const guest = prepared();
  equal(guest.call("random_get", END - 10, 10), "ok");
  equal(guest.call("fd_fdstat_get", 3, END - 24), "ok");
  equal(guest.call("fd_filestat_get", 3, END - 64), "ok");
  guest.iovecs(END - 8, [[END - 20, 5]]);
  equal(guest.call("fd_read", 4, END - 8, 1, END - 12), "ok");
  equal(guest.bytes.slice(END - 20, END - 15), new TextEncoder().encode("hello"));
});

test("views follow a memory that has grown", () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const guest = new Guest({ f: "hello" });
  guest.process.memory.attach(/** @type {any} */ (memory));
  equal(guest.call("random_get", 65536, 1), "FAULT");
  memory.grow(1);
  equal(guest.call("random_get", 65536, 65536), "ok");
  equal(
    new Uint8Array(memory.buffer).subarray(65536).some((byte) => byte !== 0),
    true,
  );
});

test("without a memory every pointer is out of range", () => {
  const guest = new Guest();
  guest.process.memory.detach();
  equal(guest.call("random_get", 0, 1), "FAULT");
  equal(guest.call("args_sizes_get", 0, 4), "FAULT");
});
