"""Benchmarks: figures of speed and memory, each beside its goal and what it can be compared with."""
