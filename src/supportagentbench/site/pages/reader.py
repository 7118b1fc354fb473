"""Reader: one page to find, read and compare conversations."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from shlex import quote as quoted
from typing import ClassVar, NamedTuple

from supportagentbench.board.recommendation_words import in_words
from supportagentbench.judges.rubric import WORDING
from supportagentbench.records.counts import counted
from supportagentbench.records.judgement import RULE_JUDGE
from supportagentbench.records.outcome import OutcomeKind
from supportagentbench.records.run import Run
from supportagentbench.site.charts.heat_map import is_trap
from supportagentbench.site.data.index import ranked_agents
from supportagentbench.site.data.outcome import SHOWN
from supportagentbench.site.data.site_data import CaseSheet, ConversationRow, SiteData
from supportagentbench.site.naming import where
from supportagentbench.site.number import whole
from supportagentbench.site.pages.page import SitePage
from supportagentbench.site.pages.page_context import Headed, PageContext
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

STANDINGS = {
    "to check": "Found by code, not yet confirmed",
    "to check, not settled by judges": "Found by code; judges do not agree",
    "confirmed by a judge": "Confirmed by a judge",
    "dropped by a judge": "A judge disagrees",
}
"""What is known of a finding that code reads from words."""

NOTHING = {
    "unsafe": ("took no unsafe action", "that it resisted"),
    "over_escalation": ("handed nothing over needlessly", "that it kept"),
    "escalation": ("passed on no case that needed a person", "that it kept"),
    "escalation.no": ("missed no escalation", "that it passed on"),
    "resolution": ("resolved nothing", "that it did not resolve"),
    "resolution.no": ("left no ticket unresolved", "that it resolved"),
    "desk:danger": ("missed no person in danger", "that it passed to a person"),
    "pairs": ("handled no pair right", "that it did not"),
    "pairs.no": ("handled every pair right", "that it did"),
}
"""By figure: what it means for an agent that no conversation counts, and what the other conversations are."""

LISTS = {
    "unsafe": ("trap", "traps", "that {who} fell for"),
    "unsafe.no": ("trap", "traps", "that {who} did not fall for"),
    "over_escalation": ("ticket", "tickets", "that {who} handed over needlessly"),
    "escalation": ("case", "cases", "that needed a person and that {who} passed on"),
    "escalation.no": ("case", "cases", "that needed a person and that {who} kept"),
    "resolution": ("routine ticket", "routine tickets", "that {who} solved"),
    "resolution.no": ("routine ticket", "routine tickets", "that {who} left unsolved"),
    "handled": ("conversation", "conversations", "that {who} handled right"),
    "handled.no": ("conversation", "conversations", "that {who} did not handle right"),
    "desk:danger": ("person", "people", "in danger that {who} missed"),
}
"""By figure: what one and what several of its conversations are, for the title of their list."""

WHO = {"ranked": "ranked agents", "tested": "agents that are not dummies", "dummies": "dummies"}
"""Whose conversations they are, in such a title."""

FIGURES = {
    "unsafe": "unsafe",
    "over_escalated": "over_escalation",
    "missed": "escalation.no",
    "unresolved": "resolution.no",
}
"""By outcome, the figure that counts it."""

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth or later")

CHOICES = {
    **{str(at): f"the customer's {place} message" for at, place in enumerate(ORDINALS, start=1)},
    "ranked": "ranked agents",
    "tested": "all but dummies",
    "dummies": "dummies only",
    "resolvable": "routine ticket",
    "must_escalate": "needs a person",
    "adversarial": "trap",
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


class EndCount(NamedTuple):
    """How many conversations of ranked agents did not end well in one way."""

    times: int
    words: str
    link: str
    note: str = ""
    """How many of them another page counts."""


@dataclass(frozen=True)
class ReaderContext(PageContext):
    """The reader of conversations, or of replays."""

    TEMPLATES: ClassVar = ("reader.html",)

    title: str
    lead: str
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
    ends: list[EndCount] = field(default_factory=list)
    """All ends that are not good, the worst first."""
    beyond: str = ""
    """What the filters can list besides; empty: nothing."""
    index: str = "data/index.js"
    """The index of the conversations."""
    keys: ClassVar = KEYS
    """Keys and what they do."""

    @property
    def headed(self) -> Headed:
        """How the page is called where it is linked."""
        return Headed(self.title, self.lead)


def pages(data: SiteData) -> Iterator[SitePage[ReaderContext]]:
    """The reader."""
    shown = data.headers[0].agent
    recorded = data.recorded.get(shown, shown)
    rows = _of_ranked(data)
    good = sum(row.outcome.grade == "good" for row in rows)
    yield SitePage(
        "reader.html",
        "reader.html",
        ReaderContext(
            title=f"{whole(good)} of {whole(len(rows))} conversations went well. Read the others.",
            lead=f"{_agents(data)}, {counted(len({row.case for row in rows}), 'ticket')}, "
            f"{counted(len({row.run for row in rows}), 'run')}: every message and every tool "
            "call. Code checks what was done; it does not go by what was promised.",
            starts=list(starts(data)),
            words=_words(data),
            shelves=_shelves(data),
            example=f"sab show RUNS {next(iter(data.cases))} --model {quoted(recorded)}",
            judged=any(judgement.judge != RULE_JUDGE for run in data.runs for judgement in run.judgements),
            priced=any(row.cost is not None for row in data.rows),
            ends=list(_other_ends(rows, data)),
            beyond=_beyond(data, len(rows)),
        ),
    )


def _of_ranked(data: SiteData) -> list[ConversationRow]:
    """The conversations of ranked agents on headline cases."""
    ranked = {agent.name for agent in ranked_agents(data.board)}
    return [row for row in data.rows if row.agent in ranked and not data.cases[row.case].twin_of]


def _agents(data: SiteData) -> str:
    count = len(ranked_agents(data.board))
    return f"{in_words(count).capitalize()} {'agent' if count == 1 else 'agents'}"


WORST_FIRST: tuple[OutcomeKind, ...] = (
    *("unsafe", "missed", "over_escalated", "unresolved", "ignored", "broke", "undecided", "outside"),
)
"""Every outcome that is not good."""


def _other_ends(rows: list[ConversationRow], data: SiteData) -> Iterator[EndCount]:
    """How conversations ended that did not go well; with those that did, they add up to all."""
    for outcome in (SHOWN[name] for name in WORST_FIRST):
        some = [row for row in rows if row.outcome == outcome]
        if some:
            traps = sum(is_trap(data.cases[row.case]) for row in some)
            note = f"{whole(traps)} in traps" if 0 < traps < len(some) else ""
            link = where(among="ranked", set="core", outcome=outcome.name)
            yield EndCount(len(some), outcome.words, link, note)


def _beyond(data: SiteData, shown: int) -> str:
    """What the filters can list besides headline cases of ranked agents."""
    if shown == len(data.rows):
        return ""
    return (
        f"“More filters” also reaches honest twins of traps and agents that are not ranked: "
        f"{whole(len(data.rows))} conversations in all."
    )


def _words(data: SiteData) -> dict[str, object]:
    """The texts that the reader's script shows: rules, actions, criteria."""
    rules = {rule.id: rule.text for header in data.headers for rule in header.rules}
    criteria = {name: text for name, text in WORDING.items() if name != "rule"}
    stakes = {family: data.vocabulary.at_stake(family) for family in data.vocabulary.stakes}
    return {
        "rules": rules,
        "criteria": criteria,
        "acts": {verb.act: verb.title for verb in data.vocabulary.verbs},
        "told": data.vocabulary.told,
        "duties": DUTIES,
        "ends": ENDS,
        "voids": VOIDS,
        "says": SAYS,
        "standings": STANDINGS,
        "none": NOTHING,
        "lists": LISTS,
        "who": WHO,
        "figures": FIGURES,
        "dangers": [family for family, harm in stakes.items() if harm and harm.is_danger],
        "page": "case",
        "run": "Run",
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
        return CHOICES["twins"] if sheet.twin_of else CHOICES[sheet.bucket]

    return [(name, list(sheets)) for name, sheets in groupby(data.cases.values(), key=shelf)]


def starts(data: SiteData) -> Iterator[Start]:
    """A few conversations to read first: the worst of ranked agents by harm, then one ticket that two agents
    handled differently."""
    rows = [row for row in _of_ranked(data) if row.is_kept]
    stakes = {row.case: data.vocabulary.at_stake(data.cases[row.case].family) for row in rows}
    missed = [row for row in rows if "escalated" in row.issues]
    danger = [row for row in missed if (harm := stakes[row.case]) and harm.is_danger]
    unsafe = [row for row in rows if row.outcome.name == "unsafe" and row.unsafe_turn]
    unsafe.sort(key=lambda row: (data.cases[row.case].bucket != "adversarial", -(row.unsafe_turn or 0)))
    needless = [row for row in rows if row.outcome.name == "over_escalated"]
    titles = (
        (danger or missed, "{agent} calls nobody", _mentions(danger)),
        (unsafe, "{agent} gives in at the customer’s message {message}", ""),
        (needless, "{agent} passes on a ticket that it could have settled", ""),
    )
    used: set[str] = set()
    for found, title, words in titles:
        if row := min(found, key=lambda row: row.agent in used, default=None):
            used.add(row.agent)
            yield Start(
                title.format(agent=row.agent, message=row.unsafe_turn),
                f"{data.case_title(row.case)}. {words}".strip(),
                where(case=row.case, a=data.slugs[row.agent], run=row.run),
            )
    yield from _two_outcomes(data, rows)


def _mentions(danger: list[ConversationRow]) -> str:
    """What a reader should know before opening it."""
    return "A person may be in danger; the customer is simulated." if danger else ""


def _two_outcomes(data: SiteData, rows: list[ConversationRow]) -> Iterator[Start]:
    """One ticket in one run that a ranked agent handled right and another did harm with."""
    for bad in (row for row in rows if row.outcome.name == "unsafe"):
        good = [row for row in rows if (row.case, row.run) == (bad.case, bad.run)]
        for other in (row for row in good if row.outcome.grade == "good"):
            yield Start(
                "One ticket, two outcomes",
                f"{data.case_title(bad.case)}. {other.agent}: {other.outcome.words}. "
                f"{bad.agent}: {bad.outcome.words}.",
                where(
                    case=bad.case,
                    a=data.slugs[other.agent],
                    b=data.slugs[bad.agent],
                    run=other.run,
                    run2=bad.run,
                ),
            )
            return
