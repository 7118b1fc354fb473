"""Own files: what this package consists of on disk, and whether it was changed while agents ran."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from supportagentbench.concurrency.import_guard import PACKAGE, ImportGuard, guard_imports

COMPILED = "__pycache__"


class FileState(NamedTuple):
    """What cannot stay the same when a file is changed or replaced."""

    inode: int
    size: int
    changed: int
    """Nanoseconds; nobody can set it back."""


class OwnFiles:
    """The files below a folder as they were."""

    def __init__(self, folder: Path, guard: ImportGuard) -> None:
        self._folder, self._guard = folder, guard
        self._before = self._states()

    def changed(self) -> Path | None:
        """A file that is not as it was; compiled code that is new is deleted, and made again when needed."""
        for path in list(self._folder.rglob(f"{COMPILED}/*")):
            with suppress(FileNotFoundError):  # Another command may be doing the same.
                if self._guard.is_new(path):
                    path.unlink()
        return min((path for path, _ in self._before.items() ^ self._states().items()), default=None)

    def _states(self) -> dict[Path, FileState]:
        return {path: FileState(one.st_ino, one.st_size, one.st_ctime_ns) for path, one in self._found()}

    def _found(self) -> Iterator[tuple[Path, os.stat_result]]:
        for folder, inside, files in os.walk(self._folder):
            inside[:] = [name for name in inside if name != COMPILED]
            for name in files:
                with suppress(FileNotFoundError):
                    yield Path(folder, name), os.lstat(Path(folder, name))


_watched: list[OwnFiles] = []


def watch_own_files() -> None:
    """From now on, know what was changed; called before the first process that could do it."""
    if not _watched:
        _watched.append(OwnFiles(PACKAGE, guard_imports()))


def changed_own_file() -> Path | None:
    """A file of this package that was changed since an agent could."""
    return next((found for one in _watched if (found := one.changed())), None)
