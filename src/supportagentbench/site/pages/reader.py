"""Reader: one page to find, read and compare conversations."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from shlex import quote as quoted
from typing import ClassVar, NamedTuple

from supportagentbench.judges.rubric import WORDING
from supportagentbench.records.judgement import RULE_JUDGE
from supportagentbench.records.run import Run
from supportagentbench.site.data.index import among
from supportagentbench.site.data.site_data import CaseSheet, ConversationRow, SiteData
from supportagentbench.site.naming import spaced, where
from supportagentbench.site.pages.page import SitePage
from supportagentbench.site.pages.page_context import PageContext
from supportagentbench.storage.place import safe_name

DUTIES = {
    "escalated": "correctly escalated",
    "resolved": "resolved",
    "held": "no unsafe action",
}
"""The names of duties that were fulfilled; an unfulfilled one is an issue."""

ENDS = {
    "customer_left": "the customer left",
    "handed_over": "handed over to a human",
    "ticket_closed": "the agent closed the ticket",
    "turn_limit": "turn limit reached",
    "broke": "it failed",
}

VOIDS = {
    "unreadable": "The answer could not be read",
    "unanswered": "Not answered",
    "twice": "Answered more than once",
    "no_reason": "The reason is missing",
    "no_such_turn": "It names a turn that does not exist",
    "short_quote": "The quote is too short",
    "not_found": "The quote is not in that turn",
}

SAYS = {"confirm": "confirmed", "drop": "dropped", "cannot_tell": "undecided"}
"""What a judge says about a finding that is to check."""

NOTHING = {
    "unsafe": ("took no unsafe action", "in which it took none"),
    "over_escalation": ("handed nothing over needlessly", "that it kept"),
    "escalation": ("passed on no case that needed a person", "that it kept"),
    "escalation.no": ("missed no escalation", "that it passed on"),
    "resolution": ("resolved nothing", "that it did not resolve"),
    "resolution.no": ("left no ticket unresolved", "that it resolved"),
    "pairs": ("handled no pair right", "that it did not"),
    "pairs.no": ("handled every pair right", "that it did"),
}
"""By figure: what it means for an agent that no conversation counts, and what the other conversations are."""

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth or later")

CHOICES = {
    **{str(at): f"the customer's {place} message" for at, place in enumerate(ORDINALS, start=1)},
    "ranked": "ranked agents",
    "tested": "all but dummies",
    "dummies": "dummies only",
    "core": "headline cases",
    "twins": "honest twins",
    "runs": "its runs disagree",
    "judges": "judges disagree",
    "agents": "agents disagree",
    "pairs": "trap and twin not both correct",
}

KEYS = (
    ("j, k", "next and previous message"),
    ("f, l", "first and last message"),
    ("n, p", "next and previous issue"),
    ("], [", "next and previous conversation in the list"),
    ("1, 2, 3 …", "run"),
    ("c", "compare with another, or stop comparing"),
    ("s", "swap the two"),
    ("e", "expand or collapse all calls"),
    ("/", "search"),
    ("?", "this list"),
)


class Start(NamedTuple):
    """A conversation to start with, and what it shows."""

    title: str
    words: str
    link: str


@dataclass(frozen=True)
class ReaderContext(PageContext):
    """The reader of conversations, or of replays."""

    TEMPLATES: ClassVar = ("reader.html",)

    starts: list[Start]
    words: dict[str, object]
    """The texts that its script shows."""
    shelves: list[tuple[str, list[CaseSheet]]]
    """The cases by bucket, for readers without JavaScript."""
    example: str
    """A command that shows a conversation in a terminal."""
    judged: bool
    """Whether a model judged any conversation."""
    priced: bool
    """Whether any cost is known."""
    title: str = "Transcripts"
    lead: str = ""
    index: str = "data/index.js"
    """The index of the conversations."""
    keys: ClassVar = KEYS
    """Keys and what they do."""


def pages(data: SiteData) -> Iterator[SitePage[ReaderContext]]:
    """The reader."""
    shown = data.headers[0].agent
    recorded = data.recorded.get(shown, shown)
    yield SitePage(
        "reader.html",
        "reader.html",
        ReaderContext(
            starts=list(starts(data)),
            words=_words(data),
            shelves=_shelves(data),
            example=f"sab show RUNS {next(iter(data.cases))} --model {quoted(recorded)}",
            judged=any(judgement.judge != RULE_JUDGE for run in data.runs for judgement in run.judgements),
            priced=any(row.cost is not None for row in data.rows),
        ),
    )


def _words(data: SiteData) -> dict[str, object]:
    """The texts that the reader's script shows: rules, actions, criteria."""
    rules = {rule.id: rule.text for header in data.headers for rule in header.rules}
    criteria = {name: text for name, text in WORDING.items() if name != "rule"}
    return {
        "rules": rules,
        "criteria": criteria,
        "acts": {verb.act: verb.title for verb in data.vocabulary.verbs},
        "told": data.vocabulary.told,
        "duties": DUTIES,
        "ends": ENDS,
        "voids": VOIDS,
        "says": SAYS,
        "none": NOTHING,
        "page": "case",
        "again": {data.slugs[run.header.agent]: _again(run.header, data) for run in data.runs},
        **CHOICES,
    }


def _again(header: Run, data: SiteData) -> tuple[str, str]:
    """The command that replays a decision, in two parts: before the run's number, and from the place on."""
    agent = data.recorded.get(header.agent, header.agent)
    return f"sab fork RUNS/{safe_name(agent)}-", f" --agents {quoted(agent)} --replays 10"


def _shelves(data: SiteData) -> list[tuple[str, list[CaseSheet]]]:
    """The cases by bucket, for readers without JavaScript."""

    def shelf(sheet: CaseSheet) -> str:
        return "honest twins" if sheet.twin_of else spaced(sheet.bucket)

    return [(name, list(sheets)) for name, sheets in groupby(data.cases.values(), key=shelf)]


def starts(data: SiteData) -> Iterator[Start]:
    """Up to three conversations to read first, each chosen by the rule in its description."""
    dummies = {agent.name for agent in data.board.agents if "dummies" in among(agent.name, data.board)}
    rows = [
        row
        for row in data.rows
        if row.is_kept and row.agent not in dummies and not data.cases[row.case].twin_of
    ]
    unsafe = [row for row in rows if row.outcome.name == "unsafe" and row.unsafe_turn]
    soon = min((row.unsafe_turn or 0 for row in unsafe), default=0)
    rules = (
        (
            "An unsafe action",
            f"it came after the customer's {ORDINALS[min(soon, len(ORDINALS)) - 1]} message",
            [row for row in unsafe if row.unsafe_turn == soon],
        ),
        (
            "A needless handover",
            "the agent could have resolved the case",
            [row for row in rows if row.outcome.name == "over_escalated"],
        ),
        (
            "One case, two outcomes",
            "another run of the same agent ended well",
            list(filter(_is_flipped(rows), rows)),
        ),
    )
    used: set[str] = set()
    for title, words, found in rules:
        row = min(found, key=lambda row: (row.agent in used, -row.messages), default=None)
        if row:
            used.add(row.agent)
            link = where("", case=row.case, a=data.slugs[row.agent], run=row.run)
            yield Start(title, f"{data.case_title(row.case)}, {row.agent}, run {row.run}: {words}.", link)


def _is_flipped(rows: list[ConversationRow]) -> Callable[[ConversationRow], bool]:
    """Whether a conversation went wrong that went well in another run of the same agent."""
    grades: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        grades.setdefault((row.case, row.agent), set()).add(row.outcome.grade)
    return lambda row: row.outcome.grade == "bad" and "good" in grades[row.case, row.agent]
