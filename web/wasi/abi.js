// Numbers of the preview 1 ABI: kinds of files, rights, flags and the sizes of its records.

export const FileType = Object.freeze({
  UNKNOWN: 0,
  CHARACTER_DEVICE: 2,
  DIRECTORY: 3,
  REGULAR_FILE: 4,
  SYMBOLIC_LINK: 7,
});

export const Right = Object.freeze({
  FD_DATASYNC: 1 << 0,
  FD_READ: 1 << 1,
  FD_SEEK: 1 << 2,
  FD_FDSTAT_SET_FLAGS: 1 << 3,
  FD_SYNC: 1 << 4,
  FD_TELL: 1 << 5,
  FD_WRITE: 1 << 6,
  FD_ADVISE: 1 << 7,
  FD_ALLOCATE: 1 << 8,
  PATH_CREATE_DIRECTORY: 1 << 9,
  PATH_CREATE_FILE: 1 << 10,
  PATH_LINK_SOURCE: 1 << 11,
  PATH_LINK_TARGET: 1 << 12,
  PATH_OPEN: 1 << 13,
  FD_READDIR: 1 << 14,
  PATH_READLINK: 1 << 15,
  PATH_RENAME_SOURCE: 1 << 16,
  PATH_RENAME_TARGET: 1 << 17,
  PATH_FILESTAT_GET: 1 << 18,
  PATH_FILESTAT_SET_SIZE: 1 << 19,
  PATH_FILESTAT_SET_TIMES: 1 << 20,
  FD_FILESTAT_GET: 1 << 21,
  FD_FILESTAT_SET_SIZE: 1 << 22,
  FD_FILESTAT_SET_TIMES: 1 << 23,
  PATH_SYMLINK: 1 << 24,
  PATH_REMOVE_DIRECTORY: 1 << 25,
  PATH_UNLINK_FILE: 1 << 26,
  POLL_FD_READWRITE: 1 << 27,
  SOCK_SHUTDOWN: 1 << 28,
  SOCK_ACCEPT: 1 << 29,
});

const DIRECTORY_MASK =
  Right.PATH_CREATE_DIRECTORY |
  Right.PATH_CREATE_FILE |
  Right.PATH_LINK_SOURCE |
  Right.PATH_LINK_TARGET |
  Right.PATH_OPEN |
  Right.FD_READDIR |
  Right.PATH_READLINK |
  Right.PATH_RENAME_SOURCE |
  Right.PATH_RENAME_TARGET |
  Right.PATH_FILESTAT_GET |
  Right.PATH_FILESTAT_SET_SIZE |
  Right.PATH_FILESTAT_SET_TIMES |
  Right.FD_FILESTAT_GET |
  Right.FD_FILESTAT_SET_TIMES |
  Right.PATH_SYMLINK |
  Right.PATH_REMOVE_DIRECTORY |
  Right.PATH_UNLINK_FILE;

const WRITE_MASK = Right.FD_WRITE | Right.FD_ALLOCATE | Right.FD_FILESTAT_SET_SIZE;

const FILE_MASK =
  WRITE_MASK |
  Right.FD_DATASYNC |
  Right.FD_READ |
  Right.FD_SEEK |
  Right.FD_FDSTAT_SET_FLAGS |
  Right.FD_SYNC |
  Right.FD_TELL |
  Right.FD_ADVISE |
  Right.FD_FILESTAT_GET |
  Right.FD_FILESTAT_SET_TIMES |
  Right.POLL_FD_READWRITE;

const DEVICE_MASK =
  Right.FD_READ |
  Right.FD_WRITE |
  Right.FD_SEEK |
  Right.FD_TELL |
  Right.FD_FDSTAT_SET_FLAGS |
  Right.FD_FILESTAT_GET |
  Right.POLL_FD_READWRITE;

/**
 * Rights that apply to each kind of descriptor. A terminal is told from another character device by
 * its lack of the right to seek, so a device has it.
 */
export const Rights = Object.freeze({
  ALL: 2 ** 30 - 1,
  DIRECTORY: DIRECTORY_MASK,
  FILE: FILE_MASK,
  WRITE: WRITE_MASK,
  DEVICE: DEVICE_MASK,
  STREAM: DEVICE_MASK & ~(Right.FD_SEEK | Right.FD_TELL),
});

export const FdFlag = Object.freeze({ APPEND: 1, DSYNC: 2, NONBLOCK: 4, RSYNC: 8, SYNC: 16, ALL: 31 });
export const OpenFlag = Object.freeze({ CREATE: 1, DIRECTORY: 2, EXCLUSIVE: 4, TRUNCATE: 8, ALL: 15 });
export const LookupFlag = Object.freeze({ SYMLINK_FOLLOW: 1, ALL: 1 });
export const TimeFlag = Object.freeze({ ATIM: 1, ATIM_NOW: 2, MTIM: 4, MTIM_NOW: 8, ALL: 15 });
export const Whence = Object.freeze({ SET: 0, CURRENT: 1, END: 2 });
export const ClockId = Object.freeze({ REALTIME: 0, MONOTONIC: 1, PROCESS_CPUTIME: 2, THREAD_CPUTIME: 3 });
export const EventType = Object.freeze({ CLOCK: 0, FD_READ: 1, FD_WRITE: 2 });

export const Size = Object.freeze({
  DIRENT: 24,
  EVENT: 32,
  FDSTAT: 24,
  FILESTAT: 64,
  IOVEC: 8,
  PRESTAT: 8,
  SUBSCRIPTION: 48,
});
