// Every function of wasi_snapshot_preview1, and which of them may have to wait.

import * as args from "./args.js";
import * as clock from "./clock.js";
import * as fd from "./fd.js";
import * as io from "./fd_io.js";
import { fd_readdir } from "./fd_readdir.js";
import * as stat from "./fd_stat.js";
import * as path from "./path.js";
import { path_open } from "./path_open.js";
import { poll_oneoff } from "./poll.js";
import * as proc from "./proc.js";
import * as sock from "./sock.js";

/**
 * A function that a guest can import. It answers at once or, if it blocks, perhaps later; what it throws
 * is an Errno, which the guest gets as a number, or an Exit, which ends it.
 * @typedef {object} HostFunction
 * @property {(process: any, ...args: any[]) => number | void | Promise<number>} call
 * @property {boolean} blocks
 */

export const MODULE = "wasi_snapshot_preview1";

const BLOCKING = {
  fd_pread: io.fd_pread,
  fd_pwrite: io.fd_pwrite,
  fd_read: io.fd_read,
  fd_readdir,
  fd_write: io.fd_write,
  path_open,
  poll_oneoff,
  sched_yield: proc.sched_yield,
};

const IMMEDIATE = {
  args_get: args.args_get,
  args_sizes_get: args.args_sizes_get,
  clock_res_get: clock.clock_res_get,
  clock_time_get: clock.clock_time_get,
  environ_get: args.environ_get,
  environ_sizes_get: args.environ_sizes_get,
  fd_advise: stat.fd_advise,
  fd_allocate: stat.fd_allocate,
  fd_close: fd.fd_close,
  fd_datasync: stat.fd_datasync,
  fd_fdstat_get: fd.fd_fdstat_get,
  fd_fdstat_set_flags: fd.fd_fdstat_set_flags,
  fd_fdstat_set_rights: fd.fd_fdstat_set_rights,
  fd_filestat_get: stat.fd_filestat_get,
  fd_filestat_set_size: stat.fd_filestat_set_size,
  fd_filestat_set_times: stat.fd_filestat_set_times,
  fd_prestat_dir_name: fd.fd_prestat_dir_name,
  fd_prestat_get: fd.fd_prestat_get,
  fd_renumber: fd.fd_renumber,
  fd_seek: io.fd_seek,
  fd_sync: stat.fd_sync,
  fd_tell: io.fd_tell,
  path_create_directory: path.path_create_directory,
  path_filestat_get: path.path_filestat_get,
  path_filestat_set_times: path.path_filestat_set_times,
  path_link: path.path_link,
  path_readlink: path.path_readlink,
  path_remove_directory: path.path_remove_directory,
  path_rename: path.path_rename,
  path_symlink: path.path_symlink,
  path_unlink_file: path.path_unlink_file,
  proc_exit: proc.proc_exit,
  proc_raise: proc.proc_raise,
  random_get: proc.random_get,
  sock_accept: sock.sock_accept,
  sock_recv: sock.sock_recv,
  sock_send: sock.sock_send,
  sock_shutdown: sock.sock_shutdown,
};

/**
 * What only walks directories and opens files blocks too, so that others get a turn in between.
 * @type {Readonly<Record<string, HostFunction>>}
 */
export const PREVIEW1 = Object.freeze({
  ...marked(BLOCKING, { blocks: true }),
  ...marked(IMMEDIATE, { blocks: false }),
});

/**
 * @param {Record<string, HostFunction["call"]>} calls
 * @param {{ blocks: boolean }} mark
 * @returns {Record<string, HostFunction>}
 */
function marked(calls, { blocks }) {
  return Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, { call, blocks }]));
}
