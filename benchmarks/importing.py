"""Importing a folder of many small files, and looking at it again when nothing changed.

The disk is brought to rest before each sample, so that none pays for what the one before it wrote.
"""

import asyncio
import hashlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.child import in_child
from benchmarks.figures import Figure, Goal, Reference
from benchmarks.sampling import Measured, medians
from benchmarks.scratch import Scratch
from py_agent.client import AgentClient
from py_agent.hosts.cpython import LocalFolder, cpython_host
from py_agent.run.project import Project


def measure(scratch: Scratch) -> Iterator[Figure]:
    folder = scratch.folder
    found = medians(
        scratch.sizes.repeats,
        lambda: in_child(import_folder, folder, scratch.new_path()),
        lambda: in_child(copy_folder, folder, scratch.new_path()),
    )
    name = f"import {scratch.sizes.files:,} files of 5 KB"
    copy = "read, hash, write and fsync of each file"
    yield Figure(name, found["import"], "s", Reference(copy, found["bare_import"]), Goal(10))
    yield Figure(f"{name}, CPU", found["cpu"], "s CPU", Reference(copy, found["bare_cpu"]))
    yield Figure(f"{name}, again", found["scan"], "s", Reference("scandir and stat of each entry", found["bare_scan"]))


def import_folder(folder: str, state: str) -> Measured:
    return asyncio.run(_import_folder(Path(folder), Path(state)))


async def _import_folder(folder: Path, state: Path) -> Measured:
    client = AgentClient(cpython_host(state), project=Project(LocalFolder(folder)))
    async with await client.open() as session:
        os.sync()
        started, cpu = time.perf_counter(), time.process_time()
        await session.take_over()
        imported, cpu = time.perf_counter(), time.process_time() - cpu
        await session.take_over()
        scanned = time.perf_counter()
    return {"import": imported - started, "cpu": cpu, "scan": scanned - imported}


def copy_folder(folder: str, target: str) -> Measured:
    Path(target).mkdir()
    os.sync()
    started, cpu = time.perf_counter(), time.process_time()
    for number, entry in enumerate(_files(folder)):
        data = Path(entry).read_bytes()
        hashlib.sha256(data).hexdigest()
        with Path(target, str(number)).open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    copied, cpu = time.perf_counter(), time.process_time() - cpu
    for entry in _files(folder):
        entry.stat(follow_symlinks=False)
    scanned = time.perf_counter()
    return {"bare_import": copied - started, "bare_cpu": cpu, "bare_scan": scanned - copied}


def _files(folder: str) -> Iterator[os.DirEntry[str]]:
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            yield from _files(entry.path)
        else:
            yield entry
