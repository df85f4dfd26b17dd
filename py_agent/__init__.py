"""py_agent: an agent runtime that runs in a browser tab, in Node and in CPython."""

__version__ = "0.1.0"
