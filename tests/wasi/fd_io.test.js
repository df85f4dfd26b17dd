// Reading, writing and seeking.

import { E, Output, Pipe, Thread } from "../../web/wasi/index.js";
import { FD, Guest, O, READ, WRITE } from "./guest.js";
import { equal, test, throws } from "./testing.js";

const SET = 0;
const CURRENT = 1;
const END = 2;

test("what is written is read back, through one position for both", () => {
  const guest = new Guest();
  const fd = guest.open("f", { oflags: O.CREATE });
  equal(guest.write(fd, "hello world"), 11);
  equal(guest.read(fd), "");
  equal(guest.seek(fd, 6, SET), 6);
  equal(guest.read(fd, 3), "wor");
  equal(guest.write(fd, "!!"), 2);
  equal(guest.content("f"), "hello wor!!");
});

test("a vector of buffers is filled in order and the last one partly", () => {
  const guest = new Guest({ f: "abcdefg" });
  const fd = guest.open("f");
  guest.iovecs(64, [
    [1000, 2],
    [0, 0],
    [2000, 3],
    [3000, 9],
    [4000, 9],
  ]);
  equal(guest.call("fd_read", fd, 64, 5, 0), "ok");
  equal(guest.view.getUint32(0, true), 7);
  equal(guest.bytes.slice(1000, 1002), new TextEncoder().encode("ab"));
  equal(guest.bytes.slice(2000, 2003), new TextEncoder().encode("cde"));
  equal(guest.bytes.slice(3000, 3003), Uint8Array.of(102, 103, 0));
});

test("a vector of buffers is written whole", () => {
  const guest = new Guest();
  const fd = guest.open("f", { oflags: O.CREATE });
  guest.path("abcdef", 1000);
  guest.iovecs(64, [
    [1000, 2],
    [0, 0],
    [1003, 3],
  ]);
  equal(guest.call("fd_write", fd, 64, 3, 0), "ok");
  equal(guest.view.getUint32(0, true), 5);
  equal(guest.content("f"), "abdef");
});

test("no buffers and empty buffers read and write nothing", () => {
  const guest = new Guest({ f: "x" });
  const fd = guest.open("f");
  for (const name of ["fd_read", "fd_write"]) {
    for (const count of [0, 1]) {
      guest.iovecs(64, [[1000, 0]]);
      guest.view.setUint32(0, 99, true);
      equal(guest.call(name, fd, 64, count, 0), "ok", name);
      equal(guest.view.getUint32(0, true), 0, name);
    }
  }
});

test("more buffers than 1024 give a short write", () => {
  const guest = new Guest();
  const fd = guest.open("f", { oflags: O.CREATE });
  guest.bytes[1000] = 65;
  guest.iovecs(
    65536,
    Array.from({ length: 2000 }, () => [1000, 1]),
  );
  equal(guest.call("fd_write", fd, 65536, 2000, 0), "ok");
  equal(guest.view.getUint32(0, true), 1024);
  equal(guest.call("fd_write", fd, 65536, -1, 0), "ok");
  equal(guest.stat("f").size, 2048);
});

test("pread and pwrite take an offset and leave the position", () => {
  const guest = new Guest({ f: "0123456789" });
  const fd = guest.open("f");
  equal(guest.read(fd, 3, 4), "456");
  equal(guest.read(fd, 3, 9), "9");
  equal(guest.read(fd, 3, 10), "");
  equal(guest.read(fd, 3, 2 ** 40), "");
  equal(guest.write(fd, "AB", 1), 2);
  equal(guest.read(fd), "0AB3456789");
  equal(guest.write(fd, "end", 12), 3);
  equal(guest.content("f"), "0AB3456789\0\0end");
});

test("a negative offset is invalid and one beyond any file too large", () => {
  const guest = new Guest({ f: "x" });
  const fd = guest.open("f");
  equal(guest.read(fd, 1, -1), "INVAL");
  equal(guest.write(fd, "x", -1), "INVAL");
  equal(guest.write(fd, "x", 2 ** 50), "FBIG");
});

test("appending writes at the end wherever the position is, pwrite included", () => {
  const guest = new Guest({ f: "abc" });
  const fd = guest.open("f", { flags: FD.APPEND });
  equal(guest.write(fd, "d"), 1);
  equal(guest.seek(fd, 0, CURRENT), 4);
  equal(guest.seek(fd, 0, SET), 0);
  equal(guest.read(fd, 2), "ab");
  equal(guest.write(fd, "e"), 1);
  equal(guest.seek(fd, 1, SET), 1);
  equal(guest.write(fd, "f", 0), 1);
  equal(guest.seek(fd, 0, CURRENT), 1);
  equal(guest.content("f"), "abcdef");
});

test("two descriptors that append never overwrite each other", () => {
  const guest = new Guest();
  const one = guest.open("log", { oflags: O.CREATE, flags: FD.APPEND });
  const other = guest.open("log", { flags: FD.APPEND });
  guest.write(one, "1");
  guest.write(other, "2");
  guest.write(one, "3");
  equal(guest.content("log"), "123");
});

test("seeking counts from the start, the position or the end", () => {
  const guest = new Guest({ f: "hello" });
  const fd = guest.open("f");
  equal(guest.seek(fd, 2, SET), 2);
  equal(guest.seek(fd, 2, CURRENT), 4);
  equal(guest.seek(fd, -1, CURRENT), 3);
  equal(guest.seek(fd, -5, END), 0);
  equal(guest.seek(fd, 10, END), 15);
  equal(guest.read(fd), "");
  equal(guest.call("fd_tell", fd, 0), "ok");
  equal(guest.view.getBigUint64(0, true), 15n);
});

test("a position before the start, beyond all numbers or of no known kind is invalid", () => {
  const guest = new Guest({ f: "hello" });
  const fd = guest.open("f");
  equal(guest.seek(fd, -1, SET), "INVAL");
  equal(guest.seek(fd, -6, END), "INVAL");
  equal(guest.seek(fd, 2n ** 63n - 1n, SET), "INVAL");
  equal(guest.seek(fd, 0, 3), "INVAL");
  equal(guest.seek(fd, 0, -1), "INVAL");
  equal(guest.seek(fd, 0, CURRENT), 0);
});

test("writing beyond the end leaves zeros in between", () => {
  const guest = new Guest({ f: "ab" });
  const fd = guest.open("f");
  guest.seek(fd, 5, SET);
  guest.write(fd, "z");
  equal(guest.content("f"), "ab\0\0\0z");
});

test("a descriptor opened for one of reading and writing refuses the other", () => {
  const guest = new Guest({ f: "x" });
  const reader = guest.open("f", { rights: READ });
  const writer = guest.open("f", { rights: WRITE });
  const neither = guest.open("f", { rights: 0 });
  equal(guest.write(reader, "y"), "BADF");
  equal(guest.write(reader, "y", 0), "BADF");
  equal(guest.read(writer), "BADF");
  equal(guest.read(writer, 1, 0), "BADF");
  equal(guest.write(writer, "y"), 1);
  equal(guest.read(reader), "y");
  equal(guest.read(neither), "y");
  equal(guest.write(neither, "z"), "BADF");
});

test("directories are neither read nor written nor sought in", () => {
  const guest = new Guest();
  equal(guest.read(3), "BADF");
  equal(guest.write(3, "x"), "BADF");
  equal(guest.read(3, 1, 0), "BADF");
  equal(guest.write(3, "x", 0), "BADF");
  equal(guest.seek(3, 0, SET), "BADF");
  equal(guest.call("fd_tell", 3, 0), "BADF");
});

test("streams have no position", () => {
  const guest = new Guest();
  equal(guest.seek(0, 0, CURRENT), "SPIPE");
  equal(guest.seek(1, 0, SET), "SPIPE");
  equal(guest.call("fd_tell", 1, 0), "SPIPE");
  equal(guest.read(0, 1, 0), "SPIPE");
  equal(guest.write(1, "x", 0), "SPIPE");
  equal(guest.read(1), "BADF");
  equal(guest.write(0, "x"), "BADF");
});

test("standard output goes to whoever took it", () => {
  const guest = new Guest();
  equal(guest.write(1, "out"), 3);
  equal(guest.write(2, "err"), 3);
  equal(guest.output, "outerr");
});

test("a descriptor that was told not to block says that it would", () => {
  const pipe = new Pipe(new Thread());
  const guest = new Guest({}, { streams: [pipe.reader, pipe.writer] });
  guest.call("fd_fdstat_set_flags", 0, FD.NONBLOCK);
  guest.call("fd_fdstat_set_flags", 1, FD.NONBLOCK);
  equal(guest.read(0), "AGAIN");
  equal(guest.write(1, "x".repeat(65536 + 10)), 65536);
  equal(guest.write(1, "x"), "AGAIN");
  equal(guest.read(0, 10), "xxxxxxxxxx");
  equal(guest.write(1, "abc"), 3);
});

test("without suspension a guest that has to wait is ended with a reason", () => {
  const pipe = new Pipe(new Thread());
  const guest = new Guest({}, { streams: [pipe.reader] });
  throws(
    () => guest.read(0),
    ({ cause, message }) => cause === "no wait" && /JSPI/.test(message),
  );
});

test("a fault in a later buffer keeps what was written before it", () => {
  const guest = new Guest({}, { files: { total_bytes: 2000 } });
  const fd = guest.open("f", { oflags: O.CREATE });
  guest.iovecs(64, [
    [1000, 100],
    [1000, 5000],
  ]);
  equal(guest.call("fd_write", fd, 64, 2, 0), "ok");
  equal(guest.view.getUint32(0, true), 100);
  guest.iovecs(64, [[1000, 5000]]);
  equal(guest.call("fd_write", fd, 64, 1, 0), "FBIG");
});

test("a blob that cannot be read is an input error, and is asked for again when the file is opened anew", () => {
  let isBroken = true;
  const read = (/** @type {string} */ blob) => {
    if (isBroken) throw new Error("gone");
    return new TextEncoder().encode(blob);
  };
  const guest = new Guest({ f: "text" }, { files: { read } });
  equal(guest.content("f"), "IO");
  equal(guest.stat("f").size, 4);
  isBroken = false;
  equal(guest.content("f"), "text");
});

test("a blob of another size than its file is an input error", () => {
  const guest = new Guest({ f: "text" }, { files: { read: () => new Uint8Array(3) } });
  equal(guest.content("f"), "IO");
});

test("a blob's own errno is passed on", () => {
  const read = () => {
    throw E.ACCES;
  };
  equal(new Guest({ f: "text" }, { files: { read } }).content("f"), "ACCES");
});

test("a callback that is behind holds output back", () => {
  /** @type {() => void} */
  let taken = () => {};
  const output = new Output(
    () =>
      new Promise((resolve) => {
        taken = () => resolve();
      }),
  );
  const guest = new Guest({}, { streams: [output, output] });
  equal(guest.write(1, "x"), 1);
  throws(
    () => guest.write(1, "x"),
    ({ cause }) => cause === "no wait",
  );
  taken();
});
