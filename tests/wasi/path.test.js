// Links, renames and removals.

import { Guest, O, READ } from "./guest.js";
import { equal, test } from "./testing.js";

const KINDS = /** @type {const} */ (["file", "symlink", "empty", "full"]);
const TREE = {
  file: "f",
  symlink: /** @type {[string]} */ (["x"]),
  empty: {},
  full: { inner: "i" },
  file2: "2",
  symlink2: /** @type {[string]} */ (["y"]),
  empty2: {},
  full2: { inner: "i" },
};

test("renaming one kind of thing over another does what POSIX says", () => {
  /** @type {Record<string, string[]>} what becomes of a rename over a file, a symlink, an empty and a full directory */
  const answers = {
    file: ["ok", "ok", "ISDIR", "ISDIR"],
    symlink: ["ok", "ok", "ISDIR", "ISDIR"],
    empty: ["NOTDIR", "NOTDIR", "ok", "NOTEMPTY"],
    full: ["NOTDIR", "NOTDIR", "ok", "NOTEMPTY"],
  };
  for (const from of KINDS) {
    for (const [index, to] of KINDS.entries()) {
      const guest = new Guest(TREE);
      const [ino, replaced] = [guest.stat(from).ino, guest.stat(`${to}2`).ino];
      const answer = guest.rename(from, `${to}2`);
      equal(answer, answers[from]?.[index], `${from} over ${to}`);
      equal(guest.stat(`${to}2`).ino, answer === "ok" ? ino : replaced);
      equal(guest.stat(from) === "NOENT", answer === "ok");
    }
  }
});

test("a directory moves with all that is in it and counts its parents' links", () => {
  const guest = new Guest({ a: { b: { f: "deep" } }, c: {} });
  const b = guest.openDirectory("a/b");
  equal(guest.rename("a/b", "c/d"), "ok");
  equal(guest.content("c/d/f"), "deep");
  equal([guest.stat("a").nlink, guest.stat("c").nlink, guest.stat("c/d").nlink], [2, 3, 2]);
  equal(guest.read(guest.open("f", { fd: b, rights: READ })), "deep");
});

test("a directory cannot move into itself, nor over what it is in", () => {
  const guest = new Guest({ a: { b: { c: {} }, f: "x" } });
  equal(guest.rename("a", "a/x"), "INVAL");
  equal(guest.rename("a", "a/b/c"), "INVAL");
  equal(guest.rename("a/b/c", "a"), "NOTEMPTY");
  equal(guest.rename("a/f", "a"), "NOTEMPTY");
  equal(guest.rename("a", "a"), "ok");
});

test("a rename between two names of one file leaves both", () => {
  const guest = new Guest({ f: "x" });
  guest.link("f", "g");
  equal(guest.rename("f", "g"), "ok");
  equal(guest.names(3), [".", "..", "f", "g"]);
  equal(guest.stat("f").nlink, 2);
});

test("what a rename replaced lives on for who has it open", () => {
  const guest = new Guest({ f: "old", g: "new" });
  const fd = guest.open("f", { rights: READ });
  equal(guest.rename("g", "f"), "ok");
  equal([guest.read(fd), guest.stat(fd).nlink, guest.content("f")], ["old", 0, "new"]);
});

test("a file that nobody has open keeps its new bytes when it is renamed", () => {
  const guest = new Guest({ f: "old" });
  guest.save("f", "new");
  guest.save("g", "made");
  equal([guest.rename("f", "h"), guest.rename("g", "i")], ["ok", "ok"]);
  equal([guest.content("h"), guest.content("i")], ["new", "made"]);
});

test("renames and links lead from one preopened directory to another", () => {
  const preopens = (/** @type {any} */ files) => [
    { name: "/a", directory: files.addRoot() },
    { name: "/b", directory: files.addRoot() },
  ];
  const both = new Guest({}, { preopens });
  both.save("f", "moved");
  equal(both.rename("f", "g", 3, 4), "ok");
  equal(both.link("g", "h", { fd: 4, newFd: 3 }), "ok");
  equal(both.content("h"), "moved");
  equal(both.stat("f"), "NOENT");
});

test("a hard link is the same file, also when it is written or its first name is gone", () => {
  const guest = new Guest({ d: {}, f: "one" });
  equal(guest.link("f", "d/g"), "ok");
  equal(guest.stat("f").nlink, 2);
  guest.save("d/g", "two");
  equal(guest.content("f"), "two");
  equal(guest.onPath("path_unlink_file", "f"), "ok");
  equal([guest.content("d/g"), guest.stat("d/g").nlink], ["two", 1]);
});

test("symlinks can be linked, directories cannot, and no link follows", () => {
  const guest = new Guest({ d: {}, l: ["nowhere"] });
  equal(guest.link("l", "m"), "ok");
  equal([guest.stat("m").type, guest.stat("l").nlink], [7, 2]);
  equal(guest.link("d", "e"), "PERM");
  equal(guest.link("l", "n", { lookup: 1 }), "INVAL");
  equal(guest.link("l", "m"), "EXIST");
});

test("a symlink is read as far as the buffer goes and never tells of the host", () => {
  const guest = new Guest({ l: ["tärget"], abs: ["/etc/passwd"], f: "x" });
  equal(guest.readlink("l"), "tärget");
  equal(guest.readlink("l", 1), "t");
  equal(guest.readlink("l", 0), "");
  equal(guest.readlink("abs"), "PERM");
  equal(guest.readlink("f"), "INVAL");
});

test("a symlink may point anywhere below, to nothing, but not to an absolute path", () => {
  const guest = new Guest();
  for (const [at, target] of ["f", "../..", "a/b/", "."].entries()) {
    equal(guest.symlink(target, `l${at}`), "ok");
    equal(guest.readlink(`l${at}`), target);
  }
  equal(guest.symlink("/x", "n"), "PERM");
  equal(guest.symlink("", "n"), "NOENT");
  equal(guest.symlink("a\0b", "n"), "INVAL");
  equal(guest.symlink("x".repeat(4096), "n"), "NAMETOOLONG");
});

test("directories are made and removed one at a time", () => {
  const guest = new Guest();
  equal(guest.onPath("path_create_directory", "a/b"), "NOENT");
  equal(guest.onPath("path_create_directory", "a"), "ok");
  equal(guest.onPath("path_create_directory", "a/b/"), "ok");
  equal(guest.onPath("path_create_directory", "a"), "EXIST");
  equal(guest.onPath("path_remove_directory", "a"), "NOTEMPTY");
  equal(guest.onPath("path_remove_directory", "a/b/"), "ok");
  equal(guest.onPath("path_remove_directory", "a"), "ok");
  equal(guest.onPath("path_remove_directory", "a"), "NOENT");
});

test("very deep directories can be made, walked and compared", async () => {
  const { changesOf } = await import("../../web/wasi/index.js");
  const guest = new Guest();
  let fd = 3;
  for (let depth = 0; depth < 20_000; depth++) {
    equal(guest.onPath("path_create_directory", "d", fd), "ok");
    const below = guest.open("d", { fd, rights: READ, oflags: O.DIRECTORY });
    if (fd !== 3) guest.call("fd_close", fd);
    fd = below;
  }
  equal((await changesOf(guest.root)).length, 20_000);
});
