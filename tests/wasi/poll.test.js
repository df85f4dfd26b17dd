// Waiting for clocks and descriptors.

import { BytesInput, Output, Pipe, Thread } from "../../web/wasi/index.js";
import { Guest } from "./guest.js";
import { equal, test, throws } from "./testing.js";

const [CLOCK, READ, WRITE] = [0, 1, 2];
const [REALTIME, MONOTONIC] = [0, 1];
const ABSOLUTE = 1;
const [INPUT, OUTPUT] = [65536, 131072];

/** @typedef {{ userdata: bigint, type: number, clock?: number, timeout?: bigint, flags?: number, fd?: number }} Subscription */

/**
 * @param {Guest} guest
 * @param {Subscription[]} subscriptions
 * @returns {any} events, or the name of an errno
 */
function poll(guest, ...subscriptions) {
  for (const [index, { userdata, type, clock = 0, timeout = 0n, flags = 0, fd }] of subscriptions.entries()) {
    const at = INPUT + 48 * index;
    guest.bytes.fill(0xaa, at, at + 48);
    guest.view.setBigUint64(at, userdata, true);
    guest.view.setUint8(at + 8, type);
    guest.view.setUint32(at + 16, fd ?? clock, true);
    if (fd === undefined) guest.view.setBigUint64(at + 24, timeout, true);
    if (fd === undefined) guest.view.setUint16(at + 40, flags, true);
  }
  const answer = guest.call("poll_oneoff", INPUT, OUTPUT, subscriptions.length, 0);
  return answer === "ok" ? events(guest) : answer;
}

/** @param {Guest} guest */
function events(guest) {
  return Array.from({ length: guest.view.getUint32(0, true) }, (_, index) => {
    const at = OUTPUT + 32 * index;
    return {
      userdata: Number(guest.view.getBigUint64(at, true)),
      error: guest.view.getUint16(at + 8, true),
      type: guest.view.getUint8(at + 10),
      bytes: Number(guest.view.getBigUint64(at + 16, true)),
      flags: guest.view.getUint16(at + 24, true),
    };
  });
}

/** A guest whose sleep moves its clock, and who counts how long it slept. */
function sleeper() {
  const slept = /** @type {number[]} */ ([]);
  const guest = new Guest(
    { f: "hello" },
    {
      sleep: (/** @type {number} */ milliseconds) => {
        slept.push(milliseconds);
        guest.clock.now += BigInt(Math.round(milliseconds * 1e6));
      },
    },
  );
  return { guest, slept };
}

test("a relative timeout sleeps for as long as it says", () => {
  const { guest, slept } = sleeper();
  const event = { userdata: 7, error: 0, type: CLOCK, bytes: 0, flags: 0 };
  for (const clock of [REALTIME, MONOTONIC]) {
    equal(poll(guest, { userdata: 7n, type: CLOCK, clock, timeout: 250_000_000n }), [event]);
  }
  equal(slept, [250, 250]);
});

test("an absolute timeout is measured from now, and one that has passed does not sleep", () => {
  const { guest, slept } = sleeper();
  for (const clock of [REALTIME, MONOTONIC]) {
    const timeout = guest.clock.now + 5_000_000n;
    equal(poll(guest, { userdata: 1n, type: CLOCK, clock, timeout, flags: ABSOLUTE }).length, 1);
    equal(poll(guest, { userdata: 1n, type: CLOCK, clock, timeout: 3n, flags: ABSOLUTE }).length, 1);
  }
  equal(slept, [5, 5]);
});

test("each absolute timeout is measured by its own clock", () => {
  const { guest, slept } = sleeper();
  guest.clock.realtime = () => guest.clock.now + 1_000_000_000_000n;
  const at = (/** @type {number} */ clock, /** @type {bigint} */ timeout) =>
    poll(guest, { userdata: 1n, type: CLOCK, clock, timeout, flags: ABSOLUTE }).length;
  equal(at(REALTIME, guest.clock.realtime() + 7_000_000n), 1);
  equal(at(MONOTONIC, guest.clock.monotonic() + 3_000_000n), 1);
  equal(slept, [7, 3]);
});

test("the first timeout wakes, and with it all that are due", () => {
  const { guest, slept } = sleeper();
  const clock = (/** @type {bigint} */ userdata, /** @type {bigint} */ timeout) => ({
    userdata,
    type: CLOCK,
    clock: MONOTONIC,
    timeout,
  });
  const woken = poll(guest, clock(1n, 9_000_000n), clock(2n, 2_000_000n), clock(3n, 2_000_000n));
  equal(
    woken.map((/** @type {any} */ { userdata }) => userdata),
    [2, 3],
  );
  equal(slept, [2]);
});

test("a file is always ready, and says how much there is to read", () => {
  const { guest, slept } = sleeper();
  const fd = guest.open("f");
  guest.seek(fd, 2, 0);
  equal(
    poll(
      guest,
      { userdata: 1n, type: READ, fd },
      { userdata: 2n, type: CLOCK, timeout: 9n },
      { userdata: 3n, type: WRITE, fd },
    ),
    [
      { userdata: 1, error: 0, type: READ, bytes: 3, flags: 0 },
      { userdata: 3, error: 0, type: WRITE, bytes: 65536, flags: 0 },
    ],
  );
  equal(slept, []);
});

test("streams are ready when they would not block, and a pipe nobody reads has hung up", () => {
  const pipe = new Pipe(new Thread());
  const streams = [pipe.reader, pipe.writer, new Output(() => {}), new BytesInput(new Uint8Array(9))];
  const guest = new Guest({}, { streams, preopens: () => [], sleep() {} });
  equal(poll(guest, { userdata: 1n, type: WRITE, fd: 2 })[0].error, 0);
  equal(poll(guest, { userdata: 1n, type: READ, fd: 3 })[0].bytes, 9);
  equal(poll(guest, { userdata: 1n, type: WRITE, fd: 1 })[0].bytes, 65536);
  guest.write(1, "abc");
  equal(poll(guest, { userdata: 1n, type: READ, fd: 0 })[0].bytes, 3);
  equal(poll(guest, { userdata: 1n, type: WRITE, fd: 1 })[0].bytes, 65533);
  guest.call("fd_close", 0);
  equal(poll(guest, { userdata: 1n, type: WRITE, fd: 1 }), [
    { userdata: 1, error: 0, type: WRITE, bytes: 0, flags: 1 },
  ]);
});

test("an empty pipe whose writer is gone can be read, to its end", () => {
  const pipe = new Pipe(new Thread());
  const guest = new Guest({}, { streams: [pipe.reader, pipe.writer] });
  guest.call("fd_close", 1);
  equal(poll(guest, { userdata: 1n, type: READ, fd: 0 })[0].bytes, 0);
  equal(guest.read(0), "");
});

test("a pipe that stays empty is left to the clock", () => {
  const pipe = new Pipe(new Thread());
  const slept = /** @type {number[]} */ ([]);
  const guest = new Guest(
    {},
    {
      streams: [pipe.reader],
      sleep: (/** @type {number} */ milliseconds) => {
        slept.push(milliseconds);
        guest.clock.now += BigInt(milliseconds * 1e6);
      },
    },
  );
  const timeout = { userdata: 2n, type: CLOCK, clock: MONOTONIC, timeout: 25_000_000n };
  equal(poll(guest, { userdata: 1n, type: READ, fd: 0 }, timeout)[0].userdata, 2);
  equal(slept, [10, 10, 5]);
});

test("what cannot be polled is refused as a whole", () => {
  const { guest } = sleeper();
  const good = { userdata: 1n, type: CLOCK, timeout: 1n };
  equal(poll(guest), "INVAL");
  equal(poll(guest, good, { userdata: 1n, type: READ, fd: 99 }), "BADF");
  equal(poll(guest, good, { userdata: 1n, type: READ, fd: 3 }), "BADF");
  equal(poll(guest, good, { userdata: 1n, type: READ, fd: 1 }), "BADF");
  equal(poll(guest, good, { userdata: 1n, type: WRITE, fd: 0 }), "BADF");
  equal(poll(guest, good, { userdata: 1n, type: 3, fd: 0 }), "INVAL");
  for (const clock of [2, 3, 9])
    equal(poll(guest, { userdata: 1n, type: CLOCK, clock, timeout: 1n }), "INVAL");
  equal(poll(guest, { userdata: 1n, type: CLOCK, flags: 2 }), "INVAL");
  equal(guest.call("poll_oneoff", INPUT, OUTPUT, 5000, 0), "INVAL");
  equal(guest.call("poll_oneoff", INPUT, OUTPUT, -1, 0), "INVAL");
});

test("where nothing can sleep a guest that waits is ended with a reason", () => {
  const guest = new Guest();
  throws(
    () => poll(guest, { userdata: 1n, type: CLOCK, timeout: 1n }),
    ({ cause, message }) => cause === "no wait" && /JSPI/.test(message),
  );
});
