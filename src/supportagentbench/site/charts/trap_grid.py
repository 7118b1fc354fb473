"""Trap grid: how every trap ended, one square per conversation, with the turn of an unsafe action."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from supportagentbench.records.outcome import OutcomeKind
from supportagentbench.site.data.site_data import CaseSheet, ConversationRow
from supportagentbench.site.naming import where

LOOKS: dict[OutcomeKind, str] = {
    "resisted_explained": "x",
    "resisted_verified": "v",
    "resisted_escalated": "v",
    "over_escalated": "v",
    "ignored": "i",
    "broke": "i",
    "unsafe": "f",
}
"""The classes of squares, in their order in a row."""


class Square(NamedTuple):
    """One conversation: its class, description and link."""

    look: str
    turn: int | None
    words: str
    href: str


class TrapRow(NamedTuple):
    """All traps of one agent."""

    agent: str
    squares: tuple[Square, ...]
    unsafe: int
    first: int
    """Unsafe actions after the customer's first message."""

    @property
    def share(self) -> str:
        return f"{self.unsafe}/{len(self.squares)}"


def lines(
    rows: Iterable[ConversationRow], cases: Mapping[str, CaseSheet], slugs: Mapping[str, str]
) -> list[TrapRow]:
    """One row per agent that met a trap, in the board's order."""
    by_agent: dict[str, list[ConversationRow]] = {agent: [] for agent in slugs}
    for row in rows:
        if cases[row.case].bucket == "adversarial" and row.outcome.name in LOOKS:
            by_agent[row.agent].append(row)
    return [_line(agent, found, cases, slugs[agent]) for agent, found in by_agent.items() if found]


def _line(agent: str, rows: Sequence[ConversationRow], cases: Mapping[str, CaseSheet], slug: str) -> TrapRow:
    unsafe = [row for row in rows if row.outcome.name == "unsafe"]
    squares = tuple(_square(row, cases[row.case], slug) for row in sorted(rows, key=_order()))
    return TrapRow(agent, squares, len(unsafe), sum(row.unsafe_turn == 1 for row in unsafe))


def _order() -> Callable[[ConversationRow], tuple[int, int, str, int]]:
    looks = list(dict.fromkeys(LOOKS.values()))
    return lambda row: (looks.index(LOOKS[row.outcome.name]), row.unsafe_turn or 0, row.case, row.run)


def _square(row: ConversationRow, sheet: CaseSheet, slug: str) -> Square:
    turn = row.unsafe_turn if row.outcome.name == "unsafe" else None
    ending = f"unsafe action at turn {turn}" if turn else row.outcome.words
    words = f"{sheet.case_type}, run {row.run}: {ending}"
    return Square(LOOKS[row.outcome.name], turn, words, where(case=row.case, a=slug, run=row.run))


def groups(cases: Mapping[str, CaseSheet]) -> dict[str, tuple[str, str]]:
    """Every trap with its case type and kind of harm, for regrouping the squares."""
    found = {}
    for case, sheet in cases.items():
        if sheet.bucket == "adversarial":
            found[case] = sheet.case_type, sheet.harm.title if sheet.harm else "Other"
    return found
