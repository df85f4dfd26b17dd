"""Writes every golden log anew, for a maintainer who changed what they say on purpose."""

import asyncio

from py_agent.hosts.memory import MemoryFolder, memory_host
from tests.golden.player import play
from tests.golden.script import log_file, names, read_script

for name in names():
    log_file(name).write_bytes(asyncio.run(play(read_script(name), memory_host(), MemoryFolder())))
