"""Snapshot: the site of a job's runs so far, built on request."""

import threading
import time
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from tempfile import TemporaryDirectory

from supportagentbench.concurrency.worker_pool import worker_pool
from supportagentbench.records.problem import Problem
from supportagentbench.storage.file import LARGEST_BUNDLE, read_bounded
from supportagentbench.storage.place import inside
from supportagentbench.storage.transcripts import TRANSCRIPTS

FRESH = 15.0
"""Seconds for which a snapshot is recent enough, even if more was stored since."""

PATIENCE = 20.0
"""Seconds that a reader waits for the first snapshot."""


class Snapshot:
    """A folder of pages, rebuilt in a separate process; until it is ready, the old one is shown."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._home = TemporaryDirectory(prefix="sab-live-")
        self._folder = Path(self._home.name) / "site"
        self._lock = threading.Lock()
        self._maker: threading.Thread | None = None
        self._made_of = -1
        self._made_at = 0.0
        self._trouble = ""

    def file(self, path: str) -> bytes | None:
        """A file of the site; None if it does not exist."""
        if path.endswith(".html"):
            self._refresh()
        try:
            return read_bounded(inside(self._folder, path), LARGEST_BUNDLE)
        except Problem:  # An address of anybody's.
            return None

    def close(self) -> None:
        if self._maker:
            self._maker.join()
        self._home.cleanup()

    def _refresh(self) -> None:
        """Rebuild it if more has been stored; only the first reader has to wait."""
        is_fresh = self._made_of == self._on_file() or time.monotonic() - self._made_at < FRESH
        if self._made_of >= 0 and is_fresh:
            return
        with self._lock:
            if self._maker is None or not self._maker.is_alive():
                self._maker = threading.Thread(target=self._make, name="snapshot", daemon=True)
                self._maker.start()
        if self._made_of < 0:
            self._maker.join(PATIENCE)
            if self._made_of < 0:
                raise Problem(self._trouble or "the pages are being built; reload this page in a moment.")

    def _make(self) -> None:
        found = self._on_file()
        try:
            with worker_pool(1) as pool:
                pool.submit(_build, self.root, self._folder).result()
            self._made_of, self._made_at = found, time.monotonic()
        except (Problem, OSError, BrokenProcessPool) as error:
            self._trouble = f"the pages cannot be built yet: {error}"

    def _on_file(self) -> int:
        return sum(path.stat().st_size for path in self.root.glob(f"*/{TRANSCRIPTS}"))


def _build(root: Path, out: Path) -> None:
    from supportagentbench.site.build import build

    build([root], out)
