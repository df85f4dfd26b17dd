// Starting Python: Pyodide with wheels unpacked into it, the same in a worker and under Node.

/** @typedef {import("pyodide").PyodideInterface} Pyodide */

/**
 * @param {object} options
 * @param {typeof import("pyodide").loadPyodide} options.loadPyodide
 * @param {string} options.indexURL where Pyodide's own files are
 * @param {Iterable<Uint8Array>} options.wheels
 * @returns {Promise<Pyodide>}
 */
export async function boot({ loadPyodide, indexURL, wheels }) {
  const python = await loadPyodide({ indexURL });
  for (const wheel of wheels) python.unpackArchive(wheel, "wheel");
  return python;
}
