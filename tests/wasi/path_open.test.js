// Opening and making files.

import { FD, Guest, O, READ, WRITE } from "./guest.js";
import { equal, test } from "./testing.js";

test("each combination of flags opens, makes or refuses as it says", () => {
  /** @type {[number, string, string, string][]} flags; what they do with a file, a directory, nothing */
  const rows = [
    [0, "ok", "ok", "NOENT"],
    [O.CREATE, "ok", "ISDIR", "ok"],
    [O.EXCLUSIVE, "ok", "ok", "NOENT"],
    [O.TRUNCATE, "ok", "ISDIR", "NOENT"],
    [O.DIRECTORY, "NOTDIR", "ok", "NOENT"],
    [O.CREATE | O.EXCLUSIVE, "EXIST", "EXIST", "ok"],
    [O.CREATE | O.TRUNCATE, "ok", "ISDIR", "ok"],
    [O.TRUNCATE | O.EXCLUSIVE, "ok", "ISDIR", "NOENT"],
    [O.CREATE | O.EXCLUSIVE | O.TRUNCATE, "EXIST", "EXIST", "ok"],
    [O.CREATE | O.DIRECTORY, "INVAL", "INVAL", "INVAL"],
    [O.TRUNCATE | O.DIRECTORY, "INVAL", "INVAL", "INVAL"],
    [O.EXCLUSIVE | O.DIRECTORY, "INVAL", "INVAL", "INVAL"],
    [16, "INVAL", "INVAL", "INVAL"],
    [-1, "INVAL", "INVAL", "INVAL"],
  ];
  for (const [oflags, ...answers] of rows) {
    const opened = ["f", "d", "n"].map((path) =>
      new Guest({ f: "x", d: {} }).open(path, { oflags, rights: READ }),
    );
    equal(
      opened.map((each) => (typeof each === "number" ? "ok" : each)),
      answers,
      String(oflags),
    );
  }
});

test("a directory is never opened for writing", () => {
  const guest = new Guest({ d: {} });
  equal(guest.open("d", { rights: WRITE }), "ISDIR");
  equal(guest.open("d", { rights: READ | WRITE, oflags: O.DIRECTORY }), "ISDIR");
  equal(guest.open(".", { rights: READ }), 4);
  equal(guest.open(".", { rights: 0, flags: FD.NONBLOCK }), 5);
});

test("a symlink is opened only through its target", () => {
  const guest = new Guest({ f: "x", l: ["f"], d: {}, ld: ["d"], dangling: ["new"] });
  equal(guest.open("l"), "LOOP");
  equal(guest.open("l", { oflags: O.DIRECTORY, rights: READ }), "LOOP");
  equal(guest.open("l", { oflags: O.DIRECTORY, rights: READ, follow: true }), "NOTDIR");
  equal(guest.open("ld", { oflags: O.DIRECTORY, rights: READ, follow: true }), 4);
  equal(guest.open("dangling", { oflags: O.CREATE | O.EXCLUSIVE, follow: true }), "EXIST");
  equal(guest.open("dangling", { oflags: O.CREATE, follow: true }), 5);
  equal(guest.stat("new").type, 4);
});

test("flags for synchronous writing are not supported and unknown ones invalid", () => {
  const guest = new Guest({ f: "x" });
  for (const flags of [FD.DSYNC, FD.RSYNC, FD.SYNC, FD.APPEND | FD.SYNC])
    equal(guest.open("f", { flags }), "NOTSUP");
  equal(guest.open("f", { flags: 32 }), "INVAL");
  equal(guest.call("path_open", 3, 2, ...guest.path("f"), 0, 0n, 0n, 0, 0), "INVAL");
});

test("only a directory can be the start of a path", () => {
  const guest = new Guest({ f: "x" });
  const fd = guest.open("f");
  equal(guest.open("x", { fd }), "NOTDIR");
  equal(guest.open("x", { fd: 0 }), "BADF");
  equal(guest.open("x", { fd: 99 }), "BADF");
  for (const name of ["path_create_directory", "path_remove_directory", "path_unlink_file"]) {
    equal(guest.onPath(name, "x", fd), "BADF", name);
  }
});

test("nothing can be made in a directory that is gone", () => {
  const guest = new Guest({ d: {}, f: "x" });
  const fd = guest.openDirectory("d");
  guest.onPath("path_remove_directory", "d");
  equal(guest.open("n", { fd, oflags: O.CREATE }), "NOENT");
  equal(guest.onPath("path_create_directory", "n", fd), "NOENT");
  equal(guest.call("path_symlink", ...guest.path("t"), fd, ...guest.path("n", 12288)), "NOENT");
  equal(guest.link("f", "n", { newFd: fd }), "NOENT");
  equal(guest.rename("f", "n", 3, fd), "NOENT");
  equal(guest.content("f"), "x");
  equal(guest.open(".", { fd, rights: READ }), 5);
});
