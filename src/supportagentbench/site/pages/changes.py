"""Changes: what changed since an earlier board; both are scored with today's checks."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

from msgspec.structs import replace

from supportagentbench.board.agent_comparison import (
    MetricDifference,
    corrected,
    differences_between,
    tables_of,
)
from supportagentbench.board.metrics import METRICS
from supportagentbench.board.recommendation_words import in_words, listed
from supportagentbench.board.standings import COMPARED, check_comparable
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record
from supportagentbench.results.load import ScoredRun
from supportagentbench.site.pages.page import SitePage
from supportagentbench.site.pages.page_context import Headed, PageContext

How = Literal["same", "more", "again"]
"""The same conversations, those and more, or different ones."""

NOW, BEFORE = "now", "before"


class ChangedSetting(Record):
    """One setting of all runs of a board, before and now."""

    name: str
    before: tuple[str, ...]
    now: tuple[str, ...]

    @property
    def changed(self) -> bool:
        return self.before != self.now


class Moved(Record):
    """One agent that is on both boards."""

    agent: str
    how: How
    before: int
    """Conversations then."""
    now: int
    gaps: tuple[MetricDifference, ...] = ()
    """Now minus before, on the cases both have."""
    why_not: str = ""
    """Why nothing is compared, if nothing is."""


class Changes(Record, tag_field="record", tag="changes/1"):
    """Everything that differs between two boards."""

    new: tuple[str, ...]
    removed: tuple[str, ...]
    stayed: tuple[Moved, ...]
    settings: tuple[ChangedSetting, ...]
    added_cases: tuple[str, ...] = ()
    removed_cases: tuple[str, ...] = ()


def changes_of(before: list[ScoredRun], now: list[ScoredRun]) -> Changes:
    """What changed from the earlier runs to today's; both in the order given."""
    if not before or not now:
        raise Problem("one of the two sides has no runs; name folders that contain runs.")
    then, today = _by_agent(before), _by_agent(now)
    cases = _cases(before), _cases(now)
    stayed = [_moved(agent, then[agent], runs) for agent, runs in today.items() if agent in then]
    return Changes(
        new=tuple(agent for agent in today if agent not in then),
        removed=tuple(agent for agent in then if agent not in today),
        stayed=_corrected(stayed),
        settings=tuple(_settings(before, now)),
        added_cases=tuple(case for case in cases[1] if case not in cases[0]),
        removed_cases=tuple(case for case in cases[0] if case not in cases[1]),
    )


def _by_agent(runs: Iterable[ScoredRun]) -> dict[str, list[ScoredRun]]:
    found: dict[str, list[ScoredRun]] = defaultdict(list)
    for run in sorted(runs, key=lambda one: one.header.run):
        found[run.header.agent].append(run)
    return dict(sorted(found.items()))


def _cases(runs: list[ScoredRun]) -> list[str]:
    return sorted({case for run in runs for case in run.header.cases})


SETTINGS = {
    "world": "World",
    "world_digest": "World digest",
    "policy_digest": "Policy digest",
    "set": "Set of cases",
    "case_seed": "Case seed",
    "customer": "Customer",
    "desk": "Desk",
    "turn_limit": "Turn limit",
    "prices": "Price table",
    "package": "Package version",
}
"""Fields of a run's header that have to be equal for two boards to be comparable, and their names."""


def _settings(before: list[ScoredRun], now: list[ScoredRun]) -> Iterator[ChangedSetting]:
    for field, name in SETTINGS.items():
        sides = [
            tuple(sorted({str(getattr(run.header, field)) for run in runs} - {""})) for runs in (before, now)
        ]
        yield ChangedSetting(name, *sides)


def _moved(agent: str, before: list[ScoredRun], now: list[ScoredRun]) -> Moved:
    then, today = _digests(before), _digests(now)
    how: How = "same" if then == today else "more" if then < today else "again"
    found = Moved(agent, how, len(then), len(today))
    if how == "same":
        return replace(found, why_not="The conversations are the same.")
    if how == "more":
        return replace(found, why_not="Today's conversations include the earlier ones.")
    try:
        check_comparable(before[0].header, now[0].header)
    except Problem:
        return replace(found, why_not="It was run on other cases or with other customers.")
    tables = tables_of({NOW: now, BEFORE: before}, [one for one in METRICS if one.name in COMPARED])
    return replace(found, gaps=differences_between(tables, NOW, BEFORE))


def _digests(runs: list[ScoredRun]) -> set[str]:
    return {f"{verdict.case} {verdict.transcript}" for run in runs for verdict in run.verdicts}


def _corrected(stayed: list[Moved]) -> tuple[Moved, ...]:
    """All differences on the page, corrected together."""
    every = iter(corrected(gap for one in stayed for gap in one.gaps))
    return tuple(replace(one, gaps=tuple(next(every) for _ in one.gaps)) for one in stayed)


@dataclass(frozen=True)
class ChangesContext(PageContext):
    """What changed since an earlier board."""

    TEMPLATES: ClassVar = ("changes.html",)

    changes: Changes

    @property
    def headed(self) -> Headed:
        return Headed(self.finding, "Agents, settings and cases, before and now, by the same checks.")

    @property
    def finding(self) -> str:
        """What changed, in a sentence without a full stop."""
        kinds = {"new": self.changes.new, "removed": self.changes.removed, "rerun": self.again}
        parts = [f"{in_words(len(some))} {kind}" for kind, some in kinds.items() if some]
        if not parts:
            return "No agent changed since the earlier board"
        return f"Agents since the earlier board: {listed(parts)}"

    def told(self, gaps: Iterable[MetricDifference]) -> list[MetricDifference]:
        """Figures under the names that pages use: of escalations, those that were missed."""
        terms = {metric.name: metric.term for metric in METRICS}
        return [
            replace(gap, title=terms[gap.metric], first=1 - gap.first, second=1 - gap.second)
            if gap.metric == "escalation"
            else replace(gap, title=terms[gap.metric])
            for gap in gaps
        ]

    @property
    def again(self) -> list[Moved]:
        """The agents that were rerun."""
        return [one for one in self.changes.stayed if one.how == "again"]

    @property
    def tests(self) -> int:
        """How many figures of rerun agents were tested."""
        return sum(len(one.gaps) for one in self.again)

    @property
    def moved(self) -> int:
        """How many of them changed by more than chance."""
        return sum(gap.is_significant for one in self.again for gap in one.gaps)


def page(changes: Changes) -> SitePage[ChangesContext]:
    """The page of changes, for a board that follows an earlier one."""
    return SitePage("changes.html", "changes.html", ChangesContext(changes))
