// What the host asks of a file system; `files/` is the one that lives in memory.

/** Answers a read or write that cannot be done yet: wait for the signal that belongs to it, then try again. */
export const BLOCKED = -1;
/** Answers a write that nobody will ever read. */
export const BROKEN = -2;

/**
 * What all nodes have. Times are nanoseconds since 1970.
 * @typedef {object} NodeState
 * @property {number} ino
 * @property {number} nlink
 * @property {number} size
 * @property {number} mode permission bits
 * @property {bigint} atim
 * @property {bigint} mtim
 * @property {bigint} ctim
 * @property {(atim: bigint | null, mtim: bigint | null) => void} setTimes null leaves one as it is
 */

/**
 * Reads and writes take a part of the guest's memory, so that bytes are copied once.
 * @typedef {object} FileOperations
 * @property {"file"} kind
 * @property {(bytes: Uint8Array, start: number, end: number, offset: number) => number} read
 * @property {(bytes: Uint8Array, start: number, end: number, offset: number) => number} write
 * @property {(size: number) => void} resize
 * @property {import("./signal.js").Signal} ready fires when a blocked read or write can be tried again
 * @property {() => void} opened
 * @property {() => void} closed
 * @typedef {NodeState & FileOperations} FileNode
 */

/**
 * Names are single components; a cookie says where a listing goes on and survives changes.
 * @typedef {object} DirectoryOperations
 * @property {"directory"} kind
 * @property {boolean} isRemoved
 * @property {(name: string) => Node | undefined} get
 * @property {(name: string) => FileNode} createFile
 * @property {(name: string) => void} createDirectory
 * @property {(name: string, target: string) => void} createSymlink
 * @property {(name: string, node: Node) => void} link
 * @property {(name: string) => void} unlink
 * @property {(name: string) => void} removeDirectory
 * @property {(name: string, to: DirectoryNode, newName: string) => void} rename
 * @property {(cookie: number) => Iterable<{ name: string, node: Node, cookie: number }>} list
 * @typedef {NodeState & DirectoryOperations} DirectoryNode
 */

/**
 * @typedef {NodeState & { kind: "symlink", target: string }} SymlinkNode
 * @typedef {NodeState & { kind: "device", open: Opener }} DeviceNode
 * @typedef {import("./description.js").Access} Access
 * @typedef {(fds: import("./descriptors.js").Descriptors, access: Access) => import("./description.js").Description} Opener
 * @typedef {FileNode | DirectoryNode | SymlinkNode | DeviceNode} Node
 */
