"""Claim: a statement on a board's pages, in a form that can be tested on their figures.

`says` is the statement in our words, `where` the page it is on. Each kind has the fields its test needs.
"""

from typing import Annotated, Literal

from msgspec import Meta

from supportagentbench.records.record import Record

Whole = Annotated[int, Meta(ge=0, le=100_000)]
Positive = Annotated[int, Meta(ge=1, le=100_000)]
Share = Annotated[float, Meta(ge=0, le=1)]


class PublishedClaim(Record, tag_field="kind"):
    """Fields of every kind."""

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
    """A metric separates the rows."""

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
    """How many rows are in each of a metric's bands."""

    metric: str
    counts: dict[str, Whole]


class Noise(PublishedClaim, tag="noise"):
    """Counts that differ by no more than this do not differ significantly."""

    metric: str
    gap: Positive


class AcrossBands(PublishedClaim, tag="across_bands"):
    """Differences across a metric's bands are meaningful; `gap` is what the pages call noise."""

    metric: str
    gap: Positive


class HowMany(PublishedClaim, tag="how_many"):
    """How many rows have some property, which the pages clearly or possibly report for these."""

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
    """A printed correlation over a number of rows."""

    r: Annotated[float, Meta(gt=-1, lt=1)]
    rows: Annotated[int, Meta(ge=4, le=100_000)]


class Unrelated(PublishedClaim, tag="unrelated"):
    """The tier does not correlate with a metric."""

    metric: str


class Unstable(PublishedClaim, tag="unstable"):
    """A row's count varies more from run to run than by chance; the row has `each` and `fired`."""

    row: str
    metric: str


class ScoreGap(PublishedClaim, tag="score_gap"):
    """A gap of this many points in a mean over this many cases is real."""

    gap: Annotated[float, Meta(gt=0, le=100)]
    cases: Positive


class NoneSeen(PublishedClaim, tag="none_seen"):
    """Something never happened in a number of trials."""

    trials: Positive


class Runs(PublishedClaim, tag="runs"):
    """Every row had this many runs; `total` is how many the pages count in all."""

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
    """One kind of case causes this share of a metric's misses; `rate` is the metric's mean on that kind."""

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
