"""Golden logs: scripts of whole runs (`*.json`), and the logs that they give on every host (`*.jsonl`).

`python -m tests.golden` writes the logs anew; what changed in them is then to be read and committed.
"""
