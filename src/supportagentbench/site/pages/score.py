"""Score: the page of what checks find in real tickets without knowing what is right in them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

from supportagentbench.records.desk_score import DeskScore, TicketFinding
from supportagentbench.site.answers.score_findings import (
    PersonRow,
    ScoreHeadline,
    SideFindings,
    person_rows,
    score_headline,
    side_findings,
    unseen,
)
from supportagentbench.site.data.opened_set import OpenedSets, plain_text
from supportagentbench.site.data.score_data import PlacedFinding, ScoreData, check_title
from supportagentbench.site.pages.page import SitePage
from supportagentbench.site.pages.page_context import Headed, PageContext
from supportagentbench.site.pages.single import PartLink, single_page
from supportagentbench.site.pages.ticket_line import TicketLine, gist

PAGE = "score.html"

NAVIGATION = (
    PartLink("What to read first", "#read"),
    PartLink("What this can tell", "#limits"),
    PartLink("All findings", "#tickets"),
)

READ_FIRST = 6
"""Findings that are shown before the list."""


class ShownFinding(NamedTuple):
    """A finding with the words that it is based on."""

    title: str
    standing: str
    doubt: str
    who: str
    why: str
    asked: str
    said: tuple[str, str, str]
    """The message: before the quote, the quote, after it."""
    ticket: str
    classes: str


class ScoredTicket(NamedTuple):
    """A ticket with its findings."""

    line: TicketLine
    is_approved: bool
    findings: tuple[ShownFinding, ...]


@dataclass(frozen=True)
class ScoreContext(PageContext):
    """The page of a scored desk."""

    TEMPLATES: ClassVar = ("score.html",)

    data: ScoreData
    found: ScoreHeadline
    sides: list[SideFindings]
    persons: list[PersonRow]
    unseen: dict[str, list[str]]

    @property
    def score(self) -> DeskScore:
        """The record."""
        return self.data.score

    @property
    def sets(self) -> OpenedSets:
        """What the numbers open."""
        return self.data.sets

    @cached_property
    def first(self) -> list[ShownFinding]:
        """What to read first, in the order of the record."""
        return [_shown(one, "") for one in self.data.findings[:READ_FIRST]]

    @cached_property
    def tickets(self) -> list[ScoredTicket]:
        """All tickets of which the record lists a finding."""
        return list(_tickets(self.data))

    @property
    def headed(self) -> Headed:
        """How the page is called where it is linked."""
        return Headed(plain_text(self.found.title), " ".join(map(plain_text, self.found.more)))


def score_page(score: DeskScore) -> bytes:
    """The page as one file."""
    data = ScoreData(score)
    sides = side_findings(data)
    context = ScoreContext(data, score_headline(sides), sides, person_rows(data), unseen(data))
    tag = "Pseudonymised, not anonymous: keep it like the export"
    return single_page(SitePage(PAGE, PAGE, context), NAVIGATION, tag, data.sets.rules)


def _tickets(data: ScoreData) -> Iterator[ScoredTicket]:
    classes = data.sets.classes()
    for name in data.sets.order:
        some = [one for one in data.findings if one.found.ticket == name]
        first = some[0].found
        titles = tuple(dict.fromkeys(check_title(one.found.check) for one in some))
        own = classes.get(name, "")
        yield ScoredTicket(
            TicketLine(name, titles[0], gist(first.asked or first.said), titles[1:], own),
            first.approved,
            tuple(_shown(one, classes.get(one.key, "")) for one in some),
        )


def _shown(one: PlacedFinding, classes: str) -> ShownFinding:
    found = one.found
    return ShownFinding(
        check_title(found.check),
        "counts" if found.standing == "counted" else "to check",
        found.doubt,
        found.person or {"bot": "A bot", "human": "One of your people"}[found.who],
        found.why[:1].upper() + found.why[1:],
        found.asked,
        _around_quote(found),
        found.ticket,
        classes,
    )


def _around_quote(found: TicketFinding) -> tuple[str, str, str]:
    """The message with its quote apart; without one, the whole message is first."""
    before, quote, after = found.said.partition(found.quote) if found.quote else (found.said, "", "")
    return before, quote, after
