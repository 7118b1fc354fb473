"""Draft folder: pages being built, which replace the finished ones in one step.

    site.draft   pages being built or deleted; safe to delete at any time
    site.old     the complete previous pages, for the moment between two renames

A build that is killed leaves the old pages in their place or in `site.old`; the next build puts them back.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from supportagentbench.records.problem import Problem
from supportagentbench.storage.file import NoSuchFile, open_reading, refuse_way_out
from supportagentbench.storage.own_folder import delete_own, is_free, is_own, make_own, refuse_others

MARK = ".supportagentbench-site"
"""In every folder of pages: a folder with this file may be overwritten."""

REMEDY = "move it away, or choose another folder with --out"


@contextmanager
def draft_of(out: Path) -> Iterator[Path]:
    """An empty folder that replaces `out` at the end; a build that fails leaves the old pages."""
    refuse_way_out(out)
    site = out.resolve()
    if site.exists() and not site.is_dir():
        raise Problem("is not a folder; choose another one with --out.", place=out)
    if Path.cwd().is_relative_to(site):
        raise Problem("contains the current folder and is replaced whole; change folder first.", place=out)
    if not is_own(site, MARK) and not is_free(site):
        raise Problem("is not empty and is not a site; choose another folder with --out.", place=out)
    draft, old = (site.with_name(f"{site.name}.{end}") for end in ("draft", "old"))
    for folder in (draft, old):
        refuse_others(folder, MARK, REMEDY)
    try:
        with _alone(draft):
            _put_right(site, draft, old)
        make_own(draft, MARK)
        with _alone(draft):
            try:
                yield draft
                if is_own(site, MARK):
                    site.rename(old)
                draft.rename(site)
            finally:
                _put_right(site, draft, old)
    except OSError as error:
        words = f"cannot be written ({error.strerror}); free some space or choose another folder."
        raise Problem(words, place=out) from None


def _put_right(site: Path, draft: Path, old: Path) -> None:
    """Delete leftovers; the old pages are leftovers unless no new ones have replaced them."""
    delete_own(draft, MARK)
    if is_own(old, MARK):
        old.rename(draft if is_own(site, MARK) else site)
        delete_own(draft, MARK)


@contextmanager
def _alone(draft: Path) -> Iterator[None]:
    """Refuse a draft that another process is working on."""
    mark: IO[bytes] | None = None
    with suppress(NoSuchFile):
        mark = open_reading(draft / MARK)
    if mark is None:
        yield
        return
    with mark:
        try:
            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Problem("is being written by another process; wait for it.", place=draft) from None
        yield
