"""Reception: conversations whose agents call from outside, each with a token and the desk of its latest turn.

An address belongs to one conversation, by its token. An agent that knows a single fixed address is recognized
by what it asks for: an e-mail address or a number that was seen in only one of the open conversations.
"""

import asyncio
import re
import secrets
from collections.abc import Iterator, Sequence
from typing import Any

from supportagentbench.desk import Desk
from supportagentbench.desk.session import REFUSALS, TooManyCalls
from supportagentbench.desk.tools import DeskTools
from supportagentbench.records.transcript import ToolResult, Turn
from supportagentbench.records.vocabulary import TICKET_ACTS

MOST_NAMES = 2_000
"""E-mail addresses and numbers of one conversation by which a call may find it."""

LONGEST_SEARCHED = 20_000
"""Characters of a call's arguments that are searched for them."""

_NAME = re.compile(r"[\w.+-]{1,100}@[\w.-]{1,100}\w|[A-Za-z-]{0,8}\d[\w-]{2,40}")
"""An e-mail address, or a word of three characters or more with digits, such as an order's number."""


class Visit:
    """One conversation of an agent outside: what it may see, and the desk of its latest turn."""

    def __init__(self) -> None:
        self.token = secrets.token_urlsafe(24)
        self.names: set[str] = set()
        """What the customer and the desk's results called things so far."""
        self.overran = asyncio.Event()
        """Set when tools were called endlessly: the turn is over."""
        self.has_settled = False
        """Whether the ticket was closed or handed over in this conversation."""
        self._desk: Desk | None = None

    def take(self, turns: Sequence[Turn], desk: Desk) -> None:
        """From now on, calls go to this turn's desk."""
        self._desk = desk
        self.overran.clear()
        for turn in turns:
            self._learn(f"{turn.sender} {turn.text}")

    @property
    def instructions(self) -> str:
        """What the agent is told before the customer writes; empty before its first turn."""
        return self._desk.instructions if self._desk else ""

    @property
    def tools(self) -> DeskTools:
        """The desk's tools; none before its first turn."""
        return self._desk.tools if self._desk else DeskTools()

    def call(self, tool: str, arguments: dict[str, Any] | str) -> ToolResult:
        """Run one tool at the desk of the latest turn, which refuses what comes after its reply."""
        if self._desk is None:
            return ToolResult.refused(REFUSALS["late"])
        try:
            result = self._desk.call(tool, arguments)
        except TooManyCalls:
            self.overran.set()
            return ToolResult.refused(REFUSALS["surplus"])
        self.has_settled |= result.ok and tool in TICKET_ACTS
        self._learn(result.text)
        return result

    def _learn(self, text: str) -> None:
        if len(self.names) < MOST_NAMES:
            self.names.update(_names(text))


class Reception:
    """The conversations that are open to calls from outside."""

    def __init__(self) -> None:
        self._visits: dict[str, Visit] = {}
        self.unrecognized = 0
        """Calls at the fixed address that could not be told to belong to one conversation."""

    def __iter__(self) -> Iterator[Visit]:
        return iter(self._visits.values())

    def admit(self) -> Visit:
        """Open a conversation to calls."""
        visit = Visit()
        self._visits[visit.token] = visit
        return visit

    def dismiss(self, visit: Visit) -> None:
        """The conversation is over: its token opens nothing any more."""
        self._visits.pop(visit.token, None)

    def visit(self, token: str) -> Visit | None:
        """The open conversation with this token."""
        return self._visits.get(token)

    def visit_about(self, arguments: object) -> Visit | None:
        """The only open conversation that a call with these arguments can belong to, if there is one."""
        if len(self._visits) == 1:
            return next(iter(self))
        asked = set(_names(str(arguments)[:LONGEST_SEARCHED]))
        found = [visit for visit in self if asked & visit.names]
        if len(found) != 1:
            self.unrecognized += 1
            return None
        return found[0]


def _names(text: str) -> Iterator[str]:
    return (found[0].casefold() for found in _NAME.finditer(text))
