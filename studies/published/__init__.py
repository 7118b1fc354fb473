"""Published: the printed figures and claims of a leaderboard, as a file that can be audited.

Figures are kept as printed, because their digits limit what they can be: 93% is not a count out of 24.
"""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from studies.published.claim import AnyClaim, Positive, Whole
from supportagentbench.records.record import Record

SHIPPED = Path(__file__).parent / "northline-2026-07.json"
"""The 24 models of SupportAgentBench by Adelante, getadelante.com/eval, July 2026."""

Key = Annotated[tuple[str, ...], Meta(min_length=1)]
FewRuns = Annotated[int, Meta(ge=1, le=100)]


class Band(Record):
    """A named range of counts; both ends belong to it."""

    name: str
    low: Whole
    high: Whole


class PublishedMetric(Record):
    """What a column counts."""

    name: str
    title: str
    better: Literal["lower", "higher"]
    cases: Positive | None = None
    """Number of cases per run; None for a score that is not a share of cases."""
    bands: tuple[Band, ...] = ()
    """From 0 to all cases without a gap; empty if the board has no bands."""

    def band_of(self, hits: int) -> str:
        """The band of a count; empty if there are no bands."""
        return next((band.name for band in self.bands if band.low <= hits <= band.high), "")


class PublishedOrder(Record):
    """A printed order and its stated rule."""

    name: str
    by: Annotated[tuple[Key, ...], Meta(min_length=1)]
    """Each key sums the named metrics' distances from perfect, smallest first; the next key breaks ties."""
    rows: tuple[str, ...] = ()
    """Names as printed; empty: in the order of the file's rows."""


class Reaches(Record, tag_field="rule", tag="reaches"):
    """The badge belongs to rows whose count is in this band of a metric."""

    metric: str
    band: str


class Frontier(Record, tag_field="rule", tag="frontier"):
    """The badge belongs to rows that are not dominated: default order's metrics and tier."""


class PublishedBadge(Record):
    """A sign next to a row's name, and the rule it might follow."""

    name: str
    means: str
    follows: Reaches | Frontier


class PublishedRow(Record):
    """One agent's printed row, and what other pages print about it."""

    name: str
    figures: dict[str, str]
    """By metric."""
    tier: Positive | None = None
    runs: FewRuns | None = None
    """How many runs the pages say it had; None if they do not say."""
    badges: tuple[str, ...] = ()
    each: dict[str, tuple[str, ...]] = {}
    """By metric: the figure of each run, where printed."""
    pooled: dict[str, str] = {}
    """By metric: the figure over all runs together, where printed."""
    again: dict[str, str] = {}
    """By metric: the same figure as printed on another page."""
    fired: dict[str, tuple[Positive, ...]] = {}
    """By metric: for each case with a hit, the number of runs with one, where printed."""
    score: str = ""
    """A composite score, where printed."""


class Published(Record, tag_field="record", tag="published/1"):
    """A leaderboard as printed."""

    source: str
    """Author, place and date of the board."""
    runs: FewRuns
    """The number of runs behind each printed median, unless the row says otherwise."""
    metrics: Annotated[tuple[PublishedMetric, ...], Meta(min_length=1)]
    orders: Annotated[tuple[PublishedOrder, ...], Meta(min_length=1)]
    """The default order first."""
    rows: Annotated[tuple[PublishedRow, ...], Meta(min_length=2, max_length=200)]
    badges: tuple[PublishedBadge, ...] = ()
    trivial: tuple[PublishedRow, ...] = ()
    """The figures of trivial agents."""
    claims: tuple[AnyClaim, ...] = ()

    def metric(self, name: str) -> PublishedMetric:
        """The metric of this name."""
        return next(metric for metric in self.metrics if metric.name == name)

    def row(self, name: str) -> PublishedRow:
        """The row of this name."""
        return next(row for row in self.rows if row.name == name)

    def runs_of(self, row: PublishedRow) -> int:
        """The number of runs behind a row's figures."""
        return row.runs or self.runs
