// Sockets: no guest is given one, so no descriptor is one.

import { E } from "../errno.js";

/** @typedef {import("../process.js").Process} Process */

const SHUTDOWN_ALL = 3;

/**
 * @param {Process} process
 * @param {number} fd
 * @returns {never}
 */
export function sock_accept(process, fd) {
  throw refusal(process, fd);
}

/**
 * @param {Process} process
 * @param {number} fd
 * @returns {never}
 */
export function sock_recv(process, fd) {
  throw refusal(process, fd);
}

/**
 * @param {Process} process
 * @param {number} fd
 * @returns {never}
 */
export function sock_send(process, fd) {
  throw refusal(process, fd);
}

/**
 * @param {Process} process
 * @param {number} fd
 * @param {number} how
 * @returns {never}
 */
export function sock_shutdown(process, fd, how) {
  if (how & ~SHUTDOWN_ALL) throw E.INVAL;
  throw refusal(process, fd);
}

/**
 * @param {Process} process
 * @param {number} fd
 */
function refusal(process, fd) {
  process.fds.get(fd);
  return E.NOTSOCK;
}
