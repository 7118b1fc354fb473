"""Claim: a statement that a board's pages make, in a form that can be tested against their figures.

`says` is the statement in our words, `where` the page it stands on. Each kind names what its test needs.
"""

from typing import Annotated, Literal

from msgspec import Meta

from supportagentbench.records.record import Record

Whole = Annotated[int, Meta(ge=0, le=100_000)]
Positive = Annotated[int, Meta(ge=1, le=100_000)]
Share = Annotated[float, Meta(ge=0, le=1)]


class PublishedClaim(Record, tag_field="kind"):
    """What every kind has."""

    says: str
    where: str


class Best(PublishedClaim, tag="best"):
    """A row has the best figure of all, or the worst."""

    row: str
    metrics: tuple[str, ...]
    end: Literal["best", "worst"] = "best"


class Better(PublishedClaim, tag="better"):
    """A row is better than another on each of these metrics."""

    row: str
    than: str
    metrics: tuple[str, ...]


class Dominates(PublishedClaim, tag="dominates"):
    """A row is nowhere worse than another in the default order's metrics, and not in a higher tier."""

    row: str
    over: str


class Equal(PublishedClaim, tag="equal"):
    """A row matches another on these metrics."""

    row: str
    to: str
    metrics: tuple[str, ...]


class Splits(PublishedClaim, tag="splits"):
    """A metric parts the field."""

    metric: str


class Above(PublishedClaim, tag="above"):
    """A row's figure is above a bound."""

    row: str
    metric: str
    bound: str


class Range(PublishedClaim, tag="range"):
    """A metric's figures run from here to there."""

    metric: str
    low: str
    high: str


class BandCounts(PublishedClaim, tag="band_counts"):
    """So many rows stand in each of a metric's bands."""

    metric: str
    counts: dict[str, Whole]


class Noise(PublishedClaim, tag="noise"):
    """Counts that differ by no more than this are not to be told apart."""

    metric: str
    gap: Positive


class AcrossBands(PublishedClaim, tag="across_bands"):
    """Differences across a metric's bands mean something; `gap` is what the pages call noise."""

    metric: str
    gap: Positive


class HowMany(PublishedClaim, tag="how_many"):
    """So many rows have some quality, that the pages surely or perhaps report of these."""

    count: Whole
    surely: tuple[str, ...]
    perhaps: tuple[str, ...] = ()


class Parts(PublishedClaim, tag="parts"):
    """Counts of a metric's parts make up a printed figure."""

    row: str
    metric: str
    parts: tuple[Whole, ...]
    printed: str


class Correlation(PublishedClaim, tag="correlation"):
    """A printed correlation over so many rows."""

    r: Annotated[float, Meta(gt=-1, lt=1)]
    rows: Annotated[int, Meta(ge=4, le=100_000)]


class Unrelated(PublishedClaim, tag="unrelated"):
    """The tier has nothing to do with a metric."""

    metric: str


class Unstable(PublishedClaim, tag="unstable"):
    """A row's count moves more from run to run than chance would move it; the row has `each` and `fired`."""

    row: str
    metric: str


class ScoreGap(PublishedClaim, tag="score_gap"):
    """A gap of so many points in a mean over so many cases is real."""

    gap: Annotated[float, Meta(gt=0, le=100)]
    cases: Positive


class NoneSeen(PublishedClaim, tag="none_seen"):
    """Something never happened in so many trials."""

    trials: Positive


class Runs(PublishedClaim, tag="runs"):
    """Every row had so many runs; `total` is how many the pages count in all."""

    runs: Positive
    total: Positive


class NoScore(PublishedClaim, tag="no_score"):
    """There is no composite score."""


class AddsUp(PublishedClaim, tag="adds_up"):
    """The rates of single cases over all runs, and the rows' figures, count the same thing."""

    metric: str
    runs: Positive
    rates: tuple[str, ...]
    always: Whole = 0
    """Further cases that are said to hit nearly always, without a rate."""


class Portion(PublishedClaim, tag="portion"):
    """One kind of case makes up so much of what a metric misses; `rate` is the metric's mean on that kind."""

    metric: str
    portion: Share
    cases: Positive
    rate: Share


AnyClaim = (
    Best
    | Better
    | Dominates
    | Equal
    | Splits
    | Above
    | Range
    | BandCounts
    | Noise
    | AcrossBands
    | HowMany
    | Parts
    | Correlation
    | Unrelated
    | Unstable
    | ScoreGap
    | NoneSeen
    | Runs
    | NoScore
    | AddsUp
    | Portion
)
