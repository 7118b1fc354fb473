"""Place: where a name is in a folder. All writers ask here, and every path outside is refused."""

import os
import re
from pathlib import Path, PurePath

from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest
from supportagentbench.storage.file import link_problem, refuse_way_out

LONGEST = 120
"""Characters of a file name made from words; with an ending, every file system takes it."""


_BUCKET = re.compile(r"(s3|gs|az):/+", re.IGNORECASE)


def safe_name(words: str) -> str:
    """The words as far as every file system takes them for a name; long ones end in their digest."""
    return shortened(re.sub(r"[^A-Za-z0-9._-]+", "_", words), words)


def shortened(name: str, words: str, longest: int = LONGEST) -> str:
    """A name made from these words, cut to a length; their digest keeps it unique."""
    return name if len(name) <= longest else f"{name[: longest - 17]}-{digest(words.encode())}"


def inside(folder: Path, name: str) -> Path:
    """The place of this name in a folder; a Problem if it is outside, literally or through a link."""
    place, depth = folder, 0
    for part in PurePath(name).parts:
        place, depth = place / part, depth + (-1 if part == ".." else 1)
        if depth < 0 or part == os.sep or "\0" in part:
            raise Problem(f"leads out of {folder}; nothing was written. Move it away.", place=folder / name)
        if os.path.islink(place):  # noqa: PTH114 - it takes a name that is too long.
            raise link_problem(place)
    return folder / name


def refuse_links(folder: Path) -> None:
    """Refuse a folder with anything in it but files and folders: a link or a pipe leads elsewhere."""
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            raise link_problem(path)
        if not path.is_file() and not path.is_dir():
            raise Problem("is neither a file nor a folder; delete it.", place=path)


def refuse_link(folder: Path) -> None:
    """Refuse a folder that is a link: what is written to it would be elsewhere."""
    if folder.is_symlink():
        raise link_problem(folder, "name the folder that it leads to")


def check_writable(path: Path) -> None:
    """Refuse a place that nothing can be written to, before anything is done for it."""
    above = next(place for place in (path, *path.parents) if place.exists())
    if not above.is_dir() and (above != path or not path.is_file()):
        raise Problem(f"cannot be written: {above} is not a folder. Choose another place.", place=path)


def url_of(path: Path) -> str:
    """The URL of a bucket that was given as a path, which has lost a slash; empty for a path."""
    found = _BUCKET.match(str(path))
    return f"{found[1].lower()}://{str(path)[found.end() :]}" if found else ""


def refuse_bucket(path: Path) -> None:
    """Refuse the URL of a bucket where only a folder can be used. It may hold keys and is not repeated."""
    if url_of(path):
        raise Problem(
            "only `sab run --out` writes to a bucket; bring the runs of one here with "
            "`sab merge s3://bucket/prefix --out runs`, and use that folder."
        )


def check_folder(folder: Path) -> None:
    """Refuse a folder that is a file, or below one, or that a link leads out of the current folder."""
    refuse_bucket(folder)
    refuse_way_out(folder)
    check_writable(folder)
    if folder.exists() and not folder.is_dir():
        raise Problem("is not a folder; choose another one with --out.", place=folder)
