"""Frozen data without I/O: events, messages, paths, trees, changes, usage and limits."""
