"""Import guard: while agents' processes run, nothing is imported from files that changed since they began.

An isolated agent may write wherever the user can, so also to installed modules. Those that are loaded stay as
they are; the others would bring the agent's code into this process. Modules in folders that were not on the
path when the guard began are not its business: no agent can add one.
"""

import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from io import open_code
from pathlib import Path
from types import ModuleType

PACKAGE = Path(__file__).parents[1]

TICK = 0.02
"""Seconds by which the clock of a file system may be late."""


class ImportGuard(MetaPathFinder):
    """A finder that asks the others, and refuses what they found in a file that is new."""

    def __init__(self, places: Iterable[str]) -> None:
        self._roots = {Path(place).absolute() for place in places if place}
        self._folders = {folder: inode for root in self._roots for folder, inode in _folders(root)}
        self._since = time.time_ns()
        time.sleep(TICK)  # From now on, every change gets a later time.

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            if not isinstance(finder, ImportGuard) and find and (spec := find(fullname, path, target)):
                return self._guarded(spec)
        return None

    def _guarded(self, spec: ModuleSpec) -> ModuleSpec:
        if spec.has_location and spec.origin:
            if self.is_new(Path(spec.origin)):
                raise refusal(spec.name, spec.origin)
            if type(spec.loader) is SourceFileLoader:
                spec.loader = GuardedLoader(spec.name, spec.origin, self)
        return spec

    def is_new(self, path: Path, found: os.stat_result | None = None) -> bool:
        """Whether this file, or a folder on the way to it, was put there or changed since."""
        path = path.absolute()
        while not path.exists() and path != path.parent:
            path, found = path.parent, None  # A module in an archive.
        way = self._way(path)
        if not way:
            return False
        times = (path.lstat().st_ctime_ns, (found or path.stat()).st_ctime_ns)
        return max(times) > self._since or any(map(self._is_other, way))

    def _way(self, path: Path) -> list[Path]:
        """The folders from the path's root to a file; none if it is in no root."""
        above = [path, *path.parents]
        at = next((at for at, folder in enumerate(above) if folder in self._roots), None)
        return [] if at is None else [folder for folder in above[: at + 1] if folder != path or at == 0]

    def _is_other(self, folder: Path) -> bool:
        """Whether it is not the folder that was there: what was moved as a whole keeps its times inside."""
        if folder.is_symlink():
            return folder.lstat().st_ctime_ns > self._since
        return self._folders.get(str(folder)) != folder.stat().st_ino


class GuardedLoader(SourceFileLoader):
    """Loads a module from its source, or from compiled code that is not new; it keeps none."""

    def __init__(self, fullname: str, path: str, guard: ImportGuard) -> None:
        super().__init__(fullname, path)
        self._guard = guard

    def get_data(self, path: str) -> bytes:
        """The content of a file. It is looked at after reading, so that no change comes in between."""
        with open_code(path) as file:
            data = file.read()
            if not self._guard.is_new(Path(path), os.fstat(file.fileno())):
                return bytes(data)
        if path == self.path:
            raise refusal(self.name, path)
        raise OSError(f"{path} is new")  # Compiled code: the source is read in its place.

    def set_data(self, path: str, data: object, *, _mode: int = 0o666) -> None:
        """Keep no compiled code: an agent could change it before anyone looks."""


def refusal(name: str, place: str) -> ImportError:
    """Why a module is not imported."""
    words = f"{place} was changed while agents ran, so {name} is not imported; install it again"
    return ImportError(words, name=name, path=place)


def _folders(root: Path) -> Iterator[tuple[str, int]]:
    """A place on the path and all folders inside from which modules are imported, with their numbers."""
    waiting = [str(root)]
    while waiting:
        place = waiting.pop()
        with suppress(OSError):  # It is not there, it is an archive, or nobody can import from it.
            yield place, Path(place).stat().st_ino
            with os.scandir(place) as found:
                inside = [one for one in found if one.is_dir(follow_symlinks=False)]
            waiting += [one.path for one in inside if one.name.isidentifier()]


_guards: list[ImportGuard] = []


def guard_imports() -> ImportGuard:
    """The guard of this process, from the first call until the process ends."""
    if not _guards:
        _guards.append(ImportGuard([*sys.path, str(PACKAGE)]))
        sys.meta_path.insert(0, _guards[0])
    return _guards[0]
