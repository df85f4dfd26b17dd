// The bytes of files, compared with a plain array of bytes.

import { Content } from "../../web/wasi/files/content.js";
import { Guest, O } from "./guest.js";
import { Random } from "./random.js";
import { equal, ok, test } from "./testing.js";

const CHUNK = 2 ** 18;
const SIZES = [0, 1, 31, 32, 33, 255, 256, 257, 5000, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK + 7];

/** @param {Content} content */
function bytesOf(content) {
  const bytes = new Uint8Array(content.size + 3).fill(9);
  equal(content.read(bytes, 1, bytes.length, 0), content.size);
  equal([bytes[0], bytes.at(-1), bytes.at(-2)], [9, 9, 9]);
  return bytes.subarray(1, -2);
}

/**
 * @param {Uint8Array} one
 * @param {Uint8Array} other
 * @param {string} what
 */
function same(one, other, what) {
  equal(one.length, other.length, what);
  const at = one.findIndex((byte, index) => byte !== other[index]);
  ok(at === -1, `${what}: differs at ${at}`);
}

test("any row of writes and cuts gives what it would give in an array", () => {
  for (let seed = 0; seed < 20; seed++) {
    const random = new Random(seed);
    const start = new Uint8Array(random.pick(SIZES)).map(() => 1 + random.below(255));
    const content = new Content(start.length);
    const pristine = start.slice();
    content.provideStart(start);
    let model = start.slice();
    for (let step = 0; step < 12; step++) {
      const offset = random.pick([0, model.length, random.below(model.length + 1), random.pick(SIZES)]);
      if (random.below(3) > 0) {
        const piece = new Uint8Array(random.pick(SIZES.slice(1))).map(() => 1 + random.below(255));
        content.write(piece, 0, piece.length, offset);
        const grown = new Uint8Array(Math.max(model.length, offset + piece.length));
        grown.set(model);
        grown.set(piece, offset);
        model = grown;
      } else {
        content.resize(offset);
        const cut = new Uint8Array(offset);
        cut.set(model.subarray(0, offset));
        model = cut;
      }
      same(bytesOf(content), model, `seed ${seed}, step ${step}`);
    }
    same(content.toBytes(), model, `seed ${seed}`);
    same(start, pristine, `seed ${seed}: what it started with`);
  }
});

test("a read is cut at the end of the file and stays in its buffer", () => {
  const content = new Content(0);
  content.write(Uint8Array.of(1, 2, 3), 0, 3, 0);
  const bytes = new Uint8Array(6);
  equal(content.read(bytes, 2, 4, 0), 2);
  equal(bytes, Uint8Array.of(0, 0, 1, 2, 0, 0));
  equal(content.read(bytes, 0, 6, 3), 0);
  equal(content.read(bytes, 0, 6, 99), 0);
});

test("a hole of a terabyte takes no room and is read as zeros", () => {
  const content = new Content(0);
  content.write(Uint8Array.of(7), 0, 1, 2 ** 40);
  equal(content.size, 2 ** 40 + 1);
  const bytes = new Uint8Array(4).fill(1);
  equal(content.read(bytes, 0, 4, 2 ** 40 - 2), 3);
  equal(bytes, Uint8Array.of(0, 0, 7, 1));
  content.resize(10);
  same(content.toBytes(), new Uint8Array(10), "after the cut");
});

test("what is cut off does not come back when the file grows again", () => {
  const content = new Content(5);
  content.provideStart(Uint8Array.of(1, 2, 3, 4, 5));
  content.resize(2);
  content.resize(5);
  equal(bytesOf(content), Uint8Array.of(1, 2, 0, 0, 0));
  content.write(Uint8Array.of(9), 0, 1, 4);
  equal(bytesOf(content), Uint8Array.of(1, 2, 0, 0, 9));
});

test("a file that is appended to in small pieces allocates in proportion to its size", () => {
  const Real = globalThis.Uint8Array;
  let allocated = 0;
  globalThis.Uint8Array = new Proxy(Real, {
    construct(target, args, as) {
      if (typeof args[0] === "number") allocated += args[0];
      return Reflect.construct(target, args, as);
    },
  });
  try {
    const content = new Content(0);
    const piece = Real.from({ length: 100 }, () => 65);
    for (let at = 0; at < 20_000; at++) content.write(piece, 0, 100, content.size);
    ok(allocated < 3 * content.size, `${allocated} bytes for ${content.size}`);
  } finally {
    globalThis.Uint8Array = Real;
  }
});

test("a blob is read once while a file is open, and only when its bytes are needed", () => {
  let reads = 0;
  const read = (/** @type {string} */ blob) => {
    reads += 1;
    return new TextEncoder().encode(blob);
  };
  const guest = new Guest({ f: "hello", g: "other" }, { files: { read, cache_bytes: 0 } });
  const fd = guest.open("f");
  guest.stat("f");
  guest.names(3);
  guest.rename("g", "h");
  equal(reads, 0);
  equal([guest.read(fd, 2), guest.read(fd, 9)], ["he", "llo"]);
  guest.write(fd, "!");
  equal(guest.content("f"), "hello!");
  equal(reads, 1);
  guest.call("fd_close", fd);
  guest.content("f");
  equal(reads, 2);
  guest.open("h", { oflags: O.TRUNCATE });
  equal(reads, 2);
});

test("blobs that are not in use are kept up to a limit, the least recently used go first", () => {
  const reads = /** @type {string[]} */ ([]);
  const read = (/** @type {string} */ blob) => {
    reads.push(blob);
    return new TextEncoder().encode(blob);
  };
  const guest = new Guest({ a: "aaaa", b: "bbbb", c: "cccc" }, { files: { read, cache_bytes: 8 } });
  for (const name of ["a", "b", "a", "c", "a", "b"]) guest.content(name);
  equal(reads, ["aaaa", "bbbb", "cccc", "bbbb"]);
});
