// Listing directories.

import { Guest, O } from "./guest.js";
import { equal, ok, test } from "./testing.js";

test("a listing begins with the directory and its parent and keeps the order of the names", () => {
  const guest = new Guest({ b: "x", a: {}, c: ["b"] });
  const records = guest.readdir(3);
  equal(
    records.map((/** @type {any} */ { name, type, next }) => [name, type, next]),
    [
      [".", 3, 1],
      ["..", 3, 2],
      ["b", 4, 3],
      ["a", 3, 4],
      ["c", 7, 5],
    ],
  );
  equal(records[2].ino, guest.stat("b").ino);
  guest.save("aa", "");
  equal(guest.names(3), [".", "..", "b", "a", "c", "aa"]);
});

test("a listing goes on after each cookie", () => {
  const guest = new Guest({ a: "", b: "", c: "" });
  for (const [index, { next }] of guest.readdir(3).entries()) {
    const rest = guest.readdir(3, next).map((/** @type {any} */ { name }) => name);
    equal(rest, [".", "..", "a", "b", "c"].slice(index + 1));
  }
  equal(guest.readdir(3, 99), []);
  equal(guest.call("fd_readdir", 3, 65536, 100, -1n, 0), "ok");
  equal(guest.view.getUint32(0, true), 0);
});

test("a buffer that is too small is filled with as much of a record as fits", () => {
  const guest = new Guest({ name: "" });
  guest.readdir(3);
  const whole = guest.taken();
  for (let length = 0; length < whole.length; length++) {
    guest.bytes.fill(0xee, 65536, 65536 + 200);
    equal(guest.call("fd_readdir", 3, 65536, length, 0n, 0), "ok");
    equal(guest.taken(), whole.slice(0, length), String(length));
    equal(guest.bytes[65536 + length], 0xee);
  }
});

test("names of many bytes a character are told by their bytes", () => {
  const guest = new Guest({ 日本語: "", "😀": "" });
  equal(guest.names(3), [".", "..", "日本語", "😀"]);
});

test("a thousand names are all told in small pieces, none of them twice", () => {
  const guest = new Guest(Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`file.${at}`, ""])));
  const names = [];
  for (let cookie = 0; ; ) {
    const records = guest.readdir(3, cookie, 300);
    if (records.length === 0) break;
    names.push(...records.map((/** @type {any} */ { name }) => name));
    cookie = records.at(-1).next;
  }
  equal(names.length, 1002);
  equal(new Set(names).size, 1002);
});

test("removing what was told while a listing goes on skips nothing", () => {
  const guest = new Guest(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`file.${at}`, ""])));
  let told = 0;
  for (let cookie = 0; ; ) {
    const records = guest.readdir(3, cookie, 200);
    if (records.length === 0) break;
    for (const { name, next } of records) {
      cookie = next;
      if (name.startsWith("file")) {
        told += 1;
        equal(guest.onPath("path_unlink_file", name), "ok");
      }
    }
  }
  equal(told, 300);
  equal(guest.names(3), [".", ".."]);
});

test("what is added while a listing goes on comes at its end", () => {
  const guest = new Guest({ a: "", b: "" });
  const [, , { next }] = guest.readdir(3);
  guest.save("c", "");
  guest.onPath("path_unlink_file", "b");
  guest.save("b", "");
  guest.rename("a", "d");
  equal(
    guest.readdir(3, next).map((/** @type {any} */ { name }) => name),
    ["c", "b", "d"],
  );
});

test("only directories are listed, and one that is gone has only itself", () => {
  const guest = new Guest({ f: "", d: {} });
  equal(guest.readdir(guest.open("f")), "BADF");
  equal(guest.readdir(0), "BADF");
  const fd = guest.openDirectory("d");
  equal(guest.onPath("path_remove_directory", "d"), "ok");
  equal(guest.names(fd), [".", ".."]);
  equal([guest.stat(fd).nlink, guest.stat(fd).size], [0, 0]);
  ok(guest.stat(fd).ino > 0, "it keeps its number");
});

test("a directory that cannot be listed now may be later, and is whole then", () => {
  let isBroken = true;
  const entries = [
    { name: "d", kind: /** @type {const} */ ("dir") },
    { name: "f", kind: /** @type {const} */ ("file") },
  ];
  const guest = new Guest(
    {},
    {
      preopens: (/** @type {import("../../web/wasi/index.js").MemoryFiles} */ files) => {
        const list = function* (/** @type {string} */ path) {
          if (path === "") yield* entries;
          if (isBroken) throw new Error("the disk is gone");
        };
        return [{ name: "/", directory: files.addRoot(list) }];
      },
    },
  );
  equal([guest.readdir(3), guest.stat("f"), guest.open("n", { oflags: O.CREATE })], ["IO", "IO", "IO"]);
  isBroken = false;
  equal([guest.names(3), guest.stat(3).nlink], [[".", "..", "d", "f"], 3]);
});
