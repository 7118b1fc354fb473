"""Index: one line a conversation for the pages' scripts, in columns, because columns compress."""

from collections import defaultdict
from collections.abc import Callable, Iterator

from supportagentbench.records.record import Record
from supportagentbench.site.data import ConversationRow, SiteData
from supportagentbench.site.issue import ISSUES
from supportagentbench.site.outcome import MARKS, OUTCOMES
from supportagentbench.site.pair import pairs_of

CALL = "SAB.index("


class IndexedModel(Record):
    """An agent, by its name in links and its name for people."""

    id: str
    name: str
    runs: int


class IndexedCase(Record):
    """A case; `twin_of` is set on a benign twin."""

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


class IndexedFlag(Record):
    """What a finding against an agent is called."""

    check: str
    words: str
    about: str
    grade: str


class Index(Record):
    """Every conversation, by case, then model, then run; the columns are of one length."""

    models: tuple[IndexedModel, ...]
    cases: tuple[IndexedCase, ...]
    outcomes: tuple[IndexedOutcome, ...]
    findings: tuple[IndexedFlag, ...]
    """Every kind of flag, the most serious first."""
    marks: dict[str, str]
    """The shape of each grade."""
    flag_sets: tuple[tuple[str, ...], ...]
    """Every combination of flags that occurs."""
    kept: str
    case: tuple[int, ...]
    """Of each conversation, the place of its case in `cases`, as the step from the one before."""
    model: tuple[int, ...]
    run: str
    """Run numbers, a letter each from `1`; runs beyond the 75th are not told apart."""
    outcome: str
    """A letter each."""
    flags: tuple[int, ...]
    """Place in `flag_sets`."""
    messages: tuple[int, ...]
    cost: tuple[float | None, ...]
    """Dollars to two digits; empty when no cost is known at all."""
    fired: str
    """The customer's turn after which a forbidden act came, a digit each; 0: none did."""
    disagree: str
    """A hexadecimal digit each, the sum of: 1 the runs disagree, 2 judges, 4 models, 8 trap and twin are not
    both right."""
    missing: str
    """1 where the conversation does not lie in this folder."""


def index_of(data: SiteData) -> Index:
    """The index of all conversations of this data."""
    agents = {agent: number for number, agent in enumerate(data.slugs)}
    order = {case: number for number, case in enumerate(data.cases)}
    rows = sorted(data.rows, key=lambda row: (order[row.case], agents[row.agent], row.run))
    sets = {found: number for number, found in enumerate(sorted({row.flags for row in rows}))}
    places = [order[row.case] for row in rows]
    costs = tuple(_short(row.cost) for row in rows)
    return Index(
        models=tuple(
            IndexedModel(data.slugs[entry.name], entry.name, entry.runs) for entry in data.board.agents
        ),
        cases=tuple(
            IndexedCase(sheet.id, sheet.family, sheet.bucket, sheet.twin_of) for sheet in data.cases.values()
        ),
        outcomes=tuple(IndexedOutcome(one.letter, one.name, one.grade, one.words) for one in OUTCOMES),
        findings=tuple(IndexedFlag(*flag) for flag in ISSUES.values()),
        marks={str(grade): mark for grade, mark in MARKS.items()},
        flag_sets=tuple(sets),
        kept=data.kept,
        case=tuple(after - before for before, after in zip([0, *places], places, strict=False)),
        model=tuple(agents[row.agent] for row in rows),
        run="".join(chr(48 + min(row.run, 75)) for row in rows),
        outcome="".join(row.outcome.letter for row in rows),
        flags=tuple(sets[row.flags] for row in rows),
        messages=tuple(row.messages for row in rows),
        cost=costs if any(cost is not None for cost in costs) else (),
        fired="".join(_digit(row) for row in rows),
        disagree="".join(f"{sum(bits):x}" for bits in zip(*_disagreements(data, rows), strict=True)),
        missing="".join("10"[row.is_kept] for row in rows),
    )


def _disagreements(data: SiteData, rows: list[ConversationRow]) -> Iterator[list[int]]:
    """Each kind as a column, the bit where it is so. Conversations disagree if their marks differ."""
    lost = _lost_pairs(data, rows)
    yield [1 * one for one in _spread(rows, lambda row: (row.case, row.agent))]
    yield [2 * row.judges_differ for row in rows]
    yield [4 * one for one in _spread(rows, lambda row: (row.case, row.run))]
    yield [8 * ((row.case, row.agent, row.run) in lost) for row in rows]


def _spread(rows: list[ConversationRow], group: Callable[[ConversationRow], object]) -> list[bool]:
    """Of each row, whether those of its group have different marks; what does not count has none."""
    grades: dict[object, set[str]] = defaultdict(set)
    for row in rows:
        if row.outcome.grade != "none":
            grades[group(row)].add(row.outcome.grade)
    return [len(grades[group(row)]) > 1 for row in rows]


def _lost_pairs(data: SiteData, rows: list[ConversationRow]) -> set[tuple[str, str, int]]:
    """The traps and twins of one agent in one run of which not both are right, as the metric counts them."""
    return {
        (row.case, row.agent, row.run)
        for pair in pairs_of(rows, data.cases)
        if not pair.is_won
        for row in pair
    }


def _short(cost: float | None) -> float | None:
    return None if cost is None else float(f"{cost:.2g}")


def _digit(row: ConversationRow) -> str:
    return str(min(row.fired or 0, 9))
