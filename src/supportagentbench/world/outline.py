"""Outline: what the rest of a world has to know of a family, so that its file is read only for a case of it.

Every case has a seat among all others, and every run's header names all case types: that alone should not
require reading and checking all families. A world's folder may have their outlines in a file, each with the
digest of the file that it was made from; an outline with another digest is ignored. `make schemas` writes
those of the shipped worlds; a world without any is read as a whole.
"""

from pathlib import Path

import msgspec

from supportagentbench.records.case import Manner
from supportagentbench.records.record import Record, to_json
from supportagentbench.storage.file import read_bounded, write_whole
from supportagentbench.storage.record_file import record_in

OUTLINES = "outlines.json"
MOST_BYTES = 1_000_000


class CaseOutline(Record):
    """What the rest of a world needs to know of a case."""

    language: str = "en"
    manner: Manner = "plain"
    has_twin: bool = False


class FamilyOutline(Record):
    """What the rest of a world needs to know of a family."""

    cases: tuple[CaseOutline, ...]
    set: str = ""
    title: str = ""
    tempts: str = ""
    at_stake: str = ""
    edition: int = 1
    """Cases of later editions leave the numbers, people and words of all earlier ones as they were."""
    digest: str = ""
    """Of the family's file."""


Outlines = dict[str, FamilyOutline]
"""By the family's name."""

REMEDY = "delete it, and all families are read"


def read_outlines(folder: Path) -> Outlines:
    """The outlines in a world's folder; none, if it has no such file."""
    path = folder / OUTLINES
    return (
        record_in(read_bounded(path, MOST_BYTES, follow=True), Outlines, path, REMEDY)
        if path.exists()
        else {}
    )


def write_outlines(folder: Path, outlines: Outlines) -> None:
    """All outlines of a world, to its own folder."""
    write_whole(folder / OUTLINES, msgspec.json.format(to_json(outlines), indent=1) + b"\n")
