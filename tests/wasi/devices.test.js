// The files below /dev.

import { BytesInput, deviceDirectory, Output } from "../../web/wasi/index.js";
import { Guest, O, READ, WRITE } from "./guest.js";
import { equal, ok, test } from "./testing.js";

/** @param {object} [options] */
function guestWithDevices(options) {
  return new Guest(
    {},
    {
      preopens: (/** @type {any} */ files) => [{ name: "/dev", directory: deviceDirectory(files) }],
      ...options,
    },
  );
}

test("there are a null, a zero, two sources of random bytes and the standard streams", () => {
  const guest = guestWithDevices();
  equal(guest.names(3), [".", "..", "null", "zero", "random", "urandom", "stdin", "stdout", "stderr"]);
  for (const { name, type } of guest.readdir(3).slice(2)) equal(type, 2, name);
  equal([guest.stat("null").type, guest.stat("null").size], [2, 0]);
});

test("null swallows all and has nothing, opened as a shell opens it", () => {
  const guest = guestWithDevices();
  const fd = guest.open("null", { oflags: O.CREATE | O.TRUNCATE });
  equal(guest.write(fd, "gone"), 4);
  equal(guest.read(fd), "");
  equal([guest.fdstat(fd).type, guest.stat(fd).size], [2, 0]);
});

test("zero and the random ones never end", () => {
  const guest = guestWithDevices();
  guest.bytes.fill(1, 65536, 65546);
  equal(guest.read(guest.open("zero"), 4), "\0\0\0\0");
  for (const name of ["random", "urandom"]) {
    const fd = guest.open(name, { rights: READ });
    guest.iovecs(64, [[65536, 100_000]]);
    equal(guest.call("fd_read", fd, 64, 1, 0), "ok");
    equal(guest.taken().length, 100_000);
    ok(
      guest
        .taken()
        .subarray(-100)
        .some((byte) => byte !== 0),
      name,
    );
    equal(guest.write(fd, "x"), "BADF");
  }
});

test("a device is told from a terminal by the right to seek", () => {
  const guest = guestWithDevices();
  const fd = guest.open("null");
  equal(guest.seek(fd, 10, 0), 0);
  equal(guest.fdstat(fd).rights & 4, 4);
  const terminal = new Guest({}, { streams: [{ read: () => 0, isTerminal: true }] });
  equal([terminal.fdstat(0).type, terminal.fdstat(0).rights & (4 | 32)], [2, 0]);
});

test("the standard streams open as what the process has", () => {
  const streams = [
    new BytesInput(new TextEncoder().encode("typed")),
    new Output((bytes) => void taken.push(bytes.slice())),
  ];
  const taken = /** @type {Uint8Array[]} */ ([]);
  const guest = guestWithDevices({ streams: [...streams, new Output(() => {})] });
  const stdin = guest.open("stdin", { rights: READ });
  equal(guest.read(stdin, 2), "ty");
  equal(guest.read(0, 2), "pe");
  const stdout = guest.open("stdout", { rights: WRITE });
  guest.write(stdout, "hi");
  equal(taken, [new TextEncoder().encode("hi")]);
  guest.call("fd_close", 1);
  equal(guest.write(stdout, "!"), 1);
});

test("a standard stream that is closed cannot be opened", () => {
  const guest = guestWithDevices();
  guest.call("fd_close", 2);
  equal(guest.open("stderr", { rights: WRITE }), "NOENT");
});

test("nothing can be made, renamed, linked or removed there", () => {
  const guest = guestWithDevices();
  equal(guest.open("new", { oflags: O.CREATE }), "ACCES");
  equal(guest.onPath("path_create_directory", "new"), "ACCES");
  equal(guest.symlink("null", "new"), "ACCES");
  equal(guest.onPath("path_unlink_file", "null"), "ACCES");
  equal(guest.rename("null", "new"), "ACCES");
  equal(guest.link("null", "new"), "PERM");
  equal(guest.open("null", { oflags: O.DIRECTORY, rights: READ }), "NOTDIR");
});
