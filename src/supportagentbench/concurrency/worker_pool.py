"""Worker pool: processes that work side by side and import nothing from the current folder."""

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context

from supportagentbench.concurrency.processors import memory_limit, processors

SAFE_PATH = "PYTHONSAFEPATH"

WORKER = 128 * 2**20
"""Bytes of memory of one process; reading three runs of an agent for pages took 82 MB."""

SMALL = 2_000_000
"""Bytes of records that are read sooner than processes are started."""


def workers_for(jobs: int, size: int) -> int:
    """How many processes to start for so many jobs on so many bytes of records; 0: do it in this one."""
    memory = memory_limit()
    room = jobs if memory is None else memory // WORKER - 1  # This process needs memory, too.
    workers = min(jobs, processors(), room)
    return workers if workers > 1 and size > SMALL else 0


@contextmanager
def worker_pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """A pool of new processes.

    Python starts them with the current folder first on its path. That folder may be a stranger's, and a
    `socket.py` in it would run in place of the library's.
    """
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            yield pool
    finally:
        if before is None:
            del os.environ[SAFE_PATH]
        else:
            os.environ[SAFE_PATH] = before
