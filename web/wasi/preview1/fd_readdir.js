// Listing a directory, piece by piece.

import { Right, Size } from "../abi.js";
import { SUCCESS } from "../errno.js";
import { filetypeOf } from "./filestat.js";

/** @typedef {import("../process.js").Process} Process */

const encoder = new TextEncoder();
const head = new Uint8Array(Size.DIRENT);
const headView = new DataView(head.buffer);

/**
 * A full buffer tells the guest that there is more; the last record in it may be cut off.
 * @param {Process} process
 * @param {number} fd
 * @param {number} buffer
 * @param {number} length
 * @param {bigint} cookie
 * @param {number} result
 */
export function fd_readdir({ fds, memory }, fd, buffer, length, cookie, result) {
  const directory = fds.directory(fd, Right.FD_READDIR);
  const start = memory.check(buffer, length >>> 0);
  const target = memory.bytes.subarray(start, start + (length >>> 0));
  memory.check(result, 4);
  let used = 0;
  for (const entry of directory.list(Number(BigInt.asUintN(64, cookie)))) {
    if (used === target.length) break;
    const name = encoder.encode(entry.name);
    headView.setBigUint64(0, BigInt(entry.cookie), true);
    headView.setBigUint64(8, BigInt(entry.node.ino), true);
    headView.setUint32(16, name.length, true);
    headView.setUint32(20, filetypeOf(entry.node), true);
    used = append(target, used, head);
    used = append(target, used, name);
  }
  memory.setU32(result, used);
  return SUCCESS;
}

/**
 * @param {Uint8Array} target
 * @param {number} used
 * @param {Uint8Array} bytes
 * @returns {number} how much is used now
 */
function append(target, used, bytes) {
  const room = target.length - used;
  target.set(bytes.length <= room ? bytes : bytes.subarray(0, room), used);
  return used + Math.min(room, bytes.length);
}
