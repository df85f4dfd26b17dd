// What goes wrong between here and a server, in sentences that name its origin and nothing else of the URL.

import { HostError } from "./errors.js";

/** What Node calls the failure; a browser gives none. */
const REASONS = new Map([
  ["ENOTFOUND", "there is no host of that name"],
  ["EAI_AGAIN", "its name could not be looked up now (is there a network?)"],
  ["ECONNREFUSED", "the connection was refused (is the server running?)"],
  ["UND_ERR_CONNECT_TIMEOUT", "there was no connection in time"],
  ["UND_ERR_HEADERS_TIMEOUT", "there was no answer in time"],
  ["ECONNRESET", "it closed the connection without an answer"],
  ["EPIPE", "it closed the connection without an answer"],
  ["UND_ERR_SOCKET", "it closed the connection without an answer"],
]);
const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * @param {string} url
 * @param {unknown} error what `fetch` threw
 */
export function unreachableError(url, error) {
  if (!URL.canParse(url)) return new HostError("Unreachable", "No server has such an address.", error);
  const target = new URL(url);
  const code = codeOf(error);
  const why = code || typeof location === "undefined" ? reasonOf(code) : guess(target);
  return new HostError("Unreachable", `${target.origin} could not be reached: ${why}.`, error);
}

/**
 * @param {string} url
 * @param {unknown} [cause]
 */
export function lostError(url, cause) {
  const { origin } = new URL(url);
  return new HostError("ConnectionLost", `The response of ${origin} broke off before its end.`, cause);
}

/** @param {unknown} error */
function codeOf(error) {
  const cause = error instanceof Error ? error.cause : null;
  return cause instanceof Error && "code" in cause ? String(cause.code) : "";
}

/** @param {string} code */
function reasonOf(code) {
  if (/CERT|SIGNATURE/.test(code)) return `its TLS certificate is not trusted (${code})`;
  if (/SSL|TLS|EPROTO/.test(code)) return "it does not speak TLS as https needs it (is it an http address?)";
  if (code.startsWith("HPE_")) return "its answer cannot be read as HTTP";
  return REASONS.get(code) ?? `no connection could be made (${code || "no reason given"})`;
}

/**
 * A browser does not say why, so that no page learns about servers that it may not ask.
 * @param {URL} target
 */
function guess(target) {
  const isPlain = target.protocol === "http:";
  const isHere = LOOPBACK.test(target.hostname);
  const reasons = ["no server runs there", `it does not allow pages of ${location.origin} to ask it (CORS)`];
  if (isPlain && !isHere) reasons.push("the page's rules allow plain http on this machine alone");
  if (isPlain && location.protocol === "https:") {
    reasons.push("the browser does not let a page that came by https ask by http");
  }
  if (isHere && !LOOPBACK.test(location.hostname)) {
    reasons.push("the browser was not allowed to let this page into your local network");
  }
  return `${reasons.slice(0, -1).join(", ")} or ${reasons.at(-1)}; the browser does not say which`;
}
