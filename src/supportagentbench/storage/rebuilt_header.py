"""Rebuilt header: what a damaged `run.json` must have contained, if that is certain."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from supportagentbench.records.problem import Problem
from supportagentbench.records.record import from_json
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Transcript
from supportagentbench.storage.archive import HEADER, folder_name, header_bytes, read_header
from supportagentbench.storage.json_file import read_file
from supportagentbench.storage.transcripts import TRANSCRIPTS, ArchiveLine

MOST_FLIPPED = 16
"""How many bytes of a header of the same length may differ."""

_RUN = re.compile(rb'(\n  "run": )\d+')
"""Where a header has the number of its run, the only difference between runs of one command."""


class RebuiltHeader(NamedTuple):
    """A header, as it was written, and how it was found."""

    header: Run
    data: bytes
    note: str


def rebuilt_header(folder: Path, data: bytes) -> RebuiltHeader | None:
    """The header that these bytes were; None if that is uncertain."""
    if found := _without_empty_settings(data):
        return RebuiltHeader(found, header_bytes(found), "settings that were not numbers are left out")
    transcripts = list(_readable(folder))
    numbers = {one.run for one in transcripts} or {*map(int, re.findall(r"-(\d+)$", folder.name))}
    if len(numbers) != 1:
        return None
    for place, written in _neighbours(folder):
        same = _RUN.sub(rb"\g<1>%d" % min(numbers), written, count=1)
        header = from_json(same, Run)
        if folder_name(header) == folder.name and _fits(same, data) and _belong(transcripts, header, place):
            return RebuiltHeader(
                header, same, f"rebuilt from {place.name}/{HEADER}, a run of the same command"
            )
    return None


def _without_empty_settings(data: bytes) -> Run | None:
    """A header that was written with `nan` or `inf` for a setting, which JSON cannot hold."""
    try:
        plain = from_json(data, dict[str, Any])
        plain["sampling"] = {key: value for key, value in plain["sampling"].items() if value is not None}
        return from_json(msgspec.json.encode(plain), Run)
    except (msgspec.MsgspecError, LookupError, AttributeError):
        return None


def _readable(folder: Path) -> Iterator[Transcript]:
    """The conversations of a run that can be read, skipping everything else in its file."""
    path = folder / TRANSCRIPTS
    if not path.is_file():
        return
    with path.open("rb") as lines:
        for line in lines:
            try:
                yield from_json(bytes(from_json(line, ArchiveLine).transcript), Transcript)
            except msgspec.MsgspecError:
                continue


def _neighbours(folder: Path) -> Iterator[tuple[Path, bytes]]:
    """The readable headers next to this folder, as they were written."""
    for path in sorted(folder.resolve().parent.glob(f"*/{HEADER}")):
        if path.parent != folder.resolve():
            try:
                read_header(path.parent)
            except Problem:
                continue
            yield path.parent, read_file(path)


def _fits(whole: bytes, data: bytes) -> bool:
    """Whether the damaged bytes are the beginning of this header, or this header but for a few bytes."""
    if whole.startswith(data.rstrip(b"\0")):
        return True
    return len(whole) == len(data) and sum(a != b for a, b in zip(whole, data, strict=True)) <= MOST_FLIPPED


def _belong(transcripts: list[Transcript], header: Run, place: Path) -> bool:
    """Whether these conversations are on the cases of this header, with the same draw and run."""
    starts = {one.case: one.start for one in _readable(place)}
    return all(
        one.case in header.cases
        and one.seed == header.seed
        and one.run == header.run
        and one.start == starts.get(one.case, one.start)
        for one in transcripts
    )
