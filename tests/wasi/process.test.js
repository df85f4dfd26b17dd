// Arguments, environment, clocks, random bytes, sockets: what a process has of its own.

import { Process } from "../../web/wasi/index.js";
import { Guest } from "./guest.js";
import { equal, ok, test, throws } from "./testing.js";

/**
 * @param {Guest} guest
 * @param {"args" | "environ"} what
 */
function strings(guest, what) {
  equal(guest.call(`${what}_sizes_get`, 0, 4), "ok");
  const [count, size] = [guest.view.getUint32(0, true), guest.view.getUint32(4, true)];
  equal(guest.call(`${what}_get`, 1000, 5000), "ok");
  const starts = Array.from({ length: count }, (_, at) => guest.view.getUint32(1000 + 4 * at, true));
  const all = guest.bytes.slice(5000, 5000 + size);
  return starts.map((at) => new TextDecoder().decode(all.subarray(at - 5000, all.indexOf(0, at - 5000))));
}

test("a process gets its arguments and only the variables it was given", () => {
  const guest = new Guest(
    {},
    {
      argv: ["prog", "", "tschüß", "a b"],
      env: [
        ["K", "V"],
        ["E", ""],
        ["X", "a=b"],
      ],
    },
  );
  equal(strings(guest, "args"), ["prog", "", "tschüß", "a b"]);
  equal(strings(guest, "environ"), ["K=V", "E=", "X=a=b"]);
  equal(strings(new Guest(), "environ"), []);
});

test("where a process works it learns from PWD and finds as the directory dot", () => {
  const guest = new Guest({ d: { e: { f: "here" } } }, { cwd: "/d/e", env: [["PWD", "/wrong"]] });
  equal(strings(guest, "environ"), ["PWD=/d/e"]);
  equal(guest.call("fd_prestat_dir_name", 4, 100, 1), "ok");
  equal(guest.bytes[100], ".".charCodeAt(0));
  equal(guest.read(guest.open("f", { fd: 4 })), "here");
});

test("a place to work that is not there is refused with its name", () => {
  for (const cwd of ["/nope", "/f", "elsewhere", "/../x"]) {
    throws(
      () => new Guest({ f: "x" }, { cwd }),
      ({ message }) => message.includes(cwd),
    );
  }
});

test("arguments and variables that hold a NUL are refused", () => {
  const program = /** @type {any} */ (null);
  throws(
    () => new Process(program, { argv: ["a\0b"] }),
    ({ message }) => /NUL/.test(message),
  );
  throws(
    () => new Process(program, { argv: [], env: [["a", "\0"]] }),
    ({ message }) => /NUL/.test(message),
  );
});

test("clocks tell the time that the process was given and nothing of the processor's", () => {
  const guest = new Guest();
  guest.clock.now = 2n ** 60n + 1n;
  for (const clock of [0, 1]) {
    equal(guest.call("clock_time_get", clock, 0n, 0), "ok");
    equal(guest.view.getBigUint64(0, true), 2n ** 60n + 1n);
    equal(guest.call("clock_res_get", clock, 0), "ok");
    equal(guest.view.getBigUint64(0, true), 1n);
  }
  for (const name of ["clock_time_get", "clock_res_get"]) {
    const rest = name === "clock_time_get" ? [0n, 0] : [0];
    for (const clock of [2, 3]) equal(guest.call(name, clock, ...rest), "BADF");
    for (const clock of [4, -1]) equal(guest.call(name, clock, ...rest), "INVAL");
  }
});

test("random bytes fill exactly the buffer, however long", () => {
  const guest = new Guest();
  const length = 3 * 65536 + 5;
  equal(guest.call("random_get", 1000, length), "ok");
  const filled = guest.bytes.subarray(1000, 1000 + length);
  for (let at = 0; at < length; at += 1000) {
    ok(filled.subarray(at, at + 1000).some((byte) => byte !== 0) || length - at < 50, `bytes from ${at}`);
  }
  equal([guest.bytes[999], guest.bytes[1000 + length]], [0, 0]);
  equal(guest.call("random_get", 0, 0), "ok");
});

test("no descriptor is a socket and no signal can be raised", () => {
  const guest = new Guest({ f: "x" });
  const fd = guest.open("f");
  for (const each of [fd, 0, 3]) {
    equal(guest.call("sock_accept", each, 0, 0), "NOTSOCK");
    equal(guest.call("sock_recv", each, 0, 0, 0, 0, 0), "NOTSOCK");
    equal(guest.call("sock_send", each, 0, 0, 0, 0), "NOTSOCK");
    equal(guest.call("sock_shutdown", each, 1), "NOTSOCK");
  }
  equal(guest.call("sock_shutdown", fd, 4), "INVAL");
  equal(guest.call("sock_shutdown", 99, 1), "BADF");
  equal(guest.call("proc_raise", 9), "NOTSUP");
  equal(guest.call("sched_yield"), "ok");
});

test("the end of a process unwinds it with its code, again at each later call", () => {
  const guest = new Guest();
  throws(
    () => guest.call("proc_exit", 33),
    ({ code, cause }) => code === 33 && cause === "exit",
  );
  throws(
    () => guest.process.check(),
    ({ code }) => code === 33,
  );
  guest.process.stop();
  throws(
    () => guest.process.check(),
    ({ code }) => code === 33,
  );
});
