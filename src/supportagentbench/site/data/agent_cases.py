"""Agent cases: one agent's results by trap and by case type, and the cases that vary between runs."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import NamedTuple

from supportagentbench.records.board import AgentResults, Estimate, Slice
from supportagentbench.records.case import Bucket
from supportagentbench.site.data.links import behind
from supportagentbench.site.data.outcome import ShownOutcome
from supportagentbench.site.data.site_data import ConversationRow, SiteData
from supportagentbench.site.naming import where

FEW = 10
"""A row with fewer conversations is greyed out: too few to conclude anything from."""

BUCKET_ORDER: dict[Bucket, int] = {"adversarial": 0, "must_escalate": 1, "resolvable": 2}


class RunMark(NamedTuple):
    """How one run of a case ended, and where to read it."""

    run: int
    outcome: ShownOutcome
    link: str
    message: int | None = None
    """The customer's message that the first unsafe action followed; None: there was none."""


class TrapResult(NamedTuple):
    """One trap: this agent compared with the other ranked agents."""

    case: str
    family: str
    act: str
    marks: tuple[RunMark, ...]
    unsafe: int
    others_unsafe: int
    others: int

    @property
    def rate(self) -> float:
        return self.unsafe / len(self.marks)

    @property
    def excess(self) -> float:
        """By how much its share of unsafe runs exceeds the others'; its own share if there are no others."""
        return self.rate - (self.others_unsafe / self.others if self.others else 0.0)


class Handled(NamedTuple):
    """Conversations that ended right, of those whose end code can tell."""

    k: int
    n: int

    @property
    def rate(self) -> float:
        return self.k / self.n


def handled_by(data: SiteData, rows: Iterable[ConversationRow]) -> dict[tuple[str, str], Handled]:
    """By agent and case type, by the one outcome: a ticket solved with an unsafe action on the way is not."""
    found: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for row in rows:
        sheet = data.cases[row.case]
        if row.outcome.grade != "none" and not sheet.twin_of:
            found[row.agent, sheet.family].append(row.outcome.grade == "good")
    return {key: Handled(sum(right), len(right)) for key, right in found.items()}


class CaseTypeResult(NamedTuple):
    """One case type that is not a trap."""

    family: str
    bucket: Bucket
    n: int
    handled: Handled | None
    """None: code can tell of none how it ended."""
    over: Slice | None
    unconfirmed: Slice | None
    adherence: Estimate | None
    issues: tuple[tuple[str, int], ...]
    """Checks that found an issue, with the number of conversations."""
    link: str

    @property
    def is_few(self) -> bool:
        return self.n < FEW


class ChangedCase(NamedTuple):
    """A case whose runs ended with different grades."""

    case: str
    family: str
    marks: tuple[RunMark, ...]


def trap_results(data: SiteData, rows: Iterable[ConversationRow], others: Iterable[str]) -> list[TrapResult]:
    """Every trap among these rows of one agent, the largest excess over the others first."""
    names = set(others)
    theirs: dict[str, list[ConversationRow]] = defaultdict(list)
    for row in data.rows:
        if row.agent in names and row.outcome.name != "outside":
            theirs[row.case].append(row)
    found = [_trap(data, case, some, theirs[case]) for case, some in by_case(rows).items()]
    return sorted(found, key=lambda trap: (-trap.excess, -trap.rate, trap.case))


def _trap(
    data: SiteData, case: str, rows: list[ConversationRow], theirs: list[ConversationRow]
) -> TrapResult:
    unsafe = [row for row in rows if row.outcome.name == "unsafe"]
    return TrapResult(
        case=case,
        family=data.cases[case].family,
        act=data.cases[case].label.temptation or "",
        marks=tuple(_mark(data, row) for row in rows),
        unsafe=len(unsafe),
        others_unsafe=sum(row.outcome.name == "unsafe" for row in theirs),
        others=len(theirs),
    )


def changed_cases(data: SiteData, rows: Iterable[ConversationRow]) -> list[ChangedCase]:
    """The cases whose grade differs between runs, traps first."""
    found = [
        ChangedCase(case, data.cases[case].family, tuple(_mark(data, row) for row in some))
        for case, some in by_case(rows).items()
        if len({row.outcome.grade for row in some}) > 1
    ]
    place = {case: at for at, case in enumerate(data.cases)}
    return sorted(found, key=lambda one: (BUCKET_ORDER[data.cases[one.case].bucket], place[one.case]))


def case_type_results(
    data: SiteData,
    results: AgentResults,
    rows: Iterable[ConversationRow],
    adherence: Callable[[list[ConversationRow]], Estimate | None],
) -> list[CaseTypeResult]:
    """Every case type that is not a trap, the smallest share handled correctly first."""
    by_family: dict[str, list[ConversationRow]] = defaultdict(list)
    for row in rows:
        if data.cases[row.case].bucket != "adversarial":
            by_family[data.cases[row.case].family].append(row)
    found = [_case_type(data, results, family, some, adherence(some)) for family, some in by_family.items()]
    return sorted(found, key=_by_share_handled)


def _case_type(
    data: SiteData,
    results: AgentResults,
    family: str,
    rows: list[ConversationRow],
    adherence: Estimate | None,
) -> CaseTypeResult:
    bucket = data.cases[rows[0].case].bucket
    slices = {one.metric: one for one in results.slices if one.family == family}
    is_resolvable = bucket == "resolvable"
    issues = Counter(check for row in rows for check in row.issues if check != "unconfirmed_strict")
    return CaseTypeResult(
        family=family,
        bucket=bucket,
        n=len(rows),
        handled=handled_by(data, rows).get((results.name, family)),
        over=slices.get("over_escalation") if is_resolvable else None,
        unconfirmed=slices.get("unconfirmed"),
        adherence=adherence,
        issues=tuple(sorted(issues.items(), key=lambda item: (-item[1], item[0]))),
        link=behind("", data.slugs[results.name], use=family),
    )


def _by_share_handled(one: CaseTypeResult) -> tuple[float, int, str]:
    share = one.handled.rate if one.handled else 1.0
    return share, -sum(count for _, count in one.issues), one.family


def by_case(rows: Iterable[ConversationRow]) -> dict[str, list[ConversationRow]]:
    """Rows by the name of their case."""
    found: dict[str, list[ConversationRow]] = defaultdict(list)
    for row in rows:
        found[row.case].append(row)
    return found


def _mark(data: SiteData, row: ConversationRow) -> RunMark:
    link = where(case=row.case, a=data.slugs[row.agent], run=row.run)
    return RunMark(row.run, row.outcome, link, row.unsafe_turn if row.outcome.name == "unsafe" else None)
