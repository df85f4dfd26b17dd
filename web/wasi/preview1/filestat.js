// The record that describes a node, and the rules for setting its times.

import { FileType, Size, TimeFlag } from "../abi.js";
import { E } from "../errno.js";

const DEVICE = 1;

const TYPES = Object.freeze({
  file: FileType.REGULAR_FILE,
  directory: FileType.DIRECTORY,
  symlink: FileType.SYMBOLIC_LINK,
  device: FileType.CHARACTER_DEVICE,
});

/** @param {import("../filesystem.js").Node} node */
export function filetypeOf({ kind }) {
  return TYPES[kind];
}

/**
 * @param {import("../memory.js").GuestMemory} memory
 * @param {number} result
 * @param {import("../description.js").Stat} stat
 * @param {number} filetype
 */
export function writeFilestat(memory, result, stat, filetype) {
  memory.clear(result, Size.FILESTAT);
  if (stat.ino > 0) memory.setU64(result, DEVICE);
  memory.setU64(result + 8, stat.ino);
  memory.setU8(result + 16, filetype);
  memory.setU64(result + 24, stat.nlink);
  memory.setU64(result + 32, stat.size);
  memory.setU64(result + 40, stat.atim);
  memory.setU64(result + 48, stat.mtim);
  memory.setU64(result + 56, stat.ctim);
}

/**
 * @param {import("../clock.js").Clock} clock
 * @param {bigint} atim
 * @param {bigint} mtim
 * @param {number} flags
 * @returns {{ atim: bigint | null, mtim: bigint | null }}
 */
export function newTimes(clock, atim, mtim, flags) {
  if (flags & ~TimeFlag.ALL) throw E.INVAL;
  return {
    atim: newTime(clock, atim, flags & TimeFlag.ATIM, flags & TimeFlag.ATIM_NOW),
    mtim: newTime(clock, mtim, flags & TimeFlag.MTIM, flags & TimeFlag.MTIM_NOW),
  };
}

/**
 * @param {import("../clock.js").Clock} clock
 * @param {bigint} given
 * @param {number} isGiven
 * @param {number} isNow
 */
function newTime(clock, given, isGiven, isNow) {
  if (isGiven && isNow) throw E.INVAL;
  if (isGiven) return BigInt.asUintN(64, given);
  return isNow ? clock.realtime() : null;
}
