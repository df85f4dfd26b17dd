// What files are, and changing that.

import { FD, Guest, O, READ, WRITE } from "./guest.js";
import { equal, test } from "./testing.js";

const [ATIM, ATIM_NOW, MTIM, MTIM_NOW] = [1, 2, 4, 8];

test("each kind of node tells its type, size and links", () => {
  const guest = new Guest({ f: "hello", d: { s: {}, t: {}, f: "" }, l: ["dé"] });
  const seen = (/** @type {any} */ { type, size, nlink, mtim }) => [type, size, nlink, mtim];
  equal(seen(guest.stat("f")), [4, 5, 1, 5]);
  equal(seen(guest.stat("d")), [3, 4096, 4, 5]);
  equal(seen(guest.stat("l")), [7, 3, 1, 5]);
  equal(guest.stat(1), { dev: 0, ino: 0, type: 0, nlink: 0, size: 0, atim: 0, mtim: 0, ctim: 0 });
});

test("a node has one number by all its names, and no other has it", () => {
  const guest = new Guest({ f: "x", g: "x" });
  guest.link("f", "h");
  equal(guest.stat("h").ino, guest.stat("f").ino);
  equal(guest.stat("h").ino, guest.stat(guest.open("f")).ino);
  equal(guest.stat("g").ino === guest.stat("f").ino, false);
  equal(guest.stat("f").dev, guest.stat("g").dev);
});

test("a file is cut and stretched with zeros", () => {
  const guest = new Guest({ f: "hello" });
  const fd = guest.open("f");
  equal(guest.call("fd_filestat_set_size", fd, 2n), "ok");
  equal(guest.content("f"), "he");
  equal(guest.call("fd_filestat_set_size", fd, 4n), "ok");
  equal(guest.content("f"), "he\0\0");
  equal(guest.call("fd_filestat_set_size", fd, -1n), "INVAL");
  equal(guest.call("fd_filestat_set_size", fd, 2n ** 62n), "FBIG");
  equal(guest.stat("f").size, 4);
});

test("cutting a file needs no bytes of its blob", () => {
  const read = () => {
    throw new Error("asked for");
  };
  const guest = new Guest({ f: "hello" }, { files: { read } });
  equal(guest.call("fd_filestat_set_size", guest.open("f"), 0n), "ok");
  equal(guest.content("f"), "");
});

test("a size is set only where a file is open for writing", () => {
  const guest = new Guest({ f: "hello" });
  equal(guest.call("fd_filestat_set_size", guest.open("f", { rights: READ }), 0n), "INVAL");
  equal(guest.call("fd_filestat_set_size", 3, 0n), "BADF");
  equal(guest.call("fd_filestat_set_size", 1, 0n), "BADF");
});

test("allocating stretches a file and never cuts it", () => {
  const guest = new Guest({ f: "hello" });
  const fd = guest.open("f");
  equal(guest.call("fd_allocate", fd, 0n, 3n), "ok");
  equal(guest.stat("f").size, 5);
  equal(guest.call("fd_allocate", fd, 4n, 6n), "ok");
  equal(guest.content("f"), "hello\0\0\0\0\0");
  equal(guest.call("fd_allocate", fd, 0n, 0n), "INVAL");
  equal(guest.call("fd_allocate", fd, -1n, 1n), "INVAL");
  equal(guest.call("fd_allocate", fd, 2n ** 63n - 1n, 2n ** 63n - 1n), "FBIG");
  equal(guest.call("fd_allocate", guest.open("f", { rights: READ }), 0n, 9n), "BADF");
  equal(guest.call("fd_allocate", 3, 0n, 1n), "BADF");
});

test("advice and syncing are taken for files alone", () => {
  const guest = new Guest({ f: "x" });
  const fd = guest.open("f", { rights: READ });
  for (let advice = 0; advice <= 5; advice++) equal(guest.call("fd_advise", fd, 0n, 9n, advice), "ok");
  equal(guest.call("fd_advise", fd, 0n, 0n, 6), "INVAL");
  equal(guest.call("fd_advise", fd, -1n, 0n, 0), "INVAL");
  equal(guest.call("fd_advise", fd, 0n, -1n, 0), "INVAL");
  for (const name of ["fd_sync", "fd_datasync"]) {
    equal(guest.call(name, fd), "ok", name);
    equal(guest.call(name, 3), "BADF", name);
    equal(guest.call(name, 1), "BADF", name);
  }
  equal(guest.call("fd_advise", 3, 0n, 0n, 0), "BADF");
});

test("times are set as given, to now, or left", () => {
  const guest = new Guest({ f: "x" });
  const fd = guest.open("f");
  const times = () => [guest.stat("f").atim, guest.stat("f").mtim];
  const set = (/** @type {number} */ flags) => guest.call("fd_filestat_set_times", fd, 7n, 9n, flags);
  equal([set(0), ...times()], ["ok", 5, 5]);
  equal([set(ATIM), ...times()], ["ok", 7, 5]);
  equal([set(MTIM), ...times()], ["ok", 7, 9]);
  guest.clock.now = 2000n;
  equal([set(ATIM_NOW), ...times()], ["ok", 2000, 9]);
  guest.clock.now = 3000n;
  equal([set(MTIM_NOW | ATIM), ...times()], ["ok", 7, 3000]);
  equal(guest.stat("f").ctim, 3000);
});

test("times to the nanosecond, up to the last one that there is, are kept", () => {
  const guest = new Guest({ f: "x" });
  guest.call("fd_filestat_set_times", guest.open("f"), -1n, 1234567890123456789n, ATIM | MTIM);
  guest.stat("f");
  equal(guest.view.getBigUint64(40, true), 2n ** 64n - 1n);
  equal(guest.view.getBigUint64(48, true), 1234567890123456789n);
});

test("a time cannot be both given and now, nor have other flags", () => {
  const guest = new Guest({ f: "x" });
  const fd = guest.open("f");
  for (const flags of [ATIM | ATIM_NOW, MTIM | MTIM_NOW, 15, 16, -1]) {
    equal(guest.call("fd_filestat_set_times", fd, 7n, 9n, flags), "INVAL");
    equal(guest.call("path_filestat_set_times", 3, 0, ...guest.path("f"), 7n, 9n, flags), "INVAL");
  }
  equal(guest.stat("f").mtim, 5);
  equal(guest.call("fd_filestat_set_times", 1, 7n, 9n, ATIM), "BADF");
});

test("a path's times are set at a symlink's target only if it is followed", () => {
  const guest = new Guest({ f: "x", l: ["f"], d: {} });
  const set = (/** @type {string} */ path, /** @type {number} */ lookup) =>
    guest.call("path_filestat_set_times", 3, lookup, ...guest.path(path), 7n, 9n, MTIM);
  equal(set("l", 0), "ok");
  equal([guest.stat("l").mtim, guest.stat("f").mtim], [9, 5]);
  equal(set("l", 1), "ok");
  equal(guest.stat("f").mtim, 9);
  equal(set("d", 0), "ok");
  equal(guest.stat("d").mtim, 9);
  equal(set("nope", 0), "NOENT");
  equal(set("f", 2), "INVAL");
});

test("writing, cutting and making names stamp what they change", () => {
  const guest = new Guest({ d: { f: "x" } });
  const fd = guest.open("d/f");
  guest.clock.now = 100n;
  guest.write(fd, "y");
  equal([guest.stat("d/f").mtim, guest.stat("d/f").ctim, guest.stat("d").mtim], [100, 100, 5]);
  guest.clock.now = 200n;
  guest.call("fd_filestat_set_size", fd, 9n);
  equal(guest.stat("d/f").mtim, 200);
  guest.clock.now = 300n;
  guest.save("d/g", "");
  equal([guest.stat("d").mtim, guest.stat("d/g").mtim, guest.stat("d/g").atim], [300, 300, 300]);
  guest.clock.now = 400n;
  guest.link("d/g", "d/h");
  equal([guest.stat("d").mtim, guest.stat("d/g").mtim, guest.stat("d/g").ctim], [400, 300, 400]);
  guest.clock.now = 500n;
  guest.onPath("path_unlink_file", "d/h");
  equal([guest.stat("d").mtim, guest.stat("d/g").ctim], [500, 500]);
});

test("reading and writing nothing stamp nothing", () => {
  const guest = new Guest({ f: "x" });
  const fd = guest.open("f");
  guest.clock.now = 100n;
  guest.read(fd);
  guest.write(fd, "");
  const { atim, mtim, ctim } = guest.stat("f");
  equal([atim, mtim, ctim], [5, 5, 5]);
});

test("a file without a name lives as long as it is open", () => {
  const guest = new Guest({ f: "hello" });
  const fd = guest.open("f");
  guest.onPath("path_unlink_file", "f");
  equal(guest.stat(fd).nlink, 0);
  equal(guest.read(fd), "hello");
  equal(guest.write(fd, " there"), 6);
  equal(guest.read(fd, 99, 0), "hello there");
});

test("opening a file to truncate it empties it, whatever it is opened for", () => {
  const guest = new Guest({ f: "hello", g: "hello" });
  equal(guest.open("f", { oflags: O.TRUNCATE, rights: READ }), 4);
  equal(guest.open("g", { oflags: O.TRUNCATE, rights: WRITE, flags: FD.APPEND }), 5);
  equal([guest.content("f"), guest.content("g")], ["", ""]);
});
