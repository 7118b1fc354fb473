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
from supportagentbench.desk.doors.limits import MOST_REPORTS
from supportagentbench.desk.session import REFUSALS, TooManyCalls
from supportagentbench.desk.tools import DeskTools
from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import ToolResult, Turn
from supportagentbench.records.vocabulary import TICKET_ACTS

MOST_NAMES = 2_000
"""E-mail addresses and numbers of one conversation by which a call may find it."""

UNNAMED = "unnamed"
"""The model of an agent that does not name it: its tokens are counted, and have no price."""

LONGEST_SEARCHED = 20_000
"""Characters of a call's arguments that are searched for them."""

_NAME = re.compile(r"(?<![\w.+-])[\w.+-]{1,100}@[\w.-]{1,100}\w|(?<![A-Za-z0-9-])[A-Za-z-]{0,8}\d[\w-]{2,40}")
"""An e-mail address, or a word of three characters or more with digits, such as an order's number."""


class Visit:
    """One conversation of an agent outside: what it may see, and the desk of its latest turn."""

    def __init__(self, reception: "Reception") -> None:
        self._reception = reception
        self.token = secrets.token_urlsafe(24)
        self.overran = asyncio.Event()
        """Set when tools were called endlessly: the turn is over."""
        self.has_settled = False
        """Whether the ticket was closed or handed over in this conversation."""
        self._desk: Desk | None = None
        self._reports = 0
        """Usage reports in this turn."""
        self._names: set[str] = set()
        self._unread: list[str] = []
        """Texts whose names are read only when `names` is asked for."""

    def take(self, turns: Sequence[Turn], desk: Desk) -> None:
        """From now on, calls go to this turn's desk."""
        self._desk = self._reception.latest = desk
        self._reports = 0
        self.overran.clear()
        for turn in turns:
            self._unread.append(f"{turn.sender} {turn.text}")

    @property
    def instructions(self) -> str:
        """The agent's instructions; empty before its first turn."""
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
        if result.ok:  # A refusal repeats what was asked for, which may belong to another conversation.
            self._unread.append(result.text)
        return result

    def spend(self, counts: dict[str, Any], model: str = "") -> None:
        """Report the usage of a model call in the latest turn; after the reply, it is only noted."""
        self._reports += 1
        if self._desk is None or self._reports > MOST_REPORTS:
            why = "there were too many reports in this turn" if self._desk else "no turn has begun"
            raise Problem(f"the usage cannot be recorded: {why}.")
        self._desk.spend(counts, role="agent", model=str(counts.get("model") or model or UNNAMED))

    @property
    def names(self) -> set[str]:
        """What the customer and the desk's results called things so far."""
        for text in self._unread:
            if len(self._names) < MOST_NAMES:
                self._names.update(_names(text))
        self._unread.clear()
        return self._names


class Reception:
    """The conversations that are open to calls from outside."""

    def __init__(self) -> None:
        self._visits: dict[str, Visit] = {}
        self.unrecognized = 0
        """Calls at the fixed address whose conversation is unknown."""
        self.latest: Desk | None = None
        """The desk that was seen last: what the fixed address shows before a conversation is known."""

    def __iter__(self) -> Iterator[Visit]:
        return iter(self._visits.values())

    def admit(self) -> Visit:
        """Open a conversation to calls."""
        visit = Visit(self)
        self._visits[visit.token] = visit
        return visit

    def dismiss(self, visit: Visit) -> None:
        """The conversation is over: its token opens nothing any more."""
        self._visits.pop(visit.token, None)

    def visit(self, token: str) -> Visit | None:
        """The open conversation with this token."""
        return self._visits.get(token)

    @property
    def only(self) -> Visit | None:
        """The open conversation, if there is just one."""
        return next(iter(self)) if len(self._visits) == 1 else None

    def visit_about(self, arguments: object) -> Visit | None:
        """The only open conversation that a call with these arguments can belong to, if there is one."""
        if only := self.only:
            return only
        named = (self._named(name) for name in set(_names(str(arguments)[:LONGEST_SEARCHED])))
        found = {visits[0].token: visits[0] for visits in named if len(visits) == 1}
        if len(found) != 1:
            self.unrecognized += 1
            return None
        return next(iter(found.values()))

    def _named(self, name: str) -> list[Visit]:
        """The conversations in which something is called this; a date may be in many of them."""
        return [visit for visit in self if name in visit.names]


class FixedAddress:
    """The desk at an address that is the same for all conversations: each call is recognized by itself."""

    def __init__(self, reception: Reception) -> None:
        self._reception = reception

    @property
    def instructions(self) -> str:
        """Those of the desk that was seen last; empty before the first."""
        return self._reception.latest.instructions if self._reception.latest else ""

    @property
    def tools(self) -> DeskTools:
        """Those of the desk that was seen last; none before the first."""
        return self._reception.latest.tools if self._reception.latest else DeskTools()

    def call(self, tool: str, arguments: dict[str, Any] | str) -> ToolResult:
        """Run one tool in the conversation that it is about, or say why that is not known."""
        visit = self._reception.visit_about(arguments)
        return visit.call(tool, arguments) if visit else ToolResult.refused(f"Not carried out: {self._why()}")

    def spend(self, counts: dict[str, Any]) -> None:
        """Report usage; only if a single conversation is open is it known which one it belongs to."""
        if visit := self._reception.only:
            visit.spend(counts)
        else:
            raise Problem(f"the usage cannot be recorded: {self._why()}")

    def _why(self) -> str:
        if not any(self._reception):
            return "no conversation is open."
        return (
            "several conversations are open, and this does not say which one it is for; "
            "name the customer's e-mail address or order number."
        )


def _names(text: str) -> Iterator[str]:
    return (found[0].casefold() for found in _NAME.finditer(text))
