// Makes dist/: the page and its worker bundled, Pyodide's own files and the wheels beside them.
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import * as esbuild from "esbuild";

const PYODIDE_FILES = [
  "pyodide.mjs",
  "pyodide.asm.mjs",
  "pyodide.asm.wasm",
  "python_stdlib.zip",
  "pyodide-lock.json",
];
const web = import.meta.dirname;

const { values } = parseArgs({ options: { wheels: { type: "string" }, out: { type: "string" } } });
if (!values.wheels || !values.out) throw new Error("usage: node web/build.mjs --wheels DIR --out DIR");
await build(path.resolve(values.wheels), path.resolve(values.out));

/** @param {string} wheels @param {string} out */
async function build(wheels, out) {
  copyPyodide(path.join(out, "pyodide"));
  copyWheels(wheels, path.join(out, "wheels"));
  for (const name of ["index.html", "page/page.css"]) {
    fs.mkdirSync(path.dirname(path.join(out, name)), { recursive: true });
    fs.copyFileSync(path.join(web, name), path.join(out, name));
  }
  await esbuild.build({
    entryPoints: [path.join(web, "worker/agent.js"), path.join(web, "page/page.js")],
    outdir: out,
    outbase: web,
    bundle: true,
    format: "esm",
    target: "es2023",
    minify: true,
    logLevel: "warning",
  });
}

/** @param {string} target */
function copyPyodide(target) {
  const source = path.join(web, "../node_modules/pyodide");
  fs.mkdirSync(target, { recursive: true });
  for (const name of PYODIDE_FILES) fs.copyFileSync(path.join(source, name), path.join(target, name));
}

/** @param {string} source @param {string} target */
function copyWheels(source, target) {
  const names = fs.readdirSync(source).filter((name) => name.endsWith(".whl"));
  fs.mkdirSync(target, { recursive: true });
  if (path.resolve(source) !== path.resolve(target)) {
    for (const name of names) fs.copyFileSync(path.join(source, name), path.join(target, name));
  }
  fs.writeFileSync(path.join(target, "manifest.json"), JSON.stringify(names.sort()));
}
