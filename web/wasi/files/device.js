// The devices below /dev: nothing, zeros, random bytes, and the process's own standard streams.

import { E } from "../errno.js";
import { randomBytes } from "../random.js";
import { DeviceDescription } from "../stream.js";
import { Inode } from "./inode.js";

/** @typedef {(bytes: Uint8Array, start: number, end: number) => void} Fill */
/** @typedef {import("./memory_files.js").MemoryFiles} MemoryFiles */

const STANDARD = ["stdin", "stdout", "stderr"];

export class Device extends Inode {
  /** @type {"device"} */
  kind = "device";
  size = 0;
  nlink = 1;

  /**
   * @param {MemoryFiles} files
   * @param {import("../stream.js").Stream} stream
   */
  constructor(files, stream) {
    super(files, 0o666, null);
    this.stream = stream;
  }

  /** @type {import("../filesystem.js").Opener} */
  open(_fds, access) {
    return new DeviceDescription(this, this.stream, access);
  }
}

/** Opening it gives what the process already has open. */
class StandardDevice extends Device {
  #fd;

  /**
   * @param {MemoryFiles} files
   * @param {number} fd
   */
  constructor(files, fd) {
    super(files, {});
    this.#fd = fd;
  }

  /**
   * @type {import("../filesystem.js").Opener}
   * @override
   */
  open(fds) {
    try {
      return fds.get(this.#fd).description.retain();
    } catch {
      throw E.NOENT;
    }
  }
}

/**
 * @param {MemoryFiles} files
 * @param {Fill} [random]
 * @returns {import("./directory.js").MemoryDirectory} to be preopened as /dev
 */
export function deviceDirectory(files, random = randomBytes) {
  const directory = files.addRoot();
  const zeros = reading((bytes, start, end) => bytes.fill(0, start, end));
  directory.place("null", new Device(files, { ...reading(() => {}), read: () => 0, readable: () => 0 }));
  directory.place("zero", new Device(files, zeros));
  directory.place("random", new Device(files, reading(random)));
  directory.place("urandom", new Device(files, reading(random)));
  for (const [fd, name] of STANDARD.entries()) directory.place(name, new StandardDevice(files, fd));
  directory.isSealed = true;
  return directory;
}

/**
 * @param {Fill} fill
 * @returns {import("../stream.js").Stream} which swallows what is written to it
 */
function reading(fill) {
  return {
    read: (bytes, start, end) => {
      fill(bytes, start, end);
      return end - start;
    },
    write: (_bytes, start, end) => end - start,
  };
}
