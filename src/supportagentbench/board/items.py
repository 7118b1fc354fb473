"""Items: how hard each case is for the agents of a folder, and whether it separates good from bad ones."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean
from typing import Literal, NamedTuple

import numpy as np

from supportagentbench.board.conversation_table import Cell
from supportagentbench.board.standings import check_comparable, check_one_draw, check_one_version
from supportagentbench.records.board import Interval
from supportagentbench.records.case import Bucket, Level
from supportagentbench.records.dummy import is_dummy
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record
from supportagentbench.records.verdict import Verdict
from supportagentbench.results.load import ScoredRun
from supportagentbench.stats.items import ItemRest, item_rest
from supportagentbench.stats.rates import holm, like_these

ItemMark = Literal["", "nobody fails", "everybody fails", "backwards"]
"""What is wrong with a case as a measure of these agents, if anything."""

SIGNIFICANT = 0.05


class CaseItem(Record):
    """One case over all agents."""

    case: str
    family: str
    bucket: Bucket
    level: Level
    twin_of: str
    failed: int
    """Conversations that were unsafe or wrong."""
    n: int
    """Conversations that code can decide."""
    difficulty: float
    """The share failed, every agent counting the same."""
    interval: Interval
    """For other agents like these."""
    discrimination: float | None
    """The correlation, over agents, of doing right here with doing right in the other cases of its sort."""
    discrimination_interval: Interval | None
    p_backwards: float | None
    """That better agents fail more, after Holm's correction for all cases."""
    mark: ItemMark


class ItemGroup(Record):
    """The cases of one sort and level together."""

    bucket: Bucket
    is_twin: bool
    level: Level
    cases: int
    difficulty: float
    discrimination: float | None
    """The mean over the cases that have one."""
    nobody_fails: int
    everybody_fails: int
    backwards: int


class ItemReport(Record, tag_field="record", tag="items/1"):
    """Every case of these runs as an item of a test."""

    world: str
    set: str
    agents: tuple[str, ...]
    left_out: tuple[str, ...]
    """Dummies: their habits make cases look hard or backwards."""
    groups: tuple[ItemGroup, ...]
    items: tuple[CaseItem, ...]
    """Hardest first."""

    def marked(self, mark: ItemMark) -> list[CaseItem]:
        """The cases with this mark."""
        return [item for item in self.items if item.mark == mark]


class CaseScores(NamedTuple):
    """One case: what it is, and in how many of its conversations each agent did right."""

    verdict: Verdict
    """Any one of them."""
    right: dict[str, list[bool]]
    """By agent."""

    @property
    def sort(self) -> tuple[Bucket, bool]:
        """The cases that it is compared with: an agent that refuses everything holds every trap."""
        return self.verdict.bucket, bool(self.verdict.twin_of)


def item_report(runs: Sequence[ScoredRun]) -> ItemReport:
    """The item statistics of these runs, which must be of the same world, set and cases."""
    if not runs:
        raise Problem("There is no run here. Run `sab run` first.")
    counted = [run for run in runs if not is_dummy(run.header)] or list(runs)
    first = counted[0].header
    for run in counted:
        check_comparable(first, run.header)
    check_one_draw(run.header for run in counted)
    by_agent: dict[str, list[ScoredRun]] = defaultdict(list)
    for run in counted:
        by_agent[run.header.agent].append(run)
    for found in by_agent.values():
        check_one_version([run.header for run in found])
    items = _items(_scores(counted), list(by_agent))
    return ItemReport(
        world=first.world,
        set=first.set,
        agents=tuple(sorted(by_agent)),
        left_out=tuple(sorted({run.header.agent for run in runs} - by_agent.keys())),
        groups=tuple(_groups(items)),
        items=tuple(sorted(items, key=lambda one: (-one.difficulty, one.case))),
    )


def _scores(runs: Iterable[ScoredRun]) -> list[CaseScores]:
    found: dict[str, CaseScores] = {}
    for run in runs:
        for verdict in run.verdicts:
            handling = verdict.outcome.handling
            if handling != "undecided":
                case = found.setdefault(verdict.case, CaseScores(verdict, {}))
                case.right.setdefault(run.header.agent, []).append(handling == "right")
    return [found[name] for name in sorted(found)]


def _items(cases: list[CaseScores], agents: list[str]) -> list[CaseItem]:
    rests: dict[str, ItemRest] = {}
    for sort in {case.sort for case in cases}:
        some = [case for case in cases if case.sort == sort]
        table = [[_share(case, agent) for case in some] for agent in agents]
        found = zip(some, item_rest(np.array(table)), strict=True)
        rests |= {case.verdict.case: rest for case, rest in found if rest}
    adjusted = holm([rest.p_backwards for rest in rests.values()])
    p_values = dict(zip(rests, map(float, adjusted), strict=True))
    return [_item(case, rests.get(case.verdict.case), p_values.get(case.verdict.case, 1.0)) for case in cases]


def _share(case: CaseScores, agent: str) -> float:
    return fmean(case.right[agent]) if agent in case.right else float("nan")


def _item(case: CaseScores, rest: ItemRest | None, p_backwards: float) -> CaseItem:
    verdict, n = case.verdict, sum(map(len, case.right.values()))
    failed = n - sum(map(sum, case.right.values()))
    rates = [1 - fmean(found) for found in case.right.values()]
    return CaseItem(
        case=verdict.case,
        family=verdict.family,
        bucket=verdict.bucket,
        level=verdict.level,
        twin_of=verdict.twin_of,
        failed=failed,
        n=n,
        difficulty=fmean(rates),
        interval=Interval(*like_these(rates, [1] * len(rates), list(case.right))),
        discrimination=rest.r if rest else None,
        discrimination_interval=Interval(rest.low, rest.high) if rest else None,
        p_backwards=p_backwards if rest else None,
        mark=_mark(failed, n, p_backwards),
    )


def _mark(failed: int, n: int, p_backwards: float) -> ItemMark:
    if not failed:
        return "nobody fails"
    if failed == n:
        return "everybody fails"
    return "backwards" if p_backwards < SIGNIFICANT else ""


def _groups(items: Iterable[CaseItem]) -> Iterator[ItemGroup]:
    """Traps, cases for a human, all others, twins; in each the easiest level first."""
    found: dict[tuple[bool, Bucket, Level], list[CaseItem]] = defaultdict(list)
    for item in items:
        found[bool(item.twin_of), item.bucket, item.level].append(item)
    for (is_twin, bucket, level), some in sorted(found.items()):
        known = [item.discrimination for item in some if item.discrimination is not None]
        marks = [item.mark for item in some]
        yield ItemGroup(
            bucket=bucket,
            is_twin=is_twin,
            level=level,
            cases=len(some),
            difficulty=fmean(item.difficulty for item in some),
            discrimination=fmean(known) if known else None,
            nobody_fails=marks.count("nobody fails"),
            everybody_fails=marks.count("everybody fails"),
            backwards=marks.count("backwards"),
        )


def item_rows(report: ItemReport) -> Iterator[dict[str, Cell]]:
    """A row per case, for a spreadsheet."""
    for item in report.items:
        spread = item.discrimination_interval
        yield {
            "case": item.case,
            "family": item.family,
            "bucket": item.bucket,
            "level": item.level,
            "twin_of": item.twin_of,
            "failed": item.failed,
            "n": item.n,
            "difficulty": item.difficulty,
            "difficulty_low": item.interval.low,
            "difficulty_high": item.interval.high,
            "discrimination": item.discrimination,
            "discrimination_low": spread.low if spread else None,
            "discrimination_high": spread.high if spread else None,
            "p_backwards": item.p_backwards,
            "mark": item.mark,
        }
