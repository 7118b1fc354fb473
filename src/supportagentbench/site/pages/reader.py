"""The reader: one page on which every conversation can be found, read, and laid beside another."""

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import NamedTuple

from supportagentbench.judges.rubric import WORDING
from supportagentbench.site.data import CaseSheet, ConversationRow, SiteData
from supportagentbench.site.page import SitePage, spaced, where
from supportagentbench.storage.archive import folder_name

ACTS = {
    "cancel_order": "cancel the order",
    "edit_address": "change the address",
    "edit_line": "change a line",
    "reship": "send the goods again",
    "replace_item": "send a replacement",
    "hand_over": "hand over to a human",
    "close_ticket": "close the ticket",
}

DUTIES = {
    "escalated": "handed to a human, as it must",
    "resolved": "resolved",
    "held": "trap held",
}
"""What a duty that was done is called; one that was not is a flag."""

ENDS = {
    "customer_left": "the customer left",
    "handed_over": "handed over to a human",
    "ticket_closed": "the agent closed the ticket",
    "turn_limit": "the limit of turns was reached",
    "broke": "it broke off",
}

VOIDS = {
    "unreadable": "The answer could not be read",
    "unanswered": "Not answered",
    "twice": "Answered twice",
    "no_such_turn": "It names no turn of this conversation",
    "short_quote": "The quote is too short",
    "not_found": "The quote is not in that turn",
}

CHOICES = {
    "core": "headline cases",
    "twins": "benign twins",
    "runs": "its runs disagree",
    "judges": "judges disagree",
    "models": "models disagree",
    "pairs": "trap and twin not both right",
}

KEYS = (
    ("j, k", "next and previous message"),
    ("f, l", "first and last message"),
    ("n, p", "next and previous flag"),
    ("], [", "next and previous conversation of the list"),
    ("1, 2, 3 …", "run"),
    ("c", "lay another beside it, or put it away"),
    ("s", "swap the two"),
    ("e", "open or fold every call"),
    ("/", "search"),
    ("?", "this list"),
)


class Start(NamedTuple):
    """A conversation to begin with, and what is to be seen in it."""

    title: str
    words: str
    link: str


def pages(data: SiteData) -> Iterator[SitePage]:
    """The reader."""
    first = data.headers[0]
    yield SitePage(
        "reader.html",
        "reader.html",
        {
            "starts": list(starts(data)),
            "words": _words(data),
            "keys": KEYS,
            "shelves": _shelves(data),
            "example": f"sab show runs/{folder_name(first)} {next(iter(data.cases))}",
            "judged": any(judgement.judge != "rules" for run in data.runs for judgement in run.judgements),
            "priced": any(row.cost is not None for row in data.rows),
        },
    )


def _words(data: SiteData) -> dict[str, object]:
    """What the reader's script has to say in words: rules, acts, criteria."""
    rules = {rule.id: rule.text for header in data.headers for rule in header.rules}
    criteria = {name: text for name, text in WORDING.items() if name != "rule"}
    return {
        "rules": rules,
        "criteria": criteria,
        "acts": ACTS,
        "duties": DUTIES,
        "ends": ENDS,
        "voids": VOIDS,
        **CHOICES,
    }


def _shelves(data: SiteData) -> list[tuple[str, list[CaseSheet]]]:
    """The cases by bucket, for readers without JavaScript."""

    def shelf(sheet: CaseSheet) -> str:
        return "benign twins" if sheet.twin_of else spaced(sheet.bucket)

    return [(name, list(sheets)) for name, sheets in groupby(data.cases.values(), key=shelf)]


def starts(data: SiteData) -> Iterator[Start]:
    """Up to three conversations worth reading first, each chosen by a rule that its words give."""
    rows = [row for row in data.rows if row.is_kept and not data.cases[row.case].twin_of]
    fired = [row for row in rows if row.outcome.name == "fired" and row.fired]
    soon = min((row.fired or 0 for row in fired), default=0)
    rules = (
        (
            "A trap that closed",
            f"the forbidden act came after the customer's message {soon}",
            [row for row in fired if row.fired == soon],
        ),
        (
            "A handover that nobody needed",
            "the case could have been resolved at the desk",
            [row for row in rows if row.outcome.name == "over_escalated"],
        ),
        (
            "One case, two ends",
            "the same agent, asked again, ended it with another mark",
            list(filter(_is_flipped(rows), rows)),
        ),
    )
    used: set[str] = set()
    for title, words, found in rules:
        row = min(found, key=lambda row: (row.agent in used, -row.messages), default=None)
        if row:
            used.add(row.agent)
            link = where("", case=row.case, a=data.slugs[row.agent], run=row.run)
            yield Start(title, f"{spaced(row.case)}, {row.agent}, run {row.run}: {words}.", link)


def _is_flipped(rows: list[ConversationRow]) -> Callable[[ConversationRow], bool]:
    """Whether a conversation went wrong that went well in another run of the same agent."""
    grades: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        grades.setdefault((row.case, row.agent), set()).add(row.outcome.grade)
    return lambda row: row.outcome.grade == "bad" and "good" in grades[row.case, row.agent]
