"""Index: every conversation for the pages' scripts, in columns, because columns compress well."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Literal, NamedTuple

from supportagentbench.board.standings import is_ranked
from supportagentbench.records.board import AgentResults, Board
from supportagentbench.records.record import Record
from supportagentbench.site.data.comparisons import pair_results
from supportagentbench.site.data.counted import CountedPlaces, Place, counted_in
from supportagentbench.site.data.issue import ISSUES
from supportagentbench.site.data.outcome import MARKS, OUTCOMES
from supportagentbench.site.data.site_data import ConversationRow, SiteData

CALL = "SAB.index("


Among = Literal["ranked", "tested", "dummies"]
"""Groups of agents that numbers are counted over; `tested` are all but the dummies."""


class IndexedAgent(Record):
    """An agent, by its name in links and its name for people."""

    id: str
    name: str
    runs: int
    among: tuple[Among, ...]


class IndexedCase(Record):
    """A case; `twin_of` is set on an honest twin."""

    id: str
    title: str
    family: str
    bucket: str
    twin_of: str = ""
    harm: str = ""
    """The name of the harm that a trap tempts to."""


class IndexedName(Record):
    """A name in links and what people read."""

    name: str
    words: str


class IndexedHabit(Record):
    """What goes wrong with agents, or what the board tells of them."""

    name: str
    words: str
    of: int | None = None
    """Of how many it is told; 0: of none that a list could show; None: of all that its filters leave."""


class IndexedMetric(Record):
    """A figure; a mean has neither hits nor misses."""

    name: str
    words: str
    is_share: bool


class IndexedOutcome(Record):
    """What a letter in the column of outcomes means."""

    letter: str
    name: str
    grade: str
    words: str


class IndexedIssue(Record):
    """What a finding against an agent is called."""

    check: str
    words: str
    about: str
    grade: str


class Index(Record):
    """Every conversation, by case, then agent, then run; all columns have the same length."""

    agents: tuple[IndexedAgent, ...]
    cases: tuple[IndexedCase, ...]
    case_types: dict[str, str]
    """By family, the readable case type."""
    harms: tuple[IndexedName, ...]
    metrics: tuple[IndexedMetric, ...]
    """The figures that conversations are counted in."""
    habits: tuple[IndexedHabit, ...]
    """What goes wrong with agents, as their reports name it."""
    outcomes: tuple[IndexedOutcome, ...]
    findings: tuple[IndexedIssue, ...]
    """Every kind of issue, the most serious first."""
    marks: dict[str, str]
    """The shape of each grade."""
    issue_sets: tuple[tuple[str, ...], ...]
    """Every combination of issues that occurs."""
    metric_sets: tuple[tuple[int, ...], ...]
    """Every combination of metrics that occurs in the columns `hits`, `tried` and `undecided`."""
    habit_sets: tuple[tuple[int, ...], ...]
    kept: str
    case: tuple[int, ...]
    """For each conversation the index of its case in `cases`, as the step from the previous one."""
    agent: tuple[int, ...]
    run: str
    """Run numbers, one letter each from `1`; runs beyond the 75th share a letter."""
    outcome: str
    """One letter each."""
    issues: tuple[int, ...]
    """Index into `issue_sets`."""
    hits: tuple[int, ...]
    """The metrics that count it; an index into `metric_sets`, as in the next two."""
    tried: tuple[int, ...]
    """The metrics that are about it."""
    undecided: tuple[int, ...]
    """The metrics that would be about it if code could tell."""
    habit: tuple[int, ...]
    """Index into `habit_sets`."""
    messages: tuple[int, ...]
    cost: tuple[float | None, ...]
    """Dollars to two digits; empty when no cost is known at all."""
    unsafe_turn: str
    """The customer's turn that an unsafe action followed, one digit each; 0: none."""
    disagree: str
    """One hexadecimal digit each, the sum of: 1 runs disagree, 2 judges disagree, 4 agents disagree, 8 trap
    and twin are not both correct."""
    missing: str
    """1 where the conversation is not in this folder."""


class CountedHabit(NamedTuple):
    """What goes wrong with agents: its name in links, its heading, and the conversations."""

    name: str
    heading: str
    places: list[Place]
    of: int | None = None
    """Of how many it is told: see `IndexedHabit.of`."""


def index_of(data: SiteData, habits: Iterable[CountedHabit] = ()) -> Index:
    """The index of all conversations of this data."""
    agents = {agent: number for number, agent in enumerate(data.slugs)}
    order = {case: number for number, case in enumerate(data.cases)}
    rows = sorted(data.rows, key=lambda row: (order[row.case], agents[row.agent], row.run))
    sets = {found: number for number, found in enumerate(sorted({row.issues for row in rows}))}
    places = [order[row.case] for row in rows]
    costs = tuple(_short(row.cost) for row in rows)
    seats = [(row.case, row.agent, row.run) for row in rows]
    counted, habits = counted_in(data), list(habits)
    metric_sets, columns = _packed(_columns(seats, list(counted.values())))
    habit_sets, [habit] = _packed([_numbered(seats, [one.places for one in habits])])
    return Index(
        agents=tuple(
            IndexedAgent(
                slug, name, sum(run.header.agent == name for run in data.runs), among(name, data.board)
            )
            for name, slug in data.slugs.items()
        ),
        cases=tuple(
            IndexedCase(
                *(sheet.id, sheet.title, sheet.family, sheet.bucket, sheet.twin_of),
                sheet.harm.name if sheet.harm else "",
            )
            for sheet in data.cases.values()
        ),
        case_types={sheet.family: sheet.case_type for sheet in data.cases.values()},
        harms=tuple(IndexedName(harm.name, harm.title) for harm in data.vocabulary.harms),
        metrics=tuple(IndexedMetric(*metric) for metric in counted),
        habits=tuple(IndexedHabit(one.name, one.heading, one.of) for one in habits),
        outcomes=tuple(IndexedOutcome(one.letter, one.name, one.grade, one.words) for one in OUTCOMES),
        findings=tuple(IndexedIssue(*kind) for kind in ISSUES.values()),
        marks={str(grade): mark for grade, mark in MARKS.items()},
        issue_sets=tuple(sets),
        metric_sets=metric_sets,
        habit_sets=habit_sets,
        kept=data.kept,
        case=tuple(after - before for before, after in zip([0, *places], places, strict=False)),
        agent=tuple(agents[row.agent] for row in rows),
        run="".join(chr(48 + min(row.run, 75)) for row in rows),
        outcome="".join(row.outcome.letter for row in rows),
        issues=tuple(sets[row.issues] for row in rows),
        hits=columns[0],
        tried=columns[1],
        undecided=columns[2],
        habit=habit,
        messages=tuple(row.messages for row in rows),
        cost=costs if any(cost is not None for cost in costs) else (),
        unsafe_turn="".join(_digit(row) for row in rows),
        disagree="".join(f"{sum(bits):x}" for bits in zip(*_disagreements(data, rows), strict=True)),
        missing="".join("10"[row.is_kept] for row in rows),
    )


def among(agent: str, board: Board) -> tuple[Among, ...]:
    """The groups that an agent belongs to; where no agent is ranked, shares are over all of them."""
    found = next((one for one in board.agents if one.name == agent), None)
    if found is None:
        return ()
    ranked = agent in {one.name for one in ranked_agents(board)}
    kind: Among = "dummies" if found.is_dummy and not all(one.is_dummy for one in board.agents) else "tested"
    return ("ranked", kind) if ranked else (kind,)


def ranked_agents(board: Board) -> list[AgentResults]:
    """The agents that shares are based on: the ranked ones, or all if none is ranked."""
    return [agent for agent in board.agents if is_ranked(agent)] or list(board.agents)


Sets = tuple[tuple[int, ...], ...]


def _columns(seats: list[Place], counted: list[CountedPlaces]) -> list[list[list[int]]]:
    """By conversation, the figures that it is a hit of, that are about it, and that cannot tell."""
    hits = [[place for place, is_hit in one.tried.items() if is_hit] for one in counted]
    return [
        _numbered(seats, some)
        for some in (hits, [one.tried for one in counted], [one.undecided for one in counted])
    ]


def _numbered(seats: list[Place], groups: Iterable[Iterable[Place]]) -> list[list[int]]:
    """By conversation, the numbers of the groups that it is in."""
    found: dict[Place, list[int]] = {seat: [] for seat in seats}
    for number, places in enumerate(groups):
        for place in places:
            found[place].append(number)
    return list(found.values())


def _packed(columns: list[list[list[int]]]) -> tuple[Sets, list[tuple[int, ...]]]:
    """Every combination once, the most frequent first, and the columns as places in that list."""
    found = Counter(tuple(one) for column in columns for one in column)
    order = sorted(found, key=lambda one: (-found[one], one))
    place = {one: at for at, one in enumerate(order)}
    return tuple(place), [tuple(place[tuple(one)] for one in column) for column in columns]


def _disagreements(data: SiteData, rows: list[ConversationRow]) -> Iterator[list[int]]:
    """Each kind as a column of bits. Conversations disagree if their grades differ."""
    lost = _lost_pairs(data)
    yield [1 * one for one in _spread(rows, lambda row: (row.case, row.agent))]
    yield [2 * row.judges_differ for row in rows]
    yield [4 * one for one in _spread(rows, lambda row: (row.case, row.run))]
    yield [8 * ((row.case, row.agent, row.run) in lost) for row in rows]


def _spread(rows: list[ConversationRow], group: Callable[[ConversationRow], object]) -> list[bool]:
    """For each row, whether its group has different grades; rows that do not count have no grade."""
    grades: dict[object, set[str]] = defaultdict(set)
    for row in rows:
        if row.outcome.grade != "none":
            grades[group(row)].add(row.outcome.grade)
    return [len(grades[group(row)]) > 1 for row in rows]


def _lost_pairs(data: SiteData) -> set[tuple[str, str, int]]:
    """The traps and twins of one agent in one run that were not both handled correctly."""
    twins = {sheet.twin_of: name for name, sheet in data.cases.items() if sheet.twin_of}
    lost = [place for place, correct in pair_results(data.runs).items() if not correct]
    return {(case, agent, run) for trap, agent, run in lost for case in (trap, twins[trap])}


def _short(cost: float | None) -> float | None:
    return None if cost is None else float(f"{cost:.2g}")


def _digit(row: ConversationRow) -> str:
    return str(min(row.unsafe_turn or 0, 9))
