"""Contracts: one suite that runs on memory, CPython, Pyodide in Node and Pyodide in Chromium."""
