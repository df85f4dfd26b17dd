// Waiting until a time has come or a descriptor can be read or written.

import { ClockId, EventType, Right, Size } from "../abi.js";
import { E, SUCCESS } from "../errno.js";
import { BLOCKED, BROKEN } from "../filesystem.js";

/** @typedef {import("../process.js").Process} Process */
/** @typedef {{ userdata: bigint, type: number, bytes: number, isHungUp: boolean }} Event */

/**
 * @typedef {object} Subscription
 * @property {bigint} userdata
 * @property {number} type
 * @property {bigint | null} deadline by the monotonic clock
 * @property {import("../description.js").Description | null} description
 */

/** @typedef {{ subscriptions: Subscription[], output: number, result: number }} Poll */

const SUBSCRIPTIONS_MAX = 4096;
const ABSTIME = 1;
const HANGUP = 1;

/**
 * @param {Process} process
 * @param {number} input
 * @param {number} output
 * @param {number} count
 * @param {number} result
 */
export function poll_oneoff(process, input, output, count, result) {
  const { memory } = process;
  const number = count >>> 0;
  if (number === 0 || number > SUBSCRIPTIONS_MAX) throw E.INVAL;
  const first = memory.check(input, number * Size.SUBSCRIPTION);
  memory.check(output, number * Size.EVENT);
  memory.check(result, 4);
  const subscriptions = Array.from({ length: number }, (_, index) =>
    subscriptionAt(process, first + index * Size.SUBSCRIPTION),
  );
  return answer(process, { subscriptions, output: output >>> 0, result });
}

/**
 * @param {Process} process
 * @param {Poll} poll
 * @returns {number | Promise<number>}
 */
function answer(process, poll) {
  for (;;) {
    const now = process.clock.monotonic();
    const events = poll.subscriptions.flatMap((each) => eventOf(each, now) ?? []);
    if (events.length > 0) return report(process.memory, poll, events);
    const pausing = process.pause(signalsOf(poll.subscriptions), millisecondsUntil(poll.subscriptions, now));
    if (pausing) return pausing.then(() => answer(process, poll));
  }
}

/**
 * @param {Process} process
 * @param {number} at
 * @returns {Subscription}
 */
function subscriptionAt(process, at) {
  const { memory, fds } = process;
  const userdata = memory.u64(at);
  const type = memory.u8(at + 8);
  if (type === EventType.CLOCK)
    return { userdata, type, deadline: deadlineAt(process, at + 16), description: null };
  if (type !== EventType.FD_READ && type !== EventType.FD_WRITE) throw E.INVAL;
  const access = type === EventType.FD_READ ? Right.FD_READ : Right.FD_WRITE;
  const { description } = fds.get(memory.u32(at + 16), access | Right.POLL_FD_READWRITE);
  return { userdata, type, deadline: null, description };
}

/**
 * @param {Process} process
 * @param {number} at
 */
function deadlineAt({ memory, clock }, at) {
  const id = memory.u32(at);
  const timeout = memory.u64(at + 8);
  const flags = memory.u16(at + 24);
  if ((id !== ClockId.REALTIME && id !== ClockId.MONOTONIC) || flags & ~ABSTIME) throw E.INVAL;
  if (!(flags & ABSTIME)) return clock.monotonic() + timeout;
  return id === ClockId.MONOTONIC ? timeout : clock.monotonic() + timeout - clock.realtime();
}

/**
 * @param {Subscription} subscription
 * @param {bigint} now
 * @returns {Event | null}
 */
function eventOf({ userdata, type, deadline, description }, now) {
  if (!description)
    return deadline !== null && deadline <= now ? { userdata, type, bytes: 0, isHungUp: false } : null;
  const bytes = type === EventType.FD_READ ? description.readable() : description.writable();
  if (bytes === BLOCKED) return null;
  return { userdata, type, bytes: Math.max(0, bytes), isHungUp: bytes === BROKEN };
}

/**
 * @param {import("../memory.js").GuestMemory} memory
 * @param {Poll} poll
 * @param {Event[]} events
 */
function report(memory, { output, result }, events) {
  for (const [index, { userdata, type, bytes, isHungUp }] of events.entries()) {
    const at = output + index * Size.EVENT;
    memory.clear(at, Size.EVENT);
    memory.setU64(at, userdata);
    memory.setU8(at + 10, type);
    memory.setU64(at + 16, bytes);
    memory.setU16(at + 24, isHungUp ? HANGUP : 0);
  }
  memory.setU32(result, events.length);
  return SUCCESS;
}

/** @param {Subscription[]} subscriptions */
function signalsOf(subscriptions) {
  return subscriptions.flatMap(({ type, description }) => {
    if (!description) return [];
    return type === EventType.FD_READ ? description.readSignal : description.writeSignal;
  });
}

/**
 * @param {Subscription[]} subscriptions
 * @param {bigint} now
 */
function millisecondsUntil(subscriptions, now) {
  const waits = subscriptions.map(({ deadline }) =>
    deadline === null ? Number.POSITIVE_INFINITY : Number(deadline - now) / 1e6,
  );
  return Math.min(...waits);
}
