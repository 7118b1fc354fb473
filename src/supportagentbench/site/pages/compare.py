"""Compare: any two agents. The differences and tests of every pair are worked out at build time."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from supportagentbench.board.agent_comparison import MetricDifference
from supportagentbench.board.claims import LEVEL, MetricTable
from supportagentbench.board.recommendation_words import which_one
from supportagentbench.board.standings import COMPARED
from supportagentbench.records.board import AgentResults, Board
from supportagentbench.records.record import Record, to_json
from supportagentbench.site import number
from supportagentbench.site.data.bundle import as_script
from supportagentbench.site.data.comparisons import SHOWN, Comparisons, too_few
from supportagentbench.site.data.links import behind, counted_words
from supportagentbench.site.data.site_data import SiteData
from supportagentbench.site.naming import where
from supportagentbench.site.pages.page import SitePage
from supportagentbench.site.pages.page_context import PageContext

CALL = "SAB.pairs("

WIDEST = 8
"""For a metric that is not a share, nearly every case differs, so only the largest differences are listed."""


class ShownValue(Record):
    """One metric of one agent, as text."""

    text: str
    count: str
    new_cases: str
    """The interval for new cases."""
    link: str
    label: str
    """What it counts, for readers who do not see where it stands."""
    runs: tuple[str, ...]
    flips: str = ""
    """How often two runs of a case differ."""


class ShownGap(Record, array_like=True):
    """One metric of two agents, as text; a difference and the ends of its interval have signs.

    Written as a list without names: there is one for every pair and metric.
    """

    text: str
    low: str
    high: str
    p: str
    cases: int
    differ: int
    which: tuple[int, ...]
    """Indexes of the cases that differ among all cases, the largest difference first."""
    significant: bool


class ComparedWith(Record):
    """An agent compared with one after it on the board."""

    gaps: dict[str, ShownGap]
    claims: tuple[str, ...] = ()
    """The board's claims about the two, corrected for all pairs."""


class Pairs(Record):
    """One agent, compared with every agent after it."""

    id: str
    values: dict[str, ShownValue]
    pairs: dict[str, ComparedWith]
    claims: tuple[str, ...] = ()
    """The board's claims about its runs."""


class Pick(NamedTuple):
    """A pair to start with."""

    first: str
    second: str
    words: str
    link: str


@dataclass(frozen=True)
class CompareContext(PageContext):
    """The page for any two agents."""

    TEMPLATES: ClassVar = ("compare.html",)

    metrics: list[dict[str, str | bool]]
    """Every metric shown: its name, title, meaning and direction."""
    significant: dict[tuple[str, str], int]
    """On how many compared metrics each pair differs significantly."""
    compared: int
    """How many metrics are compared on the board."""
    which: str
    """Which agent of all to use."""
    picks: list[Pick]
    level: str
    """The level of the tests, printed."""


def pages(data: SiteData, comparisons: Comparisons) -> Iterator[SitePage[CompareContext]]:
    """The page for any two agents; the address says which."""
    yield SitePage(
        "compare.html",
        "compare.html",
        CompareContext(
            metrics=[_described(table) for table in comparisons.tables],
            significant={pair: significant(gaps) for pair, gaps in comparisons.all_pairs.items()},
            compared=sum(table.metric.name in COMPARED for table in comparisons.tables),
            which=which_one(data.recommendation).text,
            picks=list(_picks(data, comparisons)),
            level=number.percent(LEVEL, 1),
        ),
    )


def files(data: SiteData, comparisons: Comparisons) -> Iterator[tuple[str, bytes]]:
    """One file per agent: its values, and its differences from every agent after it in the board's order."""
    places = {case: place for place, case in enumerate(data.cases)}
    for place, agent in enumerate(data.board.agents):
        content = Pairs(
            id=data.slugs[agent.name],
            values=dict(_values(agent, data.slugs[agent.name])),
            pairs={
                data.slugs[other.name]: ComparedWith(
                    {
                        gap.metric: _shown(gap, places)
                        for gap in comparisons.all_pairs[agent.name, other.name]
                    },
                    _claims_about(data.board, agent.name, other.name),
                )
                for other in data.board.agents[place + 1 :]
            },
            claims=tuple(
                claim.sentence
                for claim in data.board.claims
                if claim.holds and claim.kind == "unstable" and claim.subject == agent.name
            ),
        )
        yield f"data/pairs/{data.slugs[agent.name]}.js", as_script(CALL, to_json(content))


def _described(table: MetricTable) -> dict[str, str | bool]:
    metric = table.metric
    return {
        "name": metric.name,
        "title": metric.title,
        "about": metric.about,
        "good": "higher is better" if metric.better == "higher" else "lower is better",
        "unit": "points" if metric.unit == "share" else "",
        "few": too_few(len({*table.clusters})),
    }


def _picks(data: SiteData, comparisons: Comparisons) -> Iterator[Pick]:
    """The agent to use with its nearest rival, or else the two nearest to use, and two that differ."""
    found = data.recommendation
    words = (
        "the agent to use by the published limits, and its nearest rival"
        if found.pick
        else "the two that come nearest to use"
    )
    nearest = [one.agent.name for one in found.agents if one.agent.name in data.slugs][:2]
    pairs = [(nearest[0], nearest[1], words)] if len(nearest) == 2 else []
    differing = [pair for pair, gaps in comparisons.all_pairs.items() if significant(gaps)]
    others = [pair for pair in differing if {*pair} != {*nearest}]
    pairs += [(*pair, "two that differ") for pair in others[:1]]
    for first, second, words in pairs:
        yield Pick(first, second, words, where("compare.html", a=data.slugs[first], b=data.slugs[second]))


def significant(gaps: tuple[MetricDifference, ...]) -> int:
    """On how many of the board's compared metrics two agents differ significantly."""
    return sum(gap.is_significant for gap in gaps if gap.metric in COMPARED)


def _values(agent: AgentResults, slug: str) -> Iterator[tuple[str, ShownValue]]:
    flips = {one.metric: one.flips for one in agent.stability}
    for estimate in agent.estimates:
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
                counted_words(_title(estimate.metric), agent.name, estimate),
                tuple(number.amount(estimate.metric, run, estimate.n) for run in estimate.runs),
                "" if known is None else number.percent(known),
            ),
        )


def _title(metric: str) -> str:
    known = number.of_metric(metric)
    return known.title if known else metric


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
        significant=gap.is_significant,
    )


def _claims_about(board: Board, first: str, second: str) -> tuple[str, ...]:
    return tuple(
        claim.sentence
        for claim in board.claims
        if claim.holds and {claim.subject, claim.other} == {first, second}
    )
