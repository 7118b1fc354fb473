"""Opening cases: the first messages of real tickets as cases of a world, without labels.

A ticket that cannot be one is left out, with the reason. Without a map the books hold none of the records
that tickets are about, so look-ups find nothing.
"""

from collections.abc import Iterable
from typing import NamedTuple

from supportagentbench.records.case import Brief, Label
from supportagentbench.records.problem import Problem
from supportagentbench.records.ticket import SupportTicket
from supportagentbench.records.transcript import Turn
from supportagentbench.shadow.desk_map import DeskMap
from supportagentbench.shadow.imported_cases import ImportedCases
from supportagentbench.shadow.resume_point import is_message_of, turns_of
from supportagentbench.shadow.ticket_cases import TicketCaseMaker, day_of
from supportagentbench.tickets.pseudonyms import UNREAD
from supportagentbench.world.fixture import Fixture
from supportagentbench.world.folder import World

OPENINGS = "openings"
"""What runs on the openings of real tickets are called instead of a set."""

LONGEST = 20_000
"""Characters of an opening; also the most that an agent may reply."""


class OpeningCase(NamedTuple):
    """A real ticket whose opening can be sent to agents."""

    ticket: str
    kind: str
    """What the real desk says that it is about."""
    request: str
    """What its customer asks for, if the map says so."""
    approved: bool
    fixture: Fixture


class OpeningCases(ImportedCases):
    """The tickets of an import whose openings can be sent to agents."""

    set_name, use = OPENINGS, "replayed"

    def __init__(self, world: World, tickets: Iterable[SupportTicket], desk_map: DeskMap) -> None:
        super().__init__(world)
        self.openings: dict[str, OpeningCase] = {}
        self._maker = OpeningCaseMaker(world, desk_map, self.shop)
        self._take_all(tickets)

    def _take(self, ticket: SupportTicket) -> None:
        one = self._maker.opening(ticket)
        self._enter(one.fixture)
        self.openings[ticket.id] = one

    def _label(self, fixture: Fixture, brief: Brief) -> Label:
        """None: everything that the desk can do may be right or wrong."""
        return Label("undecided", undecided=tuple(self.world.kit.acts))


class OpeningCaseMaker(TicketCaseMaker):
    """Makes a case of the first message of a ticket; the later ones are what its customer can say."""

    def opening(self, ticket: SupportTicket) -> OpeningCase:
        """The ticket before any answer; a Problem says why it cannot be replayed."""
        events = ticket.events
        first = next((at for at, event in enumerate(events) if is_message_of(event, "customer")), None)
        if first is None:
            raise Problem("has no message of a customer")
        opening, *later = turns_of(events[first:])
        _refuse_unfit(ticket, opening)
        request = self._map.request_of(ticket)
        fixture = self.fixture(ticket, request, (opening,), tuple(later), day_of(events[: first + 1]))
        return OpeningCase(ticket.id, ticket.kind, request, ticket.approved, fixture)


def _refuse_unfit(ticket: SupportTicket, opening: Turn) -> None:
    if not opening.text.strip():
        raise Problem("its opening has no words")
    if len(opening.text) > LONGEST:
        raise Problem(f"its opening has more than {LONGEST:,} characters")
    if not ticket.approved and UNREAD in opening.text:
        raise Problem("words of its opening are hidden until a person has approved it")
