"""Replay: the page of openings that several agents answered, differences first."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

from supportagentbench.records.invented import INVENTED
from supportagentbench.records.replay import Replay, TalkCourse, TalkDifference
from supportagentbench.site.answers.replay_findings import TITLES as DIFFERENCE_TITLES
from supportagentbench.site.answers.replay_findings import (
    AgentCourses,
    AgentEffort,
    DifferenceShare,
    ReplayHeadline,
    agent_courses,
    agent_efforts,
    difference_shares,
    replay_headline,
)
from supportagentbench.site.answers.replay_reading import (
    ReplayExhibit,
    ReplaySide,
    as_sentence,
    replay_exhibits,
    replay_kind,
    whole_side,
)
from supportagentbench.site.answers.short_chat import Bubble
from supportagentbench.site.answers.ticket_talk import whole_talk
from supportagentbench.site.charts.tally import Tally, TallyCount, TallyLook
from supportagentbench.site.data.opened_set import OpenedSets, plain_text
from supportagentbench.site.data.replay_data import ReplayData, ReplayedTalk
from supportagentbench.site.pages.page import SitePage
from supportagentbench.site.pages.page_context import Headed, PageContext
from supportagentbench.site.pages.single import PartLink, single_page
from supportagentbench.site.pages.ticket_line import TicketLine, gist

PAGE = "replay.html"

NAVIGATION = (
    PartLink("What to read first", "#read"),
    PartLink("What this can tell", "#limits"),
    PartLink("All tickets", "#tickets"),
)

DIFFERENCE_LOOKS: dict[TalkDifference, TallyLook] = {
    "acts": "cool",
    "asks": "pale",
    "claims": "warm",
    "course": "grey",
    "same": "plain",
}
COURSE_LOOKS: dict[TalkCourse, TallyLook] = {
    "acted": "cool",
    "handed_over": "pale",
    "refused": "warm",
    "asked": "grey",
    "answered": "plain",
    "silent": "open",
    "broke": "harm",
}


class AnsweredTalk(NamedTuple):
    """One agent's talk on a ticket."""

    side: ReplaySide
    classes: str
    """The sets that it is in."""
    told: tuple[str, ...]
    """What it looked up, and what it told."""


class AnsweredTicket(NamedTuple):
    """A ticket with all talks."""

    line: TicketLine
    contrasts: tuple[str, ...]
    opening: tuple[Bubble, ...]
    talks: tuple[AnsweredTalk, ...]
    is_shown: bool
    in_books: bool


@dataclass(frozen=True)
class ReplayContext(PageContext):
    """The page of a replay."""

    TEMPLATES: ClassVar = ("replay.html",)

    data: ReplayData
    found: ReplayHeadline
    shares: Tally
    courses: list[Tally]
    efforts: list[AgentEffort]
    exhibits: tuple[ReplayExhibit, ...]

    @property
    def replay(self) -> Replay:
        """The record."""
        return self.data.replay

    @property
    def sets(self) -> OpenedSets:
        """What the numbers open."""
        return self.data.sets

    @cached_property
    def tickets(self) -> list[AnsweredTicket]:
        """All tickets, those that differ most first."""
        return list(_tickets(self.data))

    @property
    def headed(self) -> Headed:
        """How the page is called where it is linked."""
        return Headed(plain_text(self.found.title), " ".join(map(plain_text, self.found.whom)))


def replay_page(replay: Replay) -> bytes:
    """The page as one file."""
    data = ReplayData(replay)
    shares = difference_shares(data)
    context = ReplayContext(
        data,
        replay_headline(data, shares),
        _shares(shares),
        [_courses(one) for one in agent_courses(data)],
        agent_efforts(data),
        replay_exhibits(data),
    )
    invented = replay.agents and {*replay.agents} <= INVENTED
    tag = "These agents are invented" if invented else "Pseudonymised, not anonymous: keep it like the export"
    return single_page(SitePage(PAGE, PAGE, context), NAVIGATION, tag, data.sets.rules)


def _shares(shares: list[DifferenceShare]) -> Tally:
    counts = (TallyCount(DIFFERENCE_LOOKS[one.kind], one.title, one.opened) for one in shares)
    return Tally("Openings", tuple(counts))


def _courses(found: AgentCourses) -> Tally:
    counts = (TallyCount(COURSE_LOOKS[kind], title, opened) for kind, title, opened in found.courses)
    return Tally(found.name, tuple(counts))


def _tickets(data: ReplayData) -> Iterator[AnsweredTicket]:
    classes = data.sets.classes()
    for one in data.replay.replayed:
        aside = DIFFERENCE_TITLES[one.difference] if one.difference else "Not compared"
        yield AnsweredTicket(
            TicketLine(
                one.ticket, replay_kind(one), gist(one.opening.text), (aside,), classes.get(one.ticket, "")
            ),
            tuple(as_sentence(contrast.words) for contrast in one.contrasts),
            whole_talk([one.opening], {}),
            tuple(_talk(data, ReplayedTalk(one, talk), classes) for talk in one.talks),
            one.shown,
            one.in_books,
        )


def _talk(data: ReplayData, one: ReplayedTalk, classes: Mapping[str, str]) -> AnsweredTalk:
    titles = data.replay.titles
    looked = (
        f"{titles.get(tool, tool)}{'' if found else ' (nothing found)'}"
        for tool, found in one.talk.looked_up.items()
    )
    asked = (titles.get(topic, topic) for topic in one.talk.asked)
    told = (f"“{claim.quote}”" for claim in one.talk.claims)
    lines = {"Looked up": [*looked], "Asked for": [*asked], "Told": [*told]}
    return AnsweredTalk(
        whole_side(data, one.talk),
        classes.get(one.key, ""),
        tuple(f"{title}: {', '.join(some)}." for title, some in lines.items() if some),
    )
