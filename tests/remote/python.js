// Python with the tests in it, the same in Chromium's worker and in Node.
import { boot } from "../../web/boot.js";

/**
 * @param {Parameters<typeof boot>[0]} options
 * @param {Uint8Array} payload
 * @returns {Promise<(wanted: string, place: object) => Promise<string>>}
 */
export async function startTests(options, payload) {
  const python = await boot(options);
  python.unpackArchive(payload, "zip");
  return python.pyimport("tests.remote.inside").run;
}
