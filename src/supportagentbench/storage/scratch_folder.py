"""Scratch folder: a temporary place for files."""

import shutil
import weakref
from pathlib import Path
from tempfile import mkdtemp


class ScratchFolder:
    """A folder that is deleted together with the last object that knows it."""

    def __init__(self) -> None:
        self.path = Path(mkdtemp(prefix="sab-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)
