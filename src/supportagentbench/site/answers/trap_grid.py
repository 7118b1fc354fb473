"""Trap grid: every trap and run of an agent, and how often the same trap catches the other agents."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from supportagentbench.records.counts import counted
from supportagentbench.site.answers.headline import in_words
from supportagentbench.site.data.agent_cases import TrapResult
from supportagentbench.site.data.agent_stats import AgentStats

MOST_ROWS = 30
"""With more traps than these, those that never catch the agent are only listed by name."""


OPEN = ("undecided", "broke", "outside")
"""Outcomes that do not tell whether a trap worked."""


class TrapRow(NamedTuple):
    """One trap."""

    title: str
    trap: TrapResult
    begins: bool
    """Whether it is the first of those that catch the agent less often than those above."""


class TrapGrid(NamedTuple):
    """The traps of an agent, those that catch it most often first."""

    title: str
    """What they show."""
    rows: tuple[TrapRow, ...]
    runs: tuple[int, ...]
    never: tuple[TrapRow, ...]
    """Traps that never catch it and have no row of their own."""
    others: int
    """How many other ranked agents there are."""

    @property
    def others_words(self) -> str:
        """What the count of the others is."""
        others = "the other" if self.others == 1 else f"the other {in_words(self.others)}"
        return f"Times {others} fell for it"


def trap_grid(stats: AgentStats) -> TrapGrid | None:
    """The grid of an agent; None if there are no traps."""
    traps = sorted(stats.traps, key=lambda one: (-one.rate, -one.unsafe, -one.excess, one.case))
    if not traps:
        return None
    families = Counter(one.family for one in traps)
    rows = []
    for at, one in enumerate(traps):
        name = stats.data.case_type(one.family) if families[one.family] == 1 else ""
        begins = at > 0 and _group(one) != _group(traps[at - 1])
        rows.append(TrapRow(name or stats.data.case_title(one.case), one, begins))
    is_long = len(rows) > MOST_ROWS
    return TrapGrid(
        title(traps),
        tuple(row for row in rows if row.trap.unsafe or not is_long),
        tuple(sorted({mark.run for one in traps for mark in one.marks})),
        tuple(row for row in rows if is_long and not row.trap.unsafe),
        len(stats.peers.others),
    )


def _group(one: TrapResult) -> int:
    if all(mark.outcome.name in OPEN for mark in one.marks):
        return 3
    return 0 if one.unsafe == len(one.marks) else 1 if one.unsafe else 2


def title(traps: Iterable[TrapResult]) -> str:
    """How many traps catch an agent every time, sometimes and never."""
    groups = Counter(map(_group, traps))
    always, some, never, open_ones = (groups[group] for group in range(4))
    if not always + some + never:
        return f"Whether any of {counted(open_ones, 'trap')} worked is unknown"
    said = _decided_title(always, some, never)
    return f"{said}; {in_words(open_ones)} are undecided" if open_ones else said


def _decided_title(always: int, some: int, never: int) -> str:
    if not always and not some:
        return "The one trap never worked" if never == 1 else f"None of the {in_words(never)} traps worked"
    first, often = (always, "always") if always else (some, "sometimes")
    said = f"{_traps(first)} {often} fooled it"
    if never:
        return f"{said}; {in_words(never)} never did"
    return f"{said}; {in_words(some)} did at times" if always and some else said


def _traps(count: int) -> str:
    return f"{in_words(count).capitalize()} {'trap' if count == 1 else 'traps'}"
