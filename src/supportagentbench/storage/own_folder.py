"""Own folder: a folder that this program made, and may empty and delete. A mark in it says so.

The mark is the first file in such a folder and the last one out of it, so a kill at any moment leaves a
folder that is empty or marked. Any other folder belongs to the user: it is refused and left alone.
"""

import shutil
from pathlib import Path

from supportagentbench.records.problem import Problem
from supportagentbench.storage.file import write_new


def is_own(folder: Path, mark: str) -> bool:
    """Whether this program made the folder."""
    return not folder.is_symlink() and (folder / mark).is_file()


def is_free(folder: Path) -> bool:
    """Whether nothing is there, or an empty folder."""
    if folder.is_symlink() or not folder.exists():
        return not folder.is_symlink()
    return folder.is_dir() and not any(folder.iterdir())


def refuse_others(folder: Path, mark: str, remedy: str) -> None:
    """Stop at a folder, a file or a link that is not this program's."""
    if not is_own(folder, mark) and not is_free(folder):
        raise Problem(f"was not made by sab and is left as it is; {remedy}.", place=folder)


def make_own(folder: Path, mark: str) -> None:
    """Make an empty folder with a mark; nothing or an empty folder is there before."""
    if not is_own(folder, mark):
        write_new(folder / mark, b"")


def delete_own(folder: Path, mark: str) -> None:
    """Delete a folder of this program's, its mark last; any other is left as it is."""
    if not is_own(folder, mark):
        return
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.name != mark:
            path.unlink()
    (folder / mark).unlink()
    folder.rmdir()
