"""Pair view: two agents on every metric as text and places, and the tickets that they handled differently."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from supportagentbench.board.agent_comparison import MetricDifference
from supportagentbench.board.claims import MetricTable
from supportagentbench.board.desk import ENDANGERED
from supportagentbench.board.recommendation import SUSPECTED_NAMED
from supportagentbench.board.recommendation_words import two_title, which_of_two
from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.records.board import AgentResults, Board, Interval
from supportagentbench.records.record import Record
from supportagentbench.site import number
from supportagentbench.site.answers.board_answer import AgentTake, take_of
from supportagentbench.site.data.comparisons import SHOWN, Comparisons, too_few
from supportagentbench.site.data.counted import PRICED
from supportagentbench.site.data.links import behind, counted_words
from supportagentbench.site.data.site_data import CaseSheet, ConversationRow, SiteData
from supportagentbench.site.data.term import as_term

MISSED = "Cases that need a human and were not handed to one; published as escalation accuracy, the rest."
"""What the share of missed escalations is about."""

WIDEST = 8
"""For a metric that is not a share, nearly every case differs, so only the largest differences are listed."""

SHELVES = {
    "resolvable": "Routine tickets",
    "must_escalate": "Tickets that need a person",
    "adversarial": "Traps",
    "twin": "Honest twins",
}
"""Groups of cases, in the order in which they are listed."""


class ComparedMetric(Record):
    """A row of the plot."""

    name: str
    title: str
    about: str
    good: str
    unit: str
    is_share: bool
    few: bool = False
    """Whether there are too few case types for a test."""
    note: str = ""
    """In place of a test; empty: it is tested."""
    least: float = 0.0
    """The row is left out if both agents are below this."""


class ShownValue(Record):
    """One metric of one agent, as text."""

    text: str
    count: str
    new_cases: str
    """The interval for new cases."""
    link: str
    """Empty: it counts no conversation."""
    label: str
    """What it counts, for readers who do not see the table."""
    value: float
    runs: tuple[str, ...] = ()
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

    @property
    def words(self) -> str:
        """What the test says; an interval is not corrected, so it alone decides nothing."""
        if self.significant:
            return "clear difference"
        beyond = self.low and self.low[0] == self.high[0] and self.low[0] in "+−"
        return "not clear once corrected for all measures" if beyond else "no clear difference"


class PairRow(NamedTuple):
    """One metric of two agents."""

    metric: ComparedMetric
    values: tuple[ShownValue | None, ShownValue | None]
    gap: ShownGap | None

    @property
    def is_danger(self) -> bool:
        """Whether it is about people in danger, which stands above all that is tested."""
        return self.metric.name == ENDANGERED

    @property
    def places(self) -> tuple[str, str] | None:
        """The places of the two marks, in percent of the width; None: not both are known, or no share."""
        one, other = self.values
        if not one or not other or not self.metric.is_share:
            return None
        return f"{100 * one.value:.4g}%", f"{100 * other.value:.4g}%"


class DifferingCase(NamedTuple):
    """A ticket that ended well with one agent and not with the other."""

    sheet: CaseSheet
    tried: tuple[list[ConversationRow], list[ConversationRow]]

    @property
    def apart(self) -> tuple[int, int]:
        """The runs to read side by side: the same one if it ended differently, or else two that did."""
        one, other = ({row.run: row.outcome.grade for row in rows} for rows in self.tried)
        pairs = [(run, run2) for run in one for run2 in other if one[run] != other[run2]]
        return min(pairs, key=lambda pair: (pair[0] != pair[1], "none" in (one[pair[0]], other[pair[1]])))


class PairView(NamedTuple):
    """Everything that is said about two agents."""

    agents: tuple[AgentTake, AgentTake]
    title: str
    answer: str
    is_told: bool
    """Whether the answer says nothing that the title and the two agents below it do not say."""
    rows: tuple[PairRow, ...]
    shelves: dict[str, list[DifferingCase]]

    @property
    def apart(self) -> tuple[int, int]:
        """The number of metrics with a significant difference, and of those tested."""
        tested = [row.gap for row in self.rows if row.gap]
        return sum(gap.significant for gap in tested), len(tested)

    @property
    def differing(self) -> int:
        return sum(map(len, self.shelves.values()))


def pair_view(data: SiteData, comparisons: Comparisons, first: str, second: str) -> PairView:
    """Two agents of a board, by their names."""
    found, agents = data.recommendation, {agent.name: agent for agent in data.board.agents}
    values = [dict(values_of(agents[name], data.slugs[name], data.board)) for name in (first, second)]
    gaps = {gap.metric: gap for gap in _gaps(comparisons, first, second)}
    places = {case: place for place, case in enumerate(data.cases)}
    rows = []
    for metric in compared_metrics(data.board, comparisons.tables):
        pair = values[0].get(metric.name), values[1].get(metric.name)
        if any(pair) and max(one.value for one in pair if one) >= metric.least:
            gap = gaps.get(metric.name)
            rows.append(PairRow(metric, pair, shown_gap(gap, places) if gap else None))
    takes = [take_of(found.of(name), data.slugs[name]) for name in (first, second)]
    return PairView(
        (takes[0], takes[1]),
        two_title(found, first, second),
        which_of_two(found, first, second),
        not (found.of(first).decision == found.of(second).decision == "use"),
        tuple(rows),
        _differing(data, first, second),
    )


def _gaps(comparisons: Comparisons, first: str, second: str) -> Iterator[MetricDifference]:
    """First minus second, whichever of them comes first on the board."""
    if (first, second) in comparisons.all_pairs:
        yield from comparisons.all_pairs[first, second]
        return
    yield from map(_negated, comparisons.all_pairs[second, first])


def _negated(gap: MetricDifference) -> MetricDifference:
    ends = Interval(-gap.interval.high, -gap.interval.low) if gap.interval else None
    return replace(gap, difference=-gap.difference, interval=ends)


def compared_metrics(board: Board, tables: Iterable[MetricTable]) -> list[ComparedMetric]:
    """Every metric that any pair has: danger to people, the tested ones, suspected faults."""
    found = [
        ComparedMetric(
            table.metric.name,
            table.metric.term,
            table.metric.about if table.metric.name != "escalation" else MISSED,
            "higher is better"
            if table.metric.better == "higher" and table.metric.name != "escalation"
            else "lower is better",
            "points" if table.metric.unit == "share" else "",
            table.metric.unit == "share",
            too_few(len({*table.clusters})),
        )
        for table in tables
    ]
    low = ("lower is better", "points", True)
    if any(agent.grounds.danger for agent in board.agents):
        about, note = "Cases of danger to people in which the agent called no person.", "one is too many"
        found.insert(0, ComparedMetric(ENDANGERED, "People in danger missed", about, *low, note=note))
    checks = {
        one.check: None for agent in board.agents for one in agent.grounds.suspected if _is_named(one.share)
    }
    for check in checks:
        known = CATALOGUE[check]
        note = "found by code, not yet confirmed"
        found.append(
            ComparedMetric(_open(check), known.title, known.about, *low, note=note, least=SUSPECTED_NAMED)
        )
    return found


def _is_named(share: float) -> bool:
    return share >= SUSPECTED_NAMED


def _open(check: str) -> str:
    return f"open:{check}"


def values_of(agent: AgentResults, slug: str, board: Board) -> Iterator[tuple[str, ShownValue]]:
    """Every metric of an agent, with danger and suspected faults."""
    flips = {one.metric: one.flips for one in agent.stability}
    for estimate in agent.estimates:
        if estimate.judge or estimate.metric not in SHOWN:
            continue
        known, told = flips.get(estimate.metric), as_term(estimate)
        yield (
            estimate.metric,
            ShownValue(
                number.value_text(told),
                number.count_text(told),
                number.interval_text(told.metric, told.new_cases_interval, told.n),
                behind(told.metric, slug, "" if told is estimate else "no"),
                counted_words(_title(told.metric), agent.name, told),
                told.value,
                tuple(number.amount(told.metric, run, told.n) for run in told.runs),
                "" if known is None else number.percent(known),
            ),
        )
    grounds = agent.grounds
    if grounds.danger:
        link = behind(f"{PRICED}{ENDANGERED}", slug)
        yield (
            ENDANGERED,
            _plain("People in danger missed", agent.name, grounds.danger_missed, grounds.danger, link),
        )
    for fault in grounds.suspected:
        known_check = CATALOGUE[fault.check]
        link = behind(known_check.metric_name, slug, "open")
        yield _open(fault.check), _plain(known_check.title, agent.name, fault.found, fault.of, link)
    others = {one.check for other in board.agents for one in other.grounds.suspected}
    for check in others - {one.check for one in grounds.suspected}:
        yield _open(check), ShownValue("0%", "", "", "", "", 0.0)


def _plain(title: str, agent: str, found: int, of: int, link: str) -> ShownValue:
    label = f"{title}, {agent}: {found} of {of} conversations"
    return ShownValue(number.percent(found / of), f"{found}/{of}", "", link, label, found / of)


def _title(metric: str) -> str:
    known = number.of_metric(metric)
    return known.term if known else metric


def shown_gap(gap: MetricDifference, places: Mapping[str, int]) -> ShownGap:
    """A difference as text."""
    if gap.metric == "escalation":  # Of the missed, where figures are of the caught.
        gap = _negated(gap)
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


def _differing(data: SiteData, first: str, second: str) -> dict[str, list[DifferingCase]]:
    """Cases that one agent passes, in more than half of its runs, and the other does not; by shelf."""
    tried: defaultdict[tuple[str, str], list[ConversationRow]] = defaultdict(list)
    for row in data.rows:
        tried[row.agent, row.case].append(row)
    found: dict[str, list[DifferingCase]] = {title: [] for title in SHELVES.values()}
    for case, sheet in data.cases.items():
        both = tried[first, case], tried[second, case]
        if {_passes(both[0]), _passes(both[1])} == {True, False}:
            found[SHELVES["twin" if sheet.twin_of else sheet.bucket]].append(DifferingCase(sheet, both))
    return {title: some for title, some in found.items() if some}


def _passes(rows: Sequence[ConversationRow]) -> bool | None:
    counted = [row.outcome.grade for row in rows if row.outcome.grade != "none"]
    return 2 * counted.count("good") > len(counted) if counted else None
