// Bytes through descriptors: read, write, seek, tell.

import { Right, Size, Whence } from "../abi.js";
import { E, Errno, SUCCESS } from "../errno.js";
import { Exit, ExitCode } from "../exit.js";
import { BLOCKED, BROKEN } from "../filesystem.js";

/** @typedef {import("../process.js").Process} Process */
/** @typedef {import("../description.js").Description} Description */

/** More buffers than this, or more bytes, are not an error: less is read or written than was asked for. */
const IOVECS_MAX = 1024;
const TRANSFER_MAX = 2 ** 30;
const CURRENT = -1;

/**
 * @param {Process} process
 * @param {number} fd
 * @param {number} iovs
 * @param {number} count
 * @param {number} result
 */
export function fd_read(process, fd, iovs, count, result) {
  const { description } = process.fds.get(fd, Right.FD_READ);
  return readInto(process, description, checked(process, iovs, count, result), CURRENT);
}

/**
 * @param {Process} process
 * @param {number} fd
 * @param {number} iovs
 * @param {number} count
 * @param {bigint} offset
 * @param {number} result
 */
export function fd_pread(process, fd, iovs, count, offset, result) {
  const { description } = process.fds.get(fd, Right.FD_READ | Right.FD_SEEK);
  return readInto(process, description, checked(process, iovs, count, result), offsetOf(offset));
}

/**
 * @param {Process} process
 * @param {number} fd
 * @param {number} iovs
 * @param {number} count
 * @param {number} result
 */
export function fd_write(process, fd, iovs, count, result) {
  const { description } = process.fds.get(fd, Right.FD_WRITE);
  return writeFrom(process, description, checked(process, iovs, count, result), CURRENT, 0);
}

/**
 * @param {Process} process
 * @param {number} fd
 * @param {number} iovs
 * @param {number} count
 * @param {bigint} offset
 * @param {number} result
 */
export function fd_pwrite(process, fd, iovs, count, offset, result) {
  const { description } = process.fds.get(fd, Right.FD_WRITE | Right.FD_SEEK);
  return writeFrom(process, description, checked(process, iovs, count, result), offsetOf(offset), 0);
}

/**
 * @param {Process} process
 * @param {number} fd
 * @param {bigint} offset
 * @param {number} whence
 * @param {number} result
 */
export function fd_seek(process, fd, offset, whence, result) {
  const isTelling = whence === Whence.CURRENT && offset === 0n;
  const { description } = process.fds.get(fd, isTelling ? Right.FD_TELL : Right.FD_SEEK);
  if (whence >>> 0 > Whence.END) throw E.INVAL;
  const delta = Number(offset);
  if (!Number.isSafeInteger(delta)) throw E.INVAL;
  process.memory.check(result, 8);
  process.memory.setU64(result, description.seek(delta, whence));
  return SUCCESS;
}

/**
 * @param {Process} process
 * @param {number} fd
 * @param {number} result
 */
export function fd_tell(process, fd, result) {
  const { description } = process.fds.get(fd, Right.FD_TELL);
  process.memory.setU64(result, description.seek(0, Whence.CURRENT));
  return SUCCESS;
}

/**
 * A vector of buffers whose every pointer has been checked, and where the number of bytes goes. The pointers are
 * checked again when they are used: what is read into one buffer may lie over the next one's pointer.
 * @typedef {{ iovs: number, count: number, result: number }} Vector
 */

/**
 * @param {Process} process
 * @param {number} iovs
 * @param {number} count
 * @param {number} result
 * @returns {Vector}
 */
function checked({ memory }, iovs, count, result) {
  const used = Math.min(count >>> 0, IOVECS_MAX);
  const first = memory.check(iovs, used * Size.IOVEC);
  for (let at = first; at < first + used * Size.IOVEC; at += Size.IOVEC) {
    memory.check(memory.u32(at), memory.u32(at + 4));
  }
  return { iovs: first, count: used, result: memory.check(result, 4) };
}

/**
 * @param {Process} process
 * @param {Description} description
 * @param {Vector} vector
 * @param {number} offset
 * @returns {number | Promise<number>}
 */
function readInto(process, description, vector, offset) {
  const { memory } = process;
  let done = 0;
  for (let index = 0; index < vector.count; index++) {
    const start = memory.u32(vector.iovs + index * Size.IOVEC);
    const length = Math.min(memory.u32(vector.iovs + index * Size.IOVEC + 4), TRANSFER_MAX - done);
    if (length === 0) continue;
    const at = offset === CURRENT ? CURRENT : offset + done;
    memory.check(start, length);
    const count = description.read(memory.bytes, start, start + length, at);
    if (count === BLOCKED) {
      if (done > 0) break;
      if (description.isNonblocking) throw E.AGAIN;
      return process.after(description.readSignal, () => readInto(process, description, vector, offset));
    }
    done += count;
    if (count < length) break;
  }
  memory.setU32(vector.result, done);
  return SUCCESS;
}

/**
 * All of it is written, however long that takes, unless the description does not block.
 * @param {Process} process
 * @param {Description} description
 * @param {Vector} vector
 * @param {number} offset
 * @param {number} alreadyDone
 * @returns {number | Promise<number>}
 */
function writeFrom(process, description, vector, offset, alreadyDone) {
  const { memory } = process;
  let done = alreadyDone;
  let skipped = alreadyDone;
  for (let index = 0; index < vector.count && done < TRANSFER_MAX; index++) {
    const start = memory.u32(vector.iovs + index * Size.IOVEC) + skipped;
    const length = memory.u32(vector.iovs + index * Size.IOVEC + 4) - skipped;
    skipped = Math.max(0, -length);
    if (length <= 0) continue;
    const end = start + Math.min(length, TRANSFER_MAX - done);
    memory.check(start, end - start);
    const count = put(description, memory.bytes, start, end, offset, done);
    if (count === BROKEN) throw process.end(new Exit(ExitCode.BROKEN_PIPE, "broken pipe"));
    if (count === BLOCKED) return waitToWrite(process, description, vector, offset, done);
    done += count;
    if (count === 0) break;
    if (count < end - start) return writeFrom(process, description, vector, offset, done);
  }
  memory.setU32(vector.result, done);
  return SUCCESS;
}

/**
 * @param {Description} description
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} end
 * @param {number} offset
 * @param {number} done
 * @returns {number} 0 where a fault comes after bytes that were written: those are told first
 */
function put(description, bytes, start, end, offset, done) {
  try {
    return description.write(bytes, start, end, offset === CURRENT ? CURRENT : offset + done);
  } catch (error) {
    if (done > 0 && error instanceof Errno) return 0;
    throw error;
  }
}

/**
 * @param {Process} process
 * @param {Description} description
 * @param {Vector} vector
 * @param {number} offset
 * @param {number} done
 * @returns {number | Promise<number>}
 */
function waitToWrite(process, description, vector, offset, done) {
  if (!description.isNonblocking) {
    return process.after(description.writeSignal, () =>
      writeFrom(process, description, vector, offset, done),
    );
  }
  if (done === 0) throw E.AGAIN;
  process.memory.setU32(vector.result, done);
  return SUCCESS;
}

/** @param {bigint} offset */
function offsetOf(offset) {
  if (offset < 0n) throw E.INVAL;
  // Where a number is no longer exact no file reaches, so it need not be.
  return Number(offset);
}
