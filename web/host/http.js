// Http by fetch, the same in browsers and in Node.

import { copyOf } from "./bytes.js";
import { lostError, unreachableError } from "./http_faults.js";

/** With so much in hand nothing more is taken from the network until Python has read it. */
const ENOUGH_BYTES = 65536;

export class Http {
  /** @type {Set<Exchange>} */
  #open = new Set();

  /**
   * @param {string} url
   * @param {string} method
   * @param {string} headers as JSON
   * @param {import("./bytes.js").Bytes} body
   */
  begin(url, method, headers, body) {
    const bytes = copyOf(body);
    const options = { method, headers: JSON.parse(headers), body: bytes.length ? bytes : null };
    const exchange = new Exchange(url, options, () => this.#open.delete(exchange));
    this.#open.add(exchange);
    return exchange;
  }

  close() {
    for (const exchange of this.#open) exchange.abort();
  }
}

/** A request and its response. What arrives is gathered here, because Python pays much for each time it waits. */
class Exchange {
  #url;
  #onLeave;
  #abortion = new AbortController();
  /** @type {Uint8Array[]} */
  #arrived = [];
  #size = 0;
  #isEnded = false;
  /** @type {Error | null} */
  #fault = null;
  #tellReader = () => {};
  #tellSource = () => {};
  #head;

  /**
   * @param {string} url
   * @param {RequestInit} options
   * @param {() => void} onLeave
   */
  constructor(url, options, onLeave) {
    this.#url = url;
    this.#onLeave = onLeave;
    this.#head = this.#send(options);
    this.#head.catch(() => {}); // Python may have been cancelled before it asked for the head
  }

  /** @returns {Promise<string>} status and headers as JSON */
  head() {
    return this.#head;
  }

  /** @returns {Promise<Uint8Array | undefined>} all that has arrived, or nothing at the body's end */
  async read() {
    if (!this.#size && !this.#isEnded) {
      await new Promise((/** @type {(value?: undefined) => void} */ resolve) => {
        this.#tellReader = resolve;
      });
    }
    if (this.#size) return this.#take();
    if (this.#fault) throw this.#fault;
    return undefined;
  }

  /** End the connection, unless the body has been received to its end. */
  abort() {
    this.#onLeave();
    this.#end(lostError(this.#url));
    this.#abortion.abort();
  }

  /** @param {RequestInit} options */
  async #send(options) {
    let response;
    try {
      response = await fetch(this.#url, {
        ...options,
        cache: "no-store",
        credentials: "omit",
        redirect: "manual",
        referrerPolicy: "no-referrer",
        signal: this.#abortion.signal,
      });
    } catch (error) {
      throw unreachableError(this.#url, error);
    }
    if (response.body) this.#receive(response.body.getReader());
    else this.#end();
    // Which redirect it was and where it leads to is hidden by a browser.
    const status = response.type === "opaqueredirect" ? 302 : response.status;
    return JSON.stringify({ status, headers: Object.fromEntries(response.headers) });
  }

  /** @param {ReadableStreamDefaultReader<Uint8Array>} reader */
  async #receive(reader) {
    try {
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        this.#arrived.push(read.value);
        this.#size += read.value.length;
        this.#tellReader();
        if (this.#size >= ENOUGH_BYTES) {
          await new Promise((/** @type {(value?: undefined) => void} */ resolve) => {
            this.#tellSource = resolve;
          });
        }
      }
      this.#end();
    } catch (error) {
      this.#end(lostError(this.#url, error));
    }
  }

  /** @param {Error | null} [fault] */
  #end(fault = null) {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#fault = fault;
    this.#tellReader();
    this.#tellSource();
  }

  #take() {
    const [first = new Uint8Array()] = this.#arrived;
    const taken = this.#arrived.length === 1 ? first : joined(this.#arrived, this.#size);
    this.#arrived = [];
    this.#size = 0;
    this.#tellSource();
    return taken;
  }
}

/**
 * @param {Uint8Array[]} parts
 * @param {number} size
 */
function joined(parts, size) {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
