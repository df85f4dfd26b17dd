// Descriptors: numbers, flags, rights, preopened directories.

import { FD, Guest, O, READ, WRITE } from "./guest.js";
import { equal, ok, test } from "./testing.js";

const RIGHT = {
  SEEK: 4,
  TELL: 32,
  READDIR: 1 << 14,
  PATH_OPEN: 1 << 13,
  CREATE_FILE: 1 << 10,
  SET_SIZE: 1 << 19,
};
const DIRECTORY = 3;
const FILE = 4;

test("a new descriptor gets the lowest number that is free", () => {
  const guest = new Guest({ f: "x" });
  equal([guest.open("f"), guest.open("f"), guest.open("f")], [4, 5, 6]);
  guest.call("fd_close", 5);
  guest.call("fd_close", 0);
  equal([guest.open("f"), guest.open("f"), guest.open("f")], [0, 5, 7]);
});

test("a closed descriptor is bad, as is one that never was", () => {
  const guest = new Guest({ f: "x" });
  const fd = guest.open("f");
  equal(guest.call("fd_close", fd), "ok");
  equal(guest.call("fd_close", fd), "BADF");
  for (const bad of [fd, 99, -1, 2 ** 31 - 1]) equal(guest.fdstat(bad), "BADF", String(bad));
});

test("preopened directories and standard streams can be closed", () => {
  const guest = new Guest();
  for (const fd of [0, 1, 2, 3]) equal(guest.call("fd_close", fd), "ok");
  equal(guest.call("fd_prestat_get", 3, 0), "BADF");
});

test("renumbering closes the target and frees the source", () => {
  const guest = new Guest({ f: "one", g: "two" });
  const [f, g] = [guest.open("f"), guest.open("g")];
  equal(guest.call("fd_renumber", f, g), "ok");
  equal(guest.read(g), "one");
  equal(guest.fdstat(f), "BADF");
  equal(guest.call("fd_renumber", g, f), "BADF");
  equal(guest.call("fd_renumber", f, g), "BADF");
  equal(guest.call("fd_renumber", g, g), "ok");
  equal(guest.open("f"), f);
});

test("a directory keeps its preopened name under another number", () => {
  const guest = new Guest({ f: "x" });
  equal(guest.call("fd_renumber", 3, 0), "ok");
  equal(guest.call("fd_prestat_get", 0, 0), "ok");
  equal(guest.call("fd_prestat_get", 3, 0), "BADF");
  const fd = guest.open("f", { fd: 0 });
  equal(guest.call("fd_renumber", fd, 0), "ok");
  equal(guest.call("fd_prestat_get", 0, 0), "BADF");
});

test("a preopened directory tells its name", () => {
  const guest = new Guest(
    {},
    { preopens: (/** @type {any} */ files) => [{ name: "/wörk", directory: files.addRoot() }] },
  );
  equal(guest.call("fd_prestat_get", 3, 64), "ok");
  equal([guest.view.getUint8(64), guest.view.getUint32(68, true)], [0, 6]);
  equal(guest.call("fd_prestat_dir_name", 3, 100, 5), "NAMETOOLONG");
  equal(guest.call("fd_prestat_dir_name", 3, 100, 7), "ok");
  equal(new TextDecoder().decode(guest.bytes.subarray(100, 106)), "/wörk");
  equal(guest.bytes[106], 0);
  equal(guest.call("fd_prestat_dir_name", 0, 100, 7), "NOTDIR");
  equal(guest.call("fd_prestat_dir_name", 99, 100, 7), "BADF");
});

test("a descriptor tells its kind, its flags and its access", () => {
  const guest = new Guest({ f: "x", d: {} });
  const stat = guest.fdstat(guest.open("f", { flags: FD.APPEND | FD.NONBLOCK, rights: READ }));
  equal([stat.type, stat.flags, stat.rights & (READ | WRITE)], [FILE, FD.APPEND | FD.NONBLOCK, READ]);
  equal(guest.fdstat(guest.open("f", { rights: WRITE })).rights & (READ | WRITE), WRITE);
  const directory = guest.fdstat(guest.openDirectory("d"));
  equal([directory.type, directory.flags, directory.rights & (READ | WRITE | RIGHT.SEEK)], [DIRECTORY, 0, 0]);
  equal([guest.fdstat(0).type, guest.fdstat(0).rights & (READ | WRITE)], [0, READ]);
  equal([guest.fdstat(1).type, guest.fdstat(1).rights & (READ | WRITE)], [0, WRITE]);
});

test("only appending and not blocking can be switched, on files and streams", () => {
  const guest = new Guest({ f: "x" });
  const fd = guest.open("f");
  for (const flags of [FD.APPEND, FD.NONBLOCK, FD.APPEND | FD.NONBLOCK, 0]) {
    equal(guest.call("fd_fdstat_set_flags", fd, flags), "ok");
    equal(guest.fdstat(fd).flags, flags);
  }
  for (const flags of [FD.DSYNC, FD.RSYNC, FD.SYNC, 32, -1])
    equal(guest.call("fd_fdstat_set_flags", fd, flags), "INVAL");
  equal(guest.call("fd_fdstat_set_flags", 3, 0), "BADF");
  equal(guest.call("fd_fdstat_set_flags", 1, FD.NONBLOCK), "ok");
});

test("switching appending off writes at the position again", () => {
  const guest = new Guest({ f: "abc" });
  const fd = guest.open("f", { flags: FD.APPEND });
  guest.write(fd, "d");
  guest.call("fd_fdstat_set_flags", fd, 0);
  guest.seek(fd, 0, 0);
  guest.write(fd, "X");
  equal(guest.content("f"), "Xbcd");
});

test("a right that was given up is not to be had back", () => {
  const guest = new Guest({ f: "text" });
  const fd = guest.open("f");
  const { rights, inheriting } = guest.fdstat(fd);
  const without = BigInt(rights & ~(READ | WRITE));
  equal(guest.call("fd_fdstat_set_rights", fd, without, BigInt(inheriting)), "ok");
  equal(guest.read(fd), "NOTCAPABLE");
  equal(guest.write(fd, "x"), "NOTCAPABLE");
  equal(guest.seek(fd, 1, 0), 1);
  equal(guest.call("fd_fdstat_set_rights", fd, BigInt(rights), BigInt(inheriting)), "NOTCAPABLE");
  equal(guest.fdstat(fd).rights, Number(without));
});

test("each right that a file loses is missed by the function that needs it", () => {
  /** @type {[number, (guest: Guest, fd: number) => any][]} */
  const uses = [
    [1 << 0, (guest, fd) => guest.call("fd_datasync", fd)],
    [1 << 1, (guest, fd) => guest.read(fd)],
    [1 << 2, (guest, fd) => guest.seek(fd, 1, 0)],
    [1 << 3, (guest, fd) => guest.call("fd_fdstat_set_flags", fd, 0)],
    [1 << 4, (guest, fd) => guest.call("fd_sync", fd)],
    [1 << 5, (guest, fd) => guest.call("fd_tell", fd, 0)],
    [1 << 6, (guest, fd) => guest.write(fd, "x")],
    [1 << 7, (guest, fd) => guest.call("fd_advise", fd, 0n, 0n, 0)],
    [1 << 8, (guest, fd) => guest.call("fd_allocate", fd, 0n, 1n)],
    [1 << 21, (guest, fd) => guest.stat(fd)],
    [1 << 22, (guest, fd) => guest.call("fd_filestat_set_size", fd, 1n)],
    [1 << 23, (guest, fd) => guest.call("fd_filestat_set_times", fd, 0n, 0n, 1)],
  ];
  for (const [right, use] of uses) {
    const guest = new Guest({ f: "text" });
    const fd = guest.open("f");
    ok(use(guest, fd) !== "NOTCAPABLE", `right ${right} is there`);
    guest.call("fd_fdstat_set_rights", fd, BigInt(guest.fdstat(fd).rights & ~right), 0n);
    equal(use(guest, fd), "NOTCAPABLE", `right ${right} is gone`);
  }
});

test("each right that a directory loses is missed by the function that needs it", () => {
  /** @type {[number, (guest: Guest, fd: number) => any][]} */
  const uses = [
    [1 << 9, (guest, fd) => guest.onPath("path_create_directory", "n", fd)],
    [1 << 10, (guest, fd) => guest.open("n", { fd, oflags: O.CREATE })],
    [1 << 11, (guest, fd) => guest.link("f", "n", { fd })],
    [1 << 12, (guest, fd) => guest.link("f", "n", { newFd: fd })],
    [1 << 13, (guest, fd) => guest.open("f", { fd })],
    [1 << 14, (guest, fd) => guest.readdir(fd)],
    [1 << 15, (guest, fd) => guest.call("path_readlink", fd, ...guest.path("l"), 65536, 9, 0)],
    [1 << 16, (guest, fd) => guest.rename("f", "n", fd)],
    [1 << 17, (guest, fd) => guest.rename("f", "n", 3, fd)],
    [1 << 18, (guest, fd) => guest.call("path_filestat_get", fd, 0, ...guest.path("f"), 0)],
    [1 << 19, (guest, fd) => guest.open("f", { fd, oflags: O.TRUNCATE })],
    [1 << 20, (guest, fd) => guest.call("path_filestat_set_times", fd, 0, ...guest.path("f"), 0n, 0n, 1)],
    [1 << 21, (guest, fd) => guest.stat(fd)],
    [1 << 23, (guest, fd) => guest.call("fd_filestat_set_times", fd, 0n, 0n, 1)],
    [1 << 24, (guest, fd) => guest.call("path_symlink", ...guest.path("t"), fd, ...guest.path("n", 12288))],
    [1 << 25, (guest, fd) => guest.onPath("path_remove_directory", "e", fd)],
    [1 << 26, (guest, fd) => guest.onPath("path_unlink_file", "f", fd)],
  ];
  for (const [right, use] of uses) {
    const make = () => new Guest({ f: "x", e: {}, l: ["f"] });
    ok(use(make(), 3) !== "NOTCAPABLE", `right ${right} is there`);
    const guest = make();
    const fd = guest.openDirectory(".");
    const { rights, inheriting } = guest.fdstat(fd);
    guest.call("fd_fdstat_set_rights", fd, BigInt(rights & ~right), BigInt(inheriting));
    equal(use(guest, fd), "NOTCAPABLE", `right ${right} is gone`);
  }
});

test("what a directory may not pass on nothing below it gets", () => {
  const guest = new Guest({ d: { f: "x" } });
  const { rights, inheriting } = guest.fdstat(3);
  guest.call("fd_fdstat_set_rights", 3, BigInt(rights), BigInt(inheriting & ~WRITE & ~RIGHT.CREATE_FILE));
  equal(guest.open("d/f"), "NOTCAPABLE");
  equal(guest.open("d/f", { rights: READ, inheriting: WRITE }), "NOTCAPABLE");
  const d = guest.openDirectory("d");
  equal(guest.fdstat(d).inheriting & WRITE, 0);
  equal(guest.open("f", { fd: d, rights: WRITE }), "NOTCAPABLE");
  equal(guest.open("new", { fd: d, oflags: O.CREATE, rights: READ }), "NOTCAPABLE");
  equal(guest.read(guest.open("f", { fd: d, rights: READ })), "x");
});

test("bits that are no rights are invalid", () => {
  const guest = new Guest({ f: "x" });
  equal(guest.call("fd_fdstat_set_rights", 3, 1n << 30n, 0n), "INVAL");
  equal(guest.call("fd_fdstat_set_rights", 3, 0n, -1n), "INVAL");
  equal(guest.open("f", { rights: 2 ** 31 }), "INVAL");
  equal(guest.open("f", { inheriting: 2 ** 31 }), "INVAL");
});

test("no more descriptors than allowed can be open, and one that was closed makes room", () => {
  const guest = new Guest({ f: "x" }, { limits: { open_files: 6 } });
  equal([guest.open("f"), guest.open("f"), guest.open("f")], [4, 5, "MFILE"]);
  equal(guest.open("new", { oflags: O.CREATE }), "MFILE");
  equal(guest.stat("new"), "NOENT");
  guest.call("fd_close", 4);
  equal(guest.open("f"), 4);
});
