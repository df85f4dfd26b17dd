// What a guest changed, told exactly.

import { changesOf, listTree, MemoryFiles } from "../../web/wasi/index.js";
import { Guest, O, READ } from "./guest.js";
import { equal, test, throws } from "./testing.js";

/** @param {Guest} guest */
async function changes(guest) {
  return (await changesOf(guest.root)).map(({ change, path, kind, bytes, blob, target }) => {
    const content = bytes ? new TextDecoder().decode(bytes) : (blob && `blob ${blob}`) || target;
    return [change, path, kind, ...(content === undefined ? [] : [content])].join(" ");
  });
}

test("what was only looked at is no change", async () => {
  const guest = new Guest({ f: "x", d: { g: "y" }, l: ["f"] });
  guest.content("f");
  guest.open("d/g");
  guest.write(guest.open("f"), "");
  guest.readdir(guest.openDirectory("d"));
  guest.readlink("l");
  guest.stat("f");
  equal(guest.open("f", { oflags: O.CREATE | O.EXCLUSIVE }), "EXIST");
  equal(await changes(guest), []);
});

test("new, rewritten and deleted files are told with their bytes", async () => {
  const guest = new Guest({ keep: "k", change: "old", gone: "g", d: {} });
  guest.save("new", "n");
  guest.save("d/deep", "dd");
  guest.save("change", "new");
  guest.onPath("path_unlink_file", "gone");
  equal((await changes(guest)).sort(), [
    "add d/deep file dd",
    "add new file n",
    "delete gone file",
    "modify change file new",
  ]);
});

test("a change carries kind, mode, size and time", async () => {
  const guest = new Guest({ f: "old" });
  guest.clock.now = 77n;
  guest.save("f", "longer");
  equal(await changesOf(guest.root), [
    {
      change: "modify",
      path: "f",
      kind: "file",
      mode: 0o644,
      mtime_ns: 77n,
      size: 6,
      bytes: new TextEncoder().encode("longer"),
    },
  ]);
});

test("a rename is a delete and an add that names the blob", async () => {
  const guest = new Guest({ a: "text", d: { x: "1", y: { z: "2" } } });
  guest.rename("a", "b");
  guest.rename("d", "e");
  equal(await changes(guest), [
    "delete a file",
    "delete d/x file",
    "delete d/y/z file",
    "delete d/y dir",
    "delete d dir",
    ...["add e dir", "add e/y dir", "add e/y/z file blob 2", "add e/x file blob 1", "add b file blob text"],
  ]);
});

test("a rename there and back is no change, nor is a name that was made and removed", async () => {
  const guest = new Guest({ a: "1", b: "2", d: { f: "x" } });
  guest.rename("a", "t");
  guest.rename("b", "a");
  guest.rename("a", "b");
  guest.rename("t", "a");
  guest.rename("d", "e");
  guest.rename("e", "d");
  guest.save("d/new", "x");
  guest.onPath("path_unlink_file", "d/new");
  equal(await changes(guest), []);
});

test("files that trade places are modified", async () => {
  const guest = new Guest({ a: "1", b: "2" });
  guest.rename("a", "t");
  guest.rename("b", "a");
  guest.rename("t", "b");
  equal((await changes(guest)).sort(), ["modify a file blob 2", "modify b file blob 1"]);
});

test("a file in place of a directory is a delete and an add, and the other way round", async () => {
  const guest = new Guest({ f: "x", d: { g: "y" } });
  guest.onPath("path_unlink_file", "f");
  guest.onPath("path_create_directory", "f");
  guest.onPath("path_unlink_file", "d/g");
  guest.onPath("path_remove_directory", "d");
  guest.symlink("f", "d");
  equal(await changes(guest), [
    "delete f file",
    "delete d/g file",
    "delete d dir",
    "add d symlink f",
    "add f dir",
  ]);
});

test("a time alone is a change of a file or symlink, never of a directory", async () => {
  const guest = new Guest({ f: "x", l: ["f"], d: {} });
  for (const path of ["f", "l", "d"])
    guest.call("path_filestat_set_times", 3, 0, ...guest.path(path), 0n, 9n, 4);
  equal((await changes(guest)).sort(), ["modify f file blob x", "modify l symlink f"]);
  for (const path of ["f", "l"]) guest.call("path_filestat_set_times", 3, 0, ...guest.path(path), 0n, 5n, 4);
  equal(await changes(guest), []);
});

test("a mode alone is a change", async () => {
  const guest = new Guest({ f: "x", d: {} });
  guest.root.get("f")?.setMode(0o755);
  guest.root.get("d")?.setMode(0o700);
  equal((await changesOf(guest.root)).map(({ path, mode }) => [path, mode]).sort(), [
    ["d", 0o700],
    ["f", 0o755],
  ]);
});

test("a hard link is told as a file of its own, with what was written through either name", async () => {
  const guest = new Guest({ f: "old" });
  guest.link("f", "g");
  equal(await changes(guest), ["add g file blob old"]);
  guest.save("g", "new");
  equal((await changes(guest)).sort(), ["add g file new", "modify f file new"]);
});

test("an empty file that is moved comes with its bytes", async () => {
  const files = new MemoryFiles();
  const root = files.addRoot(listTree([{ path: "empty", kind: "file" }]));
  root.rename("empty", root, "moved");
  equal(
    (await changesOf(root)).map(({ change, path, bytes }) => [change, path, bytes?.length ?? null]),
    [
      ["delete", "empty", null],
      ["add", "moved", 0],
    ],
  );
});

test("what comes from another root is new in this one", async () => {
  const guest = new Guest({ f: "x" });
  const other = guest.files.addRoot();
  other.createFile("t");
  other.rename("t", guest.root, "t");
  equal(await changes(guest), ["add t file "]);
  equal(await changesOf(other), []);
});

test("only directories on the way to a change are listed", async () => {
  const listed = /** @type {string[]} */ ([]);
  const files = new MemoryFiles({ read: () => new Uint8Array() });
  const tree = listTree([
    { path: "a/b/f", kind: "file", blob: "" },
    { path: "c/d/g", kind: "file", blob: "" },
  ]);
  const root = files.addRoot((path) => {
    listed.push(path);
    return tree(path);
  });
  const guest = new Guest({}, { preopens: () => [{ name: "/", directory: root }] });
  guest.save("a/b/f", "changed");
  equal(
    (await changesOf(root)).map(({ path }) => path),
    ["a/b/f"],
  );
  equal(listed, ["", "a", "a/b"]);
});

test("a file whose blob comes later is told with all its bytes", async () => {
  const read = async (/** @type {string} */ blob) => new TextEncoder().encode(blob);
  const guest = new Guest({ f: "hello" }, { files: { read, cache_bytes: 0 } });
  const fd = guest.open("f");
  guest.process.suspends = true;
  equal(await guest.write(fd, "J", 0), 1);
  guest.call("fd_close", fd);
  equal(await changes(guest), ["modify f file Jello"]);
});

test("directories are made from paths, and names that are none are refused", () => {
  const files = new MemoryFiles();
  const root = files.addRoot(
    listTree([
      { path: "a/b/f", kind: "file" },
      { path: "a", kind: "dir", mtime_ns: "9", mode: 0o700 },
    ]),
  );
  equal([root.get("a")?.mode, root.get("a")?.mtim], [0o700, 9n]);
  for (const path of ["", "a/../b", "./a", "a//b", "a/", ".."]) {
    throws(
      () => listTree([{ path, kind: "file" }]),
      (error) => error instanceof RangeError,
    );
  }
});

test("what is executable has the mode for it", () => {
  const root = new MemoryFiles().addRoot(
    listTree([
      { path: "x", kind: "file", executable: true },
      { path: "y", kind: "file" },
      { path: "d", kind: "dir" },
    ]),
  );
  equal(
    ["x", "y", "d"].map((name) => root.get(name)?.mode),
    [0o755, 0o644, 0o755],
  );
});

test("a directory that was listed lazily can be deleted with all that is in it", async () => {
  const guest = new Guest({ d: { a: "1", b: "2" } });
  const fd = guest.open("d", { rights: READ });
  for (const name of guest.names(fd).slice(2)) guest.onPath("path_unlink_file", name, fd);
  guest.onPath("path_remove_directory", "d");
  equal(await changes(guest), ["delete d/a file", "delete d/b file", "delete d dir"]);
});
