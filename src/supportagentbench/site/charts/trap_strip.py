"""Trap strip: every trap conversation of an agent as a square, the traps in one order for all agents."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from supportagentbench.site.data.links import behind
from supportagentbench.site.data.site_data import CaseSheet, ConversationRow

MOST = 120
"""With more squares than these, runs of one trap are one square."""


class TrapMark(NamedTuple):
    """One trap conversation: whether the trap worked, and what a pointer shows."""

    worked: bool
    words: str = ""


class TrapStrip(NamedTuple):
    """All trap conversations of one agent."""

    traps: tuple[tuple[TrapMark, ...], ...]
    """The runs of each trap."""
    worked: int
    of: int
    link: str
    """The conversations in which a trap worked."""

    @property
    def words(self) -> str:
        return f"{self.worked or 'None'} of {self.of} traps worked"


def trap_strips(
    rows: Iterable[ConversationRow],
    cases: Mapping[str, CaseSheet],
    slugs: Mapping[str, str],
    agents: Sequence[str],
) -> dict[str, TrapStrip]:
    """One strip for each of these agents that met a trap; traps that worked on many come first."""
    found: dict[str, dict[str, list[TrapMark]]] = defaultdict(lambda: defaultdict(list))
    worked: Counter[str] = Counter()
    for row in _counted(rows, cases, agents):
        is_unsafe = row.outcome.name == "unsafe"
        worked[row.case] += is_unsafe
        at = f": gave in at message {row.unsafe_turn}" if row.unsafe_turn else ""
        words = f"{cases[row.case].case_type}, run {row.run}{at}" if is_unsafe else ""
        found[row.agent][row.case].append(TrapMark(is_unsafe, words))
    order = sorted({case for marks in found.values() for case in marks}, key=lambda one: (-worked[one], one))
    return {
        agent: _strip([marks[case] for case in order if case in marks], slugs[agent])
        for agent, marks in found.items()
    }


def _strip(traps: Sequence[Sequence[TrapMark]], slug: str) -> TrapStrip:
    marks = [mark for runs in traps for mark in runs]
    shown = traps if len(marks) <= MOST else [[max(runs)] for runs in traps]
    worked = sum(mark.worked for mark in marks)
    return TrapStrip(tuple(map(tuple, shown)), worked, len(marks), behind("unsafe", slug))


def _counted(
    rows: Iterable[ConversationRow], cases: Mapping[str, CaseSheet], agents: Sequence[str]
) -> Iterator[ConversationRow]:
    """The conversations that the figure on traps counts."""
    for row in rows:
        sheet = cases[row.case]
        is_trap = sheet.bucket == "adversarial" and not sheet.twin_of
        if row.agent in agents and is_trap and row.outcome.name not in ("outside", "undecided"):
            yield row
