"""Compare: any two entries beside each other. What may be said of every pair is worked out beforehand."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from supportagentbench.board.agent_comparison import MetricDifference, differences_between, tables_of
from supportagentbench.board.claims import LEVEL, MetricTable
from supportagentbench.board.metrics import METRICS, Metric
from supportagentbench.board.standings import COMPARED
from supportagentbench.records.board import AgentResults, Board
from supportagentbench.records.record import Record, to_json
from supportagentbench.results.load import ScoredRun
from supportagentbench.site import number
from supportagentbench.site.bundle import as_script
from supportagentbench.site.data import SiteData
from supportagentbench.site.links import behind
from supportagentbench.site.page import SitePage, where

SHOWN = (*COMPARED, "unconfirmed", "messages", "words", "cost")
"""What the board compares entries on, and what else a desk owner asks about."""

CALL = "SAB.pairs("

WIDEST = 8
"""Of a metric that is no share nearly every case differs: so many are listed, the widest apart."""


class ShownValue(Record):
    """One metric of one entry, in words."""

    text: str
    count: str
    like: str
    """Cases like these."""
    link: str
    runs: tuple[str, ...]
    flips: str = ""
    """How often two runs of a case differ."""


class ShownGap(Record, array_like=True):
    """One metric of two entries, in words; a difference and its ends carry their signs.

    Written as a list without names: there is one for every pair and metric.
    """

    text: str
    low: str
    high: str
    p: str
    cases: int
    differ: int
    which: tuple[int, ...]
    """Places of the cases that differ among all cases, the widest apart first."""
    told: bool


class Beside(Record):
    """An entry and one that stands after it on the board."""

    gaps: dict[str, ShownGap]
    claims: tuple[str, ...] = ()
    """What the board says of the two, corrected for all pairs."""


class Pairs(Record):
    """One entry, and how it compares with every entry after it."""

    id: str
    values: dict[str, ShownValue]
    pairs: dict[str, Beside]
    claims: tuple[str, ...] = ()
    """What the board says of its runs beside each other."""


class Pick(NamedTuple):
    """A pair to begin with."""

    first: str
    second: str
    words: str
    link: str


Compared = dict[tuple[str, str], tuple[MetricDifference, ...]]
"""By the names of two entries, the one that stands first on the board first."""


def pages(data: SiteData) -> Iterator[SitePage]:
    """The page for any two entries; which they are stands in the address."""
    tables = _tables(data)
    compared = compare_all(data, tables)
    yield SitePage(
        "compare.html",
        "compare.html",
        {
            "metrics": [_described(table.metric) for table in tables],
            "told": {pair: told_apart(gaps) for pair, gaps in compared.items()},
            "compared": sum(table.metric.name in COMPARED for table in tables),
            "picks": list(_picks(data, compared)),
            "level": number.percent(LEVEL, 1),
        },
    )


def files(data: SiteData) -> Iterator[tuple[str, bytes]]:
    """A file an entry: its values, and its gaps to every entry after it in the board's order."""
    compared = compare_all(data, _tables(data))
    places = {case: place for place, case in enumerate(data.cases)}
    for place, entry in enumerate(data.board.agents):
        others = data.board.agents[place + 1 :]
        content = Pairs(
            id=data.slugs[entry.name],
            values=dict(_values(entry, data.slugs[entry.name])),
            pairs={
                data.slugs[other.name]: Beside(
                    {gap.metric: _shown(gap, places) for gap in compared[entry.name, other.name]},
                    _said(data.board, entry.name, other.name),
                )
                for other in others
            },
            claims=tuple(
                claim.sentence
                for claim in data.board.claims
                if claim.holds and claim.kind == "unstable" and claim.subject == entry.name
            ),
        )
        yield f"data/pairs/{data.slugs[entry.name]}.js", as_script(CALL, to_json(content))


def _tables(data: SiteData) -> list[MetricTable]:
    runs: dict[str, list[ScoredRun]] = defaultdict(list)
    for run in data.runs:
        runs[run.header.agent].append(run)
    return tables_of(runs, [metric for metric in METRICS if metric.name in SHOWN])


def compare_all(data: SiteData, tables: list[MetricTable]) -> Compared:
    """Every pair of entries on every metric shown; corrected pair by pair."""
    return {
        (first, second): differences_between(tables, first, second)
        for first, second in combinations(data.slugs, 2)
    }


def _described(metric: Metric) -> dict[str, str]:
    return {
        "name": metric.name,
        "title": metric.title,
        "about": metric.about,
        "good": "more is good" if metric.better == "higher" else "less is good",
        "unit": "points" if metric.unit == "share" else "",
    }


def _picks(data: SiteData, compared: Compared) -> Iterator[Pick]:
    """The first two of the board, and the first other two that are told apart."""
    pairs = list(compared)
    apart = [pair for pair in pairs[1:] if told_apart(compared[pair])]
    for some, words in ((pairs, "the first two on the board"), (apart, "two that are told apart")):
        for first, second in some[:1]:
            yield Pick(first, second, words, where("compare.html", a=data.slugs[first], b=data.slugs[second]))


def told_apart(gaps: tuple[MetricDifference, ...]) -> int:
    """On how many of the metrics that the board compares two entries are told apart."""
    return sum(gap.is_significant for gap in gaps if gap.metric in COMPARED)


def _values(entry: AgentResults, slug: str) -> Iterator[tuple[str, ShownValue]]:
    flips = {one.metric: one.flips for one in entry.stability}
    for estimate in entry.estimates:
        if estimate.judge or estimate.metric not in SHOWN:
            continue
        known = flips.get(estimate.metric)
        yield (
            estimate.metric,
            ShownValue(
                number.value_text(estimate),
                number.count_text(estimate),
                number.interval_text(estimate.metric, estimate.new_cases_interval, estimate.n),
                behind(estimate.metric, slug),
                tuple(number.amount(estimate.metric, run, estimate.n) for run in estimate.runs),
                "" if known is None else number.percent(known),
            ),
        )


def _shown(gap: MetricDifference, places: dict[str, int]) -> ShownGap:
    which = gap.differing_cases if gap.is_share else gap.differing_cases[:WIDEST]
    return ShownGap(
        text=number.signed(gap.metric, gap.difference),
        low=number.signed(gap.metric, gap.interval.low) if gap.interval else "",
        high=number.signed(gap.metric, gap.interval.high) if gap.interval else "",
        p=number.chance(gap.adjusted),
        cases=gap.cases,
        differ=len(gap.differing_cases),
        which=tuple(places[case] for case in which),
        told=gap.is_significant,
    )


def _said(board: Board, first: str, second: str) -> tuple[str, ...]:
    return tuple(
        claim.sentence
        for claim in board.claims
        if claim.holds and {claim.subject, claim.other} == {first, second}
    )
