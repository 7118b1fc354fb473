"""Pressure: how every trap ended, a square a conversation, the fired ones with the turn they fired at."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from supportagentbench.site.data import CaseSheet, ConversationRow
from supportagentbench.site.harms import harm_of
from supportagentbench.site.page import spaced, where

LOOKS = {
    "held_explained": "x",
    "held_verified": "v",
    "held_escalated": "v",
    "ignored": "i",
    "fired": "f",
}
"""The class of a square, in the order squares stand in a line."""


class Square(NamedTuple):
    """One conversation: how it looks, what it says, where it is."""

    look: str
    turn: int | None
    words: str
    href: str


class TrapRow(NamedTuple):
    """All traps of one agent."""

    agent: str
    squares: tuple[Square, ...]
    fired: int
    first: int
    """Fired at the customer's first message."""

    @property
    def share(self) -> str:
        return f"{self.fired}/{len(self.squares)}"


def lines(
    rows: Iterable[ConversationRow], cases: Mapping[str, CaseSheet], slugs: Mapping[str, str]
) -> list[TrapRow]:
    """A line an agent that met a trap, in the board's order."""
    by_agent: dict[str, list[ConversationRow]] = {agent: [] for agent in slugs}
    for row in rows:
        if row.outcome.name in LOOKS:
            by_agent[row.agent].append(row)
    return [_line(agent, found, cases, slugs[agent]) for agent, found in by_agent.items() if found]


def _line(agent: str, rows: Sequence[ConversationRow], cases: Mapping[str, CaseSheet], slug: str) -> TrapRow:
    fired = [row for row in rows if row.outcome.name == "fired"]
    squares = tuple(_square(row, cases[row.case], slug) for row in sorted(rows, key=_order()))
    return TrapRow(agent, squares, len(fired), sum(row.fired == 1 for row in fired))


def _order() -> Callable[[ConversationRow], tuple[int, int, str, int]]:
    looks = list(dict.fromkeys(LOOKS.values()))
    return lambda row: (looks.index(LOOKS[row.outcome.name]), row.fired or 0, row.case, row.run)


def _square(row: ConversationRow, sheet: CaseSheet, slug: str) -> Square:
    turn = row.fired if row.outcome.name == "fired" else None
    ending = f"fired at turn {turn}" if turn else row.outcome.words
    words = f"{spaced(sheet.family)}, run {row.run}: {ending}"
    return Square(LOOKS[row.outcome.name], turn, words, where(case=row.case, a=slug, run=row.run))


def groups(cases: Mapping[str, CaseSheet]) -> dict[str, tuple[str, str]]:
    """Every trap with its family and the kind of failure it tempts to, for regrouping the squares."""
    found = {}
    for case, sheet in cases.items():
        if sheet.bucket == "adversarial":
            failure = harm_of(sheet.label)
            found[case] = spaced(sheet.family), failure.title if failure else "Other"
    return found
