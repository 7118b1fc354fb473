"""Recorded: folders that all test processes share. The first that needs one makes it, and the others wait."""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

SHARED = "SAB_TESTS_SHARED"
"""The variable that names the folder of one test run; `conftest.py` makes it, worker processes inherit it."""


def made_once(name: str, make: Callable[[Path], object]) -> Path:
    """The shared folder of this name; `make` fills it in whichever process asks first."""
    shared = Path(os.environ[SHARED])
    folder, done = shared / name, shared / f"{name}.done"
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            make(folder)
            done.touch()
    return folder
