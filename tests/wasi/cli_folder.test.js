// Real folders under the command line: what is read of them and what is written back.

import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { RealFolder } from "../../web/wasi/node/folder.js";
import { calling, inFolder, NAME, OTHER, run, saving } from "./command_line.js";
import { equal, ok, test, throws } from "./testing.js";

test("what a program writes is in the folder afterwards, and what it left is untouched", () =>
  inFolder(({ folder, save }) => {
    fs.mkdirSync(path.join(folder, "d"));
    fs.writeFileSync(path.join(folder, "d/keep"), "kept");
    fs.writeFileSync(path.join(folder, "old"), "a longer text", { mode: 0o600 });
    const before = fs.statSync(path.join(folder, "d/keep"), { bigint: true });
    equal(run(["--dir", `${folder}::/`, save("m.wasm", saving("d/new", "made"))]).status, 0);
    equal(run(["--dir", `${folder}::/`, save("m.wasm", saving("old", "short"))]).status, 0);
    equal(fs.readFileSync(path.join(folder, "d/new"), "utf8"), "made");
    equal(fs.readFileSync(path.join(folder, "old"), "utf8"), "short");
    equal(fs.statSync(path.join(folder, "old")).mode & 0o777, 0o600);
    const after = fs.statSync(path.join(folder, "d/keep"), { bigint: true });
    equal([after.ino, after.mtimeNs], [before.ino, before.mtimeNs]);
    equal(fs.readdirSync(folder).sort(), ["d", "old"]);
  }));

test("deleting, renaming, making directories and links reach the folder", () =>
  inFolder(({ folder, save }) => {
    fs.mkdirSync(path.join(folder, "d/e"), { recursive: true });
    fs.writeFileSync(path.join(folder, "d/e/f"), "deep");
    fs.writeFileSync(path.join(folder, "gone"), "x");
    const at = (/** @type {Uint8Array} */ bytes) =>
      run(["--dir", `${folder}::/`, save("m.wasm", bytes)]).status;
    equal(at(calling("path_unlink_file", "iii", [3, NAME, 4], ["gone"])), 0);
    equal(at(calling("path_rename", "iiiiii", [3, NAME, 1, 3, OTHER, 5], ["d", "moved"])), 0);
    equal(at(calling("path_create_directory", "iii", [3, NAME, 3], ["new"])), 0);
    equal(at(calling("path_symlink", "iiiii", [NAME, 9, 3, OTHER, 4], ["moved/e/f", "link"])), 0);
    equal(at(calling("path_link", "iiiiiii", [3, 0, NAME, 9, 3, OTHER, 4], ["moved/e/f", "hard"])), 0);
    equal(fs.readdirSync(folder).sort(), ["hard", "link", "moved", "new"]);
    equal(fs.readFileSync(path.join(folder, "moved/e/f"), "utf8"), "deep");
    equal(fs.readlinkSync(path.join(folder, "link")), "moved/e/f");
    equal(fs.readFileSync(path.join(folder, "hard"), "utf8"), "deep");
    equal(at(calling("path_remove_directory", "iii", [3, NAME, 3], ["new"])), 0);
    ok(!fs.existsSync(path.join(folder, "new")), "the directory is gone");
  }));

test("times alone are written back to the same file", () =>
  inFolder(({ folder, save }) => {
    const file = path.join(folder, "f");
    fs.writeFileSync(file, "text", { mode: 0o640 });
    const { ino } = fs.statSync(file);
    const bytes = calling("path_filestat_set_times", "iiiiIIi", [3, 0, NAME, 1, 0, 2_000_000_000, 4], ["f"]);
    equal(run(["--dir", `${folder}::/`, save("m.wasm", bytes)]).status, 0);
    const after = fs.statSync(file);
    equal(
      [after.ino, after.mtimeMs, after.mode & 0o777, fs.readFileSync(file, "utf8")],
      [ino, 2000, 0o640, "text"],
    );
  }));

test("a symlink that leads out of the folder is not followed, neither to read nor to write", () =>
  inFolder(({ folder, save }) => {
    const secret = save("secret", new TextEncoder().encode("secret"));
    fs.symlinkSync("../secret", path.join(folder, "relative"));
    fs.symlinkSync(secret, path.join(folder, "absolute"));
    fs.symlinkSync("..", path.join(folder, "up"));
    for (const name of ["relative", "absolute", "up/secret", "../secret"]) {
      equal(run(["--dir", `${folder}::/`, save("m.wasm", saving(name, "overwritten"))]).status, 50, name);
    }
    equal(fs.readFileSync(secret, "utf8"), "secret");
    equal(fs.readdirSync(folder).sort(), ["absolute", "relative", "up"]);
  }));

test("a hard link to something outside is replaced, not written through", () =>
  inFolder(({ folder, save }) => {
    const outside = save("outside", new TextEncoder().encode("outside"));
    fs.linkSync(outside, path.join(folder, "f"));
    equal(run(["--dir", `${folder}::/`, save("m.wasm", saving("f", "inside"))]).status, 0);
    equal(fs.readFileSync(path.join(folder, "f"), "utf8"), "inside");
    equal(fs.readFileSync(outside, "utf8"), "outside");
  }));

test("a file that replaces a symlink replaces the symlink itself", () =>
  inFolder(({ folder, save }) => {
    const outside = save("outside", new TextEncoder().encode("outside"));
    fs.symlinkSync(outside, path.join(folder, "l"));
    fs.writeFileSync(path.join(folder, "f"), "inside");
    const bytes = calling("path_rename", "iiiiii", [3, NAME, 1, 3, OTHER, 1], ["f", "l"]);
    equal(run(["--dir", `${folder}::/`, save("m.wasm", bytes)]).status, 0);
    ok(fs.lstatSync(path.join(folder, "l")).isFile(), "it is a file now");
    equal(fs.readFileSync(outside, "utf8"), "outside");
  }));

test("a folder is listed one directory at a time, and holds files, directories and symlinks alone", () =>
  inFolder(({ folder }) => {
    fs.mkdirSync(path.join(folder, "d/e"), { recursive: true });
    fs.writeFileSync(path.join(folder, "f"), "text", { mode: 0o640 });
    fs.symlinkSync("d", path.join(folder, "l"));
    fs.writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.of(0xff)]), "no name");
    spawnSync("mkfifo", [path.join(folder, "pipe")]);
    const entries = new RealFolder(folder).list("");
    const seen = entries.map(({ name, kind, mode, size, target, nlink }) =>
      [name, kind, mode, size, target, nlink].join(" "),
    );
    equal(seen.sort(), ["d dir 493   3", "f file 416 4  ", "l symlink 511  d "]);
    equal(
      new RealFolder(folder).list("d").map(({ name }) => name),
      ["e"],
    );
  }));

test("a directory that became a symlink meanwhile is not written through", () =>
  inFolder(({ folder, save }) => {
    const outside = path.join(path.dirname(save("x", new Uint8Array())), "outside");
    fs.mkdirSync(outside);
    fs.symlinkSync(outside, path.join(folder, "d"));
    /** @type {import("../../web/wasi/files/changes.js").Change} */
    const change = {
      change: "add",
      path: "d/f",
      kind: "file",
      mode: 0o644,
      mtime_ns: 0n,
      bytes: new Uint8Array(3),
    };
    throws(
      () => new RealFolder(folder).apply([change]),
      ({ message }) => message.includes("no directory any more"),
    );
    equal([fs.readdirSync(outside), fs.readdirSync(folder)], [[], ["d"]]);
  }));
