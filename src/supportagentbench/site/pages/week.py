"""Week: the page of a shadow week, for the owner of the desk that the tickets are from."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

from supportagentbench.records.shadow import Difference, ShadowTicket, ShadowWeek
from supportagentbench.site.answers.shadow_agreement import DeskAgreement, agreement
from supportagentbench.site.answers.shadow_differences import (
    MEANINGS,
    TITLES,
    AgentDifferences,
    agent_differences,
)
from supportagentbench.site.answers.shadow_money import ShadowMoney, shadow_money
from supportagentbench.site.answers.shadow_reading import (
    JudgedSide,
    ShadowExhibit,
    agent_side,
    exhibits,
    people_side,
)
from supportagentbench.site.answers.shadow_rulings import AgentRulings, agent_rulings
from supportagentbench.site.answers.shadow_words import (
    ShadowHeadline,
    can_tell,
    cannot_tell,
    day_text,
    headline,
)
from supportagentbench.site.answers.short_chat import Bubble
from supportagentbench.site.answers.ticket_talk import whole_talk
from supportagentbench.site.charts.tally import Tally, TallyCount, TallyLook
from supportagentbench.site.data.opened_set import OpenedSet, OpenedSets, plain_text
from supportagentbench.site.data.shadow_data import ShadowData, TriedTicket, kind_title
from supportagentbench.site.pages.page import SitePage
from supportagentbench.site.pages.page_context import Headed, PageContext
from supportagentbench.site.pages.single import PartLink, single_page
from supportagentbench.site.pages.ticket_line import TicketLine, gist

PAGE = "week.html"
"""The name of the page, and of its template."""

LOOKS: dict[Difference, TallyLook] = {
    "same": "plain",
    "more_generous": "harm",
    "stricter": "cool",
    "handed_over": "pale",
    "taken_on": "warm",
    "other": "grey",
    "unknown": "open",
}
"""What each difference is drawn in."""

DANGER = "Content note: a person is in danger."
"""In the list, in place of what such a person wrote."""

FEW_TALKS = 3
"""Up to this many talks on a ticket are named in the list; more are counted."""

NAVIGATION = (
    PartLink("What to read first", "#read"),
    PartLink("What this can tell", "#limits"),
    PartLink("All tickets", "#tickets"),
)


class ShownTalk(NamedTuple):
    """One agent's talk on a ticket."""

    side: JudgedSide
    run: int
    """0: there is only one."""
    difference: str
    classes: str
    """The sets that it is in."""


class ShownTicket(NamedTuple):
    """A ticket with everything that was said and done on it."""

    line: TicketLine
    person: str
    facts: tuple[tuple[str, str], ...]
    history: tuple[Bubble, ...]
    people: JudgedSide
    talks: tuple[ShownTalk, ...]
    doubts: tuple[str, ...]


@dataclass(frozen=True)
class WeekContext(PageContext):
    """The page of a shadow week."""

    TEMPLATES: ClassVar = ("week.html",)

    data: ShadowData
    found: ShadowHeadline
    differences: list[AgentDifferences]
    tallies: list[Tally]
    rulings: list[AgentRulings]
    agreement: DeskAgreement
    money: ShadowMoney
    exhibits: tuple[ShadowExhibit, ...]
    unapproved: OpenedSet
    unknown_orders: OpenedSet
    """Tickets of whose order nothing is known."""
    titles: ClassVar[Mapping[Difference, str]] = TITLES
    meanings: ClassVar[Mapping[Difference, str]] = MEANINGS
    day_text: ClassVar = staticmethod(day_text)

    @property
    def week(self) -> ShadowWeek:
        """The record."""
        return self.data.week

    @property
    def sets(self) -> OpenedSets:
        """What the numbers open."""
        return self.data.sets

    @property
    def can(self) -> tuple[str, ...]:
        """What this can tell."""
        return can_tell(self.data)

    @property
    def cannot(self) -> tuple[str, ...]:
        """What it cannot."""
        return cannot_tell(self.data)

    @cached_property
    def tickets(self) -> list[ShownTicket]:
        """All tickets, in the order of the import."""
        return list(_tickets(self.data))

    @property
    def headed(self) -> Headed:
        """How the page is called where it is linked."""
        return Headed(plain_text(self.found.title), " ".join(map(plain_text, self.found.whom)))


def week_page(week: ShadowWeek) -> bytes:
    """The page as one file."""
    data = ShadowData(week)
    differences, rulings = agent_differences(data), agent_rulings(data)
    context = WeekContext(
        data,
        headline(data, differences, rulings),
        differences,
        [_tally(data, one) for one in differences],
        rulings,
        agreement(data),
        shadow_money(data),
        exhibits(data),
        data.tickets("not approved yet, so doubtful words are hidden", lambda one: not one.approved),
        data.tickets(
            "nothing is known of the order, so agents could look nothing up", lambda one: not one.in_books
        ),
    )
    return single_page(SitePage(PAGE, PAGE, context), NAVIGATION, _tag(week), data.sets.rules)


def _tally(data: ShadowData, found: AgentDifferences) -> Tally:
    counts = (TallyCount(LOOKS[one.kind], one.title, one.opened, one.money) for one in found.counts)
    return Tally(data.names[found.agent], tuple(counts))


def _tag(week: ShadowWeek) -> str:
    agents = {one.agent for ticket in week.resumed for one in ticket.tries}
    if agents and agents <= {*week.invented}:
        return "These agents are invented"
    return "Pseudonymised, not anonymous: keep it like the export"


def _tickets(data: ShadowData) -> Iterator[ShownTicket]:
    classes = data.sets.classes()
    for one in data.week.resumed:
        talks = tuple(_talks(data, one, classes))
        opening = next((turn.text for turn in one.history if turn.party == "customer"), "")
        first = DANGER if one.is_danger else gist(opening)
        asides, own = _asides(talks), classes.get(one.ticket, "")
        yield ShownTicket(
            TicketLine(one.ticket, kind_title(one), first, asides, own),
            one.person,
            tuple(one.facts.items()),
            whole_talk(one.history, data.week.titles),
            people_side(data, one, whole_talk(one.human, data.week.titles, one.judged.turn)),
            talks,
            tuple(_doubts(one)),
        )


def _asides(talks: tuple[ShownTalk, ...]) -> tuple[str, ...]:
    """How a few agents differed, by name; for many, how often in which way."""
    if len(talks) <= FEW_TALKS:
        return tuple(f"{one.side.name}: {one.difference.lower()}" for one in talks)
    found = Counter(one.difference for one in talks).most_common()
    return tuple(f"{count} {title.lower()}" for title, count in found)


def _talks(data: ShadowData, ticket: ShadowTicket, classes: Mapping[str, str]) -> Iterator[ShownTalk]:
    for tried in ticket.tries:
        one = TriedTicket(ticket, tried)
        side = agent_side(data, one, whole_talk(tried.talk, data.week.titles, tried.judged.turn))
        run = tried.run if data.is_repeated else 0
        yield ShownTalk(side, run, TITLES[tried.difference], classes.get(one.key, ""))


def _doubts(ticket: ShadowTicket) -> Iterator[str]:
    if not ticket.approved:
        yield "Not approved yet."
    if not ticket.in_books:
        yield "Nothing is known of its order: the agent could look nothing up."
    if ticket.unknown:
        yield f"Unknown: {', '.join(name.replace('_', ' ') for name in ticket.unknown)}."
