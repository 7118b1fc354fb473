"""Deep report: the facts that the pages print about single models, besides the board.

They are kept in a file next to the board's, in our words; figures are as printed.
"""

from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from studies.published import Published
from studies.published.claim import Positive, Share
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record, from_json
from supportagentbench.storage.file import LARGEST_RECORD, read_bounded

Span = tuple[Share, Share]
"""The smallest and the largest share of several case types."""


class TrapRate(Record):
    """How often a trap worked over all runs of all models."""

    trap: str
    rate: str
    """Empty: the pages say only that it nearly always works."""


class CaughtTrap(Record):
    """A trap that worked on a model."""

    trap: str
    """Empty: the report does not name it."""
    runs: Positive


class PrintedUseCase(Record):
    """What a report prints about a group of case types."""

    title: str
    policy: Span | None = None
    solved: Span | None = None
    handed: Span | None = None
    """Handed over although solvable."""
    passed: Span | None = None
    """Of cases that need a person: passed on to one."""


class DeepReport(Record):
    """A report on one model."""

    name: str
    policy: str
    messages: str
    """The agent's messages in a conversation, on average."""
    use_cases: tuple[PrintedUseCase, ...]
    caught: tuple[CaughtTrap, ...]
    held: tuple[str, ...]
    """Traps that worked in no run, where named."""
    good: tuple[str, ...]
    """What its author read in conversations that are not published."""
    bad: tuple[str, ...]
    policy_runs: tuple[str, ...] = ()
    spread: str = ""
    """How far its composite score moved between runs."""
    single_run: bool = False
    """Whether the figures by use case are those of one run."""


class DeepReports(Record, tag_field="record", tag="published-reports/1"):
    """All reports on models of one board."""

    reports: tuple[DeepReport, ...] = ()
    rates: tuple[TrapRate, ...] = ()
    runs: Annotated[int, Meta(ge=0, le=100_000)] = 0
    """How many runs of each trap the rates count."""


def read_reports(board: Path, published: Published) -> DeepReports:
    """The reports in the file next to a board's, `NAME-reports.json`; none if there is no such file."""
    path = board.with_name(f"{board.stem}-reports.json")
    if not path.is_file():
        return DeepReports()
    try:
        found = from_json(read_bounded(path, LARGEST_RECORD, follow=True), DeepReports)
    except msgspec.MsgspecError as error:
        raise Problem(f"is not a file of reports: {error}.", place=path) from None
    known = {row.name for row in published.rows}
    for report in found.reports:
        if report.name not in known:
            raise Problem(f"reports on {report.name!r}, which is not on the board.", place=path)
    return found
