"""Index: every conversation for the pages' scripts, in columns, because columns compress well."""

from collections import defaultdict
from collections.abc import Callable, Iterator

from supportagentbench.records.record import Record
from supportagentbench.site.data.comparisons import pair_results
from supportagentbench.site.data.issue import ISSUES
from supportagentbench.site.data.outcome import MARKS, OUTCOMES
from supportagentbench.site.data.site_data import ConversationRow, SiteData

CALL = "SAB.index("


class IndexedAgent(Record):
    """An agent, by its name in links and its name for people."""

    id: str
    name: str
    runs: int


class IndexedCase(Record):
    """A case; `twin_of` is set on an honest twin."""

    id: str
    family: str
    bucket: str
    twin_of: str = ""


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
    outcomes: tuple[IndexedOutcome, ...]
    findings: tuple[IndexedIssue, ...]
    """Every kind of issue, the most serious first."""
    marks: dict[str, str]
    """The shape of each grade."""
    issue_sets: tuple[tuple[str, ...], ...]
    """Every combination of issues that occurs."""
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


def index_of(data: SiteData) -> Index:
    """The index of all conversations of this data."""
    agents = {agent: number for number, agent in enumerate(data.slugs)}
    order = {case: number for number, case in enumerate(data.cases)}
    rows = sorted(data.rows, key=lambda row: (order[row.case], agents[row.agent], row.run))
    sets = {found: number for number, found in enumerate(sorted({row.issues for row in rows}))}
    places = [order[row.case] for row in rows]
    costs = tuple(_short(row.cost) for row in rows)
    return Index(
        agents=tuple(
            IndexedAgent(slug, name, sum(run.header.agent == name for run in data.runs))
            for name, slug in data.slugs.items()
        ),
        cases=tuple(
            IndexedCase(sheet.id, sheet.family, sheet.bucket, sheet.twin_of) for sheet in data.cases.values()
        ),
        case_types={sheet.family: sheet.case_type for sheet in data.cases.values()},
        outcomes=tuple(IndexedOutcome(one.letter, one.name, one.grade, one.words) for one in OUTCOMES),
        findings=tuple(IndexedIssue(*kind) for kind in ISSUES.values()),
        marks={str(grade): mark for grade, mark in MARKS.items()},
        issue_sets=tuple(sets),
        kept=data.kept,
        case=tuple(after - before for before, after in zip([0, *places], places, strict=False)),
        agent=tuple(agents[row.agent] for row in rows),
        run="".join(chr(48 + min(row.run, 75)) for row in rows),
        outcome="".join(row.outcome.letter for row in rows),
        issues=tuple(sets[row.issues] for row in rows),
        messages=tuple(row.messages for row in rows),
        cost=costs if any(cost is not None for cost in costs) else (),
        unsafe_turn="".join(_digit(row) for row in rows),
        disagree="".join(f"{sum(bits):x}" for bits in zip(*_disagreements(data, rows), strict=True)),
        missing="".join("10"[row.is_kept] for row in rows),
    )


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
