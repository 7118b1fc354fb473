"""Snapshot: the site of a job's runs as far as they are, made when somebody asks for it."""

import threading
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from supportagentbench.archive import TRANSCRIPTS
from supportagentbench.problem import Problem

FRESH = 15.0
"""Seconds for which a snapshot is new enough, whatever has been put on file since."""


class Snapshot:
    """A folder of pages that is made anew in a process of its own; until it is, the old one is shown."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._home = TemporaryDirectory(prefix="sab-live-")
        self._folder = Path(self._home.name) / "site"
        self._lock = threading.Lock()
        self._made_of = -1
        self._made_at = 0.0

    def file(self, path: str) -> bytes | None:
        """A file of the site; None if there is none of this name."""
        if path.endswith(".html"):
            self._refresh()
        found = (self._folder / path).resolve()
        if not found.is_relative_to(self._folder.resolve()) or not found.is_file():
            return None
        return found.read_bytes()

    def close(self) -> None:
        with self._lock:
            self._home.cleanup()

    def _refresh(self) -> None:
        """Make it anew if there is more on file; only the first reader has to wait for it."""
        is_first = self._made_of < 0
        if not is_first and (self._made_of == self._on_file() or time.monotonic() - self._made_at < FRESH):
            return
        if is_first:
            with self._lock:
                if self._made_of < 0:
                    self._make()
        elif self._lock.acquire(blocking=False):
            threading.Thread(target=self._make_and_release, name="snapshot", daemon=True).start()

    def _make_and_release(self) -> None:
        try:
            self._make()
        except Problem:
            pass  # The old pages stay; the next reader tries again.
        finally:
            self._lock.release()

    def _make(self) -> None:
        found = self._on_file()
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            pool.submit(_build, self.root, self._folder).result()
        self._made_of, self._made_at = found, time.monotonic()

    def _on_file(self) -> int:
        return sum(path.stat().st_size for path in self.root.glob(f"*/{TRANSCRIPTS}"))


def _build(root: Path, out: Path) -> None:
    from supportagentbench.site.build import build

    build([root], out)
