// Where paths lead: each path with each function that takes one, as wasmtime answers on Linux.
//
// Two answers are ours: a directory named with a slash behind it can be removed, and a symlink named so
// is no directory to remove.

import { Guest, O, READ } from "./guest.js";
import { equal, test } from "./testing.js";

const TREE = {
  f: "hello",
  d: { g: "x", upf: /** @type {[string]} */ (["../f"]) },
  e: {},
  lf: /** @type {[string]} */ (["f"]),
  ld: /** @type {[string]} */ (["d"]),
  dang: /** @type {[string]} */ (["nope"]),
  up: /** @type {[string]} */ (["../x"]),
  abs: /** @type {[string]} */ (["/etc"]),
  loop: /** @type {[string]} */ (["loop"]),
  lds: /** @type {[string]} */ (["d/"]),
  lfs: /** @type {[string]} */ (["f/"]),
};

/** @type {[string, (guest: Guest, path: string) => any][]} */
const FUNCTIONS = [
  ["open", (guest, path) => guest.open(path, { rights: READ })],
  ["open, following", (guest, path) => guest.open(path, { rights: READ, follow: true })],
  ["stat", (guest, path) => guest.stat(path)],
  ["stat, following", (guest, path) => guest.stat(path, { follow: true })],
  ["readlink", (guest, path) => guest.call("path_readlink", 3, ...guest.path(path), 65536, 100, 0)],
  ["create_directory", (guest, path) => guest.onPath("path_create_directory", path)],
  ["unlink_file", (guest, path) => guest.onPath("path_unlink_file", path)],
  ["remove_directory", (guest, path) => guest.onPath("path_remove_directory", path)],
  ["symlink", (guest, path) => guest.symlink("t", path)],
  ["create", (guest, path) => guest.open(path, { oflags: O.CREATE })],
  ["create, following", (guest, path) => guest.open(path, { oflags: O.CREATE, follow: true })],
  ["link from", (guest, path) => guest.link(path, "n")],
  ["link to", (guest, path) => guest.link("f", path)],
  ["rename from", (guest, path) => guest.rename(path, "n")],
  ["rename a file to", (guest, path) => guest.rename("f", path)],
  ["rename a directory to", (guest, path) => guest.rename("d", path)],
  ["rename an empty directory to", (guest, path) => guest.rename("e", path)],
];

/** @type {[string, string][]} */
const ANSWERS = [
  ["f", "ok ok file file INVAL EXIST ok NOTDIR EXIST ok ok ok EXIST ok ok NOTDIR NOTDIR"],
  [
    "f/",
    "NOTDIR NOTDIR NOTDIR NOTDIR NOTDIR EXIST NOTDIR NOTDIR NOTDIR ISDIR ISDIR NOTDIR NOTDIR NOTDIR NOTDIR NOTDIR NOTDIR",
  ],
  [
    "f//",
    "NOTDIR NOTDIR NOTDIR NOTDIR NOTDIR EXIST NOTDIR NOTDIR NOTDIR ISDIR ISDIR NOTDIR NOTDIR NOTDIR NOTDIR NOTDIR NOTDIR",
  ],
  ["f/.", "NOTDIR ..."],
  ["f/..", "NOTDIR ..."],
  ["f/x", "NOTDIR ..."],
  ["./f", "ok ok file file INVAL EXIST ok NOTDIR EXIST ok ok ok EXIST ok ok NOTDIR NOTDIR"],
  ["d/../f", "ok ok file file INVAL EXIST ok NOTDIR EXIST ok ok ok EXIST ok ok NOTDIR NOTDIR"],
  ["d//g", "ok ok file file INVAL EXIST ok NOTDIR EXIST ok ok ok EXIST ok ok INVAL NOTDIR"],
  [".../f", "NOENT ..."],
  ["", "NOENT ..."],
  ["/f", "PERM ..."],
  ["//f", "PERM ..."],
  [".", "ok ok dir dir INVAL EXIST ISDIR INVAL EXIST ISDIR ISDIR PERM EXIST BUSY BUSY BUSY BUSY"],
  ["./", "ok ok dir dir INVAL EXIST ISDIR INVAL EXIST ISDIR ISDIR PERM EXIST BUSY BUSY BUSY BUSY"],
  ["..", "PERM ..."],
  ["d", "ok ok dir dir INVAL EXIST ISDIR NOTEMPTY EXIST ISDIR ISDIR PERM EXIST ok ISDIR ok NOTEMPTY"],
  ["d/", "ok ok dir dir INVAL EXIST ISDIR NOTEMPTY EXIST ISDIR ISDIR PERM EXIST ok NOTDIR ok NOTEMPTY"],
  ["d/.", "ok ok dir dir INVAL EXIST ISDIR INVAL EXIST ISDIR ISDIR PERM EXIST BUSY BUSY BUSY BUSY"],
  ["d/..", "ok ok dir dir INVAL EXIST ISDIR INVAL EXIST ISDIR ISDIR PERM EXIST BUSY BUSY BUSY BUSY"],
  ["d/../../f", "PERM ..."],
  ["e", "ok ok dir dir INVAL EXIST ISDIR ok EXIST ISDIR ISDIR PERM EXIST ok ISDIR ok ok"],
  ["e/", "ok ok dir dir INVAL EXIST ISDIR ok EXIST ISDIR ISDIR PERM EXIST ok NOTDIR ok ok"],
  ["lf", "LOOP ok link file ok EXIST ok NOTDIR EXIST LOOP ok ok EXIST ok ok NOTDIR NOTDIR"],
  [
    "lf/",
    "NOTDIR NOTDIR NOTDIR NOTDIR NOTDIR EXIST NOTDIR NOTDIR NOTDIR ISDIR ISDIR NOTDIR NOTDIR NOTDIR NOTDIR NOTDIR NOTDIR",
  ],
  ["ld", "LOOP ok link dir ok EXIST ok NOTDIR EXIST LOOP ISDIR ok EXIST ok ok NOTDIR NOTDIR"],
  ["ld/", "ok ok dir dir INVAL EXIST ISDIR NOTDIR EXIST ISDIR ISDIR PERM EXIST NOTDIR NOTDIR NOTDIR NOTDIR"],
  ["ld/g", "ok ok file file INVAL EXIST ok NOTDIR EXIST ok ok ok EXIST ok ok INVAL NOTDIR"],
  ["ld/.", "ok ok dir dir INVAL EXIST ISDIR INVAL EXIST ISDIR ISDIR PERM EXIST BUSY BUSY BUSY BUSY"],
  ["lds", "LOOP ok link dir ok EXIST ok NOTDIR EXIST LOOP ISDIR ok EXIST ok ok NOTDIR NOTDIR"],
  ["lds/g", "ok ok file file INVAL EXIST ok NOTDIR EXIST ok ok ok EXIST ok ok INVAL NOTDIR"],
  ["lfs", "LOOP NOTDIR link NOTDIR ok EXIST ok NOTDIR EXIST LOOP ISDIR ok EXIST ok ok NOTDIR NOTDIR"],
  ["dang", "LOOP NOENT link NOENT ok EXIST ok NOTDIR EXIST LOOP ok ok EXIST ok ok NOTDIR NOTDIR"],
  [
    "dang/",
    "NOENT NOENT NOENT NOENT NOENT EXIST NOENT NOTDIR NOENT ISDIR ISDIR NOENT NOENT NOTDIR NOTDIR NOTDIR NOTDIR",
  ],
  ["up", "LOOP PERM link PERM ok EXIST ok NOTDIR EXIST LOOP PERM ok EXIST ok ok NOTDIR NOTDIR"],
  ["abs", "LOOP PERM link PERM PERM EXIST ok NOTDIR EXIST LOOP PERM ok EXIST ok ok NOTDIR NOTDIR"],
  ["abs/x", "PERM ..."],
  ["loop", "LOOP LOOP link LOOP ok EXIST ok NOTDIR EXIST LOOP LOOP ok EXIST ok ok NOTDIR NOTDIR"],
  ["loop/x", "LOOP ..."],
  ["d/upf", "LOOP ok link file ok EXIST ok NOTDIR EXIST LOOP ok ok EXIST ok ok INVAL NOTDIR"],
  ["nope", "NOENT NOENT NOENT NOENT NOENT ok NOENT NOENT ok ok ok NOENT ok NOENT ok ok ok"],
  ["nope/", "NOENT NOENT NOENT NOENT NOENT ok NOENT NOENT NOENT ISDIR ISDIR NOENT NOENT NOENT NOTDIR ok ok"],
  ["nope/x", "NOENT ..."],
  ["nope/..", "NOENT ..."],
];

test("each path leads each function to the same place as on wasmtime", () => {
  for (const [path, row] of ANSWERS) {
    const answers = row.endsWith("...") ? FUNCTIONS.map(() => row.split(" ")[0]) : row.split(" ");
    equal(answers.length, FUNCTIONS.length, path);
    for (const [index, [name, act]] of FUNCTIONS.entries()) {
      equal(shown(act(new Guest(TREE), path)), answers[index], `${name} ${JSON.stringify(path)}`);
    }
  }
});

test("a path that is no UTF-8, holds a NUL, or is too long is refused", () => {
  const guest = new Guest(TREE);
  guest.bytes.set([0xff, 0xfe], 4096);
  equal(guest.call("path_unlink_file", 3, 4096, 2), "ILSEQ");
  equal(guest.open("a\0b"), "INVAL");
  equal(guest.open("f\0"), "INVAL");
  equal(guest.open("x".repeat(256)), "NAMETOOLONG");
  equal(guest.open("é".repeat(128)), "NAMETOOLONG");
  equal(guest.open("x".repeat(255)), "NOENT");
  equal(guest.open(`${"./".repeat(2048)}f`), "NAMETOOLONG");
  equal(guest.open(`${"./".repeat(2047)}f`), 4);
});

test("a name keeps a byte order mark and is found by it alone", () => {
  const guest = new Guest();
  guest.save("\ufefff", "marked");
  equal(guest.content("f"), "NOENT");
  equal(guest.content("\ufefff"), "marked");
});

test("no path leaves the directory that it starts from, even inside what is preopened", () => {
  const guest = new Guest({ d: { s: { up: ["../../f"] } }, f: "x" });
  const d = guest.openDirectory("d");
  const s = guest.openDirectory("d/s");
  equal(guest.open("../f", { fd: d }), "PERM");
  equal(guest.open("s/up", { fd: d, follow: true, rights: READ }), "PERM");
  equal(guest.open("up", { fd: s, follow: true, rights: READ }), "PERM");
  equal(guest.content("d/s/up"), "x");
});

test("forty symlinks one after the other are followed, one more is a loop", () => {
  /** @type {import("./tree.js").Tree} */
  const tree = { l0: "end" };
  for (let at = 1; at <= 41; at++) tree[`l${at}`] = [`l${at - 1}`];
  const guest = new Guest(tree);
  equal(guest.content("l40"), "end");
  equal(guest.content("l41"), "LOOP");
});

test("a symlink without a target leads nowhere", () => {
  equal(new Guest({ l: [""] }).content("l"), "NOENT");
});

/** @param {any} answer */
function shown(answer) {
  if (typeof answer === "number") return "ok";
  if (typeof answer === "string") return answer;
  return { 3: "dir", 4: "file", 7: "link" }[/** @type {3 | 4 | 7} */ (answer.type)];
}
