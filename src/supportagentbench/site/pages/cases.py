"""Cases: all cases by type, and a page for each with what is right in it and how every agent ended."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import count, groupby
from typing import ClassVar, NamedTuple

import msgspec

from supportagentbench.records.board import Board
from supportagentbench.records.case import Bucket
from supportagentbench.records.outcome import OutcomeKind
from supportagentbench.records.run import RuleText
from supportagentbench.site.answers.expected import ExpectedActs, expected_of, rules_of, rulings_of
from supportagentbench.site.data.case_record import RecordDifference, RecordField, differences, fields_of
from supportagentbench.site.data.counted import HANDLED
from supportagentbench.site.data.index import ranked_agents
from supportagentbench.site.data.outcome import OUTCOMES, ShownOutcome
from supportagentbench.site.data.site_data import CaseSheet, ConversationRow, SiteData
from supportagentbench.site.naming import where
from supportagentbench.site.pages.page import SitePage
from supportagentbench.site.pages.page_context import Headed, PageContext

BUCKETS: dict[Bucket, tuple[str, str]] = {
    "resolvable": ("Routine tickets", "solved"),
    "must_escalate": ("Tickets that need a person", "passed on"),
    "adversarial": ("Traps and their honest twins", "held"),
}
"""The kinds of cases as people call them, and what an agent should have done."""

SNIPPET = 110
"""Characters of an opening in the list."""

HEIGHT, DOT, APART = 36, 6, 4
"""A strip of dots: how high it is, how large a dot is unless there are many, and how many percent apart two
dots have to be to stand side by side."""

NAMED = 8
"""Up to this many agents, every mark of a case says whose it is."""

TOLD = 2
"""The most agents that a case's headline and its line in the list name because they got it wrong."""

FAILED: dict[OutcomeKind, str] = {
    "unresolved": "did not solve it",
    "over_escalated": "handed it over needlessly",
    "missed": "missed it",
    "ignored": "never looked into it",
    "unsafe": "acted unsafely",
    "broke": "broke off",
}
"""By outcome: what an agent did wrong."""


class Tried(NamedTuple):
    """What one agent did in one case, run by run."""

    agent: str
    rows: tuple[ConversationRow, ...]

    @property
    def counted(self) -> list[ConversationRow]:
        return [row for row in self.rows if row.outcome.grade != "none"]

    @property
    def good(self) -> int:
        return sum(row.outcome.grade == "good" for row in self.rows)

    @property
    def wrong(self) -> int:
        """The runs that went wrong."""
        return len(self.counted) - self.good

    @property
    def is_harmful(self) -> bool:
        """Whether a run did harm or missed an escalation."""
        return any(row.outcome.grade == "bad" for row in self.rows)

    @property
    def passes(self) -> bool:
        """Whether more than half of its runs ended well."""
        return 2 * self.good > len(self.counted)

    @property
    def mark(self) -> str:
        """All runs ended well, some, none; or none counts."""
        if not self.counted:
            return "–"
        return "●" if self.good == len(self.counted) else "◐" if self.good else "◆"

    @property
    def ends(self) -> str:
        """How its runs ended."""
        counts = Counter(row.outcome.words for row in self.rows)
        return ", ".join(f"{words} ({n})" if len(counts) > 1 else words for words, n in counts.items())

    @property
    def failed(self) -> str:
        """What it did wrong, and in how many of its runs; empty: nothing, or nothing that counts."""
        counts = Counter(row.outcome.name for row in self.counted if row.outcome.grade != "good")
        often = " in {} of " + f"{len(self.rows)} runs" if len(self.rows) > 1 else ""
        did = [FAILED[name] + often.format(n) for name, n in counts.items()]
        return f"{self.agent} {', '.join(did)}" if did else ""


class CaseLine(NamedTuple):
    """A case, and what the ranked agents did in it."""

    sheet: CaseSheet
    tried: tuple[Tried, ...]
    """In the board's order."""

    @property
    def counted(self) -> list[Tried]:
        """Those with a run that counts."""
        return [one for one in self.tried if one.counted]

    @property
    def passed(self) -> int:
        return sum(one.passes for one in self.counted)

    @property
    def tells_apart(self) -> bool:
        """Whether some agents pass it and others do not."""
        return 0 < self.passed < len(self.counted)

    @property
    def runs(self) -> int:
        return sum(len(one.rows) for one in self.tried)

    @property
    def good(self) -> int:
        """The runs that ended well."""
        return sum(one.good for one in self.tried)

    @property
    def failing(self) -> list[Tried]:
        """The agents with a run that went wrong."""
        return [one for one in self.tried if one.wrong]

    @property
    def finding(self) -> str:
        """How all runs of all ranked agents ended, in a clause; empty: there is none."""
        open_runs = self.runs - self.good - sum(one.wrong for one in self.failing)
        undecided = f", {open_runs} undecided" if open_runs else ""
        if not self.runs:
            return ""
        if self.good == self.runs:
            return "right in its one run" if self.runs == 1 else f"right in all {self.runs} runs"
        if 0 < len(self.failing) <= TOLD and all(", " not in one.failed for one in self.failing):
            return "; ".join(one.failed for one in self.failing) + undecided
        return f"right in {self.good or 'none'} of {self.runs} runs{undecided}"

    @property
    def snippet(self) -> str:
        """How the customer begins."""
        words = " ".join(self.sheet.opening.split())
        return words if len(words) <= SNIPPET else words[:SNIPPET].rsplit(" ", 1)[0] + " …"


class AgentDot(NamedTuple):
    """An agent on a strip: its place in percent, how many dots are below it, and what a pointer shows."""

    agent: str
    hits: int
    of: int
    level: int = 0

    @property
    def share(self) -> float:
        return self.hits / self.of

    @property
    def place(self) -> float:
        return 100 * self.share


class TypeLine(NamedTuple):
    """The cases of one type, honest twins last."""

    family: str
    title: str
    bucket: Bucket
    lines: list[CaseLine]

    @property
    def cores(self) -> list[CaseLine]:
        return [line for line in self.lines if not line.sheet.twin_of]

    @property
    def telling(self) -> int:
        """How many of its cases some agents pass and others do not."""
        return sum(line.tells_apart for line in self.cores)

    def _hits(self, rows: Iterable[ConversationRow]) -> tuple[int, int]:
        some = list(rows)
        if self.bucket == "adversarial":
            return sum(row.outcome.name != "unsafe" for row in some), len(some)
        right = "resolved" if self.bucket == "resolvable" else "escalated"
        return sum(row.outcome.name == right for row in some), len(some)

    @property
    def hits(self) -> tuple[int, int]:
        """Of the conversations of ranked agents, those that were solved, passed on or held, and all."""
        return self._hits(row for line in self.cores for one in line.tried for row in one.counted)

    @property
    def link(self) -> str:
        """The conversations that were solved, passed on or held."""
        if self.bucket == "adversarial":
            return where(among="ranked", counted="unsafe.no", trap=self.family)
        return where(among="ranked", counted=HANDLED, use=self.family)

    @property
    def dots(self) -> list[AgentDot]:
        """A dot for each agent at its share; those that would touch stand on top of each other."""
        found: dict[str, list[ConversationRow]] = defaultdict(list)
        for line in self.cores:
            for one in line.tried:
                found[one.agent] += one.counted
        dots = [AgentDot(agent, *self._hits(rows)) for agent, rows in found.items() if rows]
        placed: list[AgentDot] = []
        for dot in sorted(dots, key=lambda dot: dot.share):
            near = {one.level for one in placed if dot.place - one.place < APART}
            placed.append(dot._replace(level=next(level for level in count() if level not in near)))
        return placed

    @property
    def size(self) -> float:
        """Of a dot, so that all fit on top of each other."""
        return min(DOT, HEIGHT / (1 + max((dot.level for dot in self.dots), default=0)))

    @property
    def least(self) -> str:
        """Whose dot is furthest left, with its count, if that is one or two agents of more."""
        dots = self.dots
        left = [dot.agent for dot in dots if dot.share == dots[0].share]
        if len(left) > min(2, len(dots) - 1):
            return self._unseen
        return f"{' and '.join(left)}: {dots[0].hits} of {dots[0].of}"

    @property
    def _unseen(self) -> str:
        """Why its cases tell agents apart although all dots are at one place; empty: they do not."""
        some = [one for line in self.cores if line.tells_apart for one in line.failing if not one.passes]
        return f"but {some[0].failed}" if some else ""

    @property
    def shares(self) -> str:
        """Every dot with its name, the highest share first."""
        return ", ".join(f"{dot.agent} {dot.hits} of {dot.of}" for dot in reversed(self.dots))


class EndingCount(NamedTuple):
    """How often a case ended in one way with the ranked agents."""

    outcome: ShownOutcome
    times: int
    link: str


@dataclass(frozen=True)
class CasesContext(PageContext):
    """All cases by type."""

    TEMPLATES: ClassVar = ("cases.html",)

    types: list[TypeLine]
    ranked: list[str]
    """The agents of the marks, in their order."""
    named: ClassVar = NAMED
    told: ClassVar = TOLD

    @property
    def initials(self) -> list[str]:
        """By agent, as few letters as tell them apart."""
        return [
            next(
                name[:n]
                for n in range(1, len(name) + 1)
                if sum(one[:n] == name[:n] for one in self.ranked) == 1 or n == len(name)
            )
            for name in self.ranked
        ]

    @property
    def headed(self) -> Headed:
        return Headed(self.finding, f"All {self.cores} cases by type, and what every agent did in each.")

    @property
    def cores(self) -> int:
        """How many cases are in the headline set."""
        return sum(len(one.cores) for one in self.types)

    @property
    def twins(self) -> int:
        """How many are honest twins."""
        return sum(len(one.lines) for one in self.types) - self.cores

    @property
    def telling(self) -> int:
        """How many of the headline set some agents pass and others do not."""
        return sum(one.telling for one in self.types)

    @property
    def flawed(self) -> int:
        """How many of the others have a run that went wrong or is undecided."""
        lines = (line for one in self.types for line in one.cores)
        return sum(line.good < line.runs and not line.tells_apart for line in lines)

    @property
    def finding(self) -> str:
        """What the page shows, in a sentence without a full stop."""
        if len(self.ranked) == 1:
            return f"{self.ranked[0]} gets {self.cores - self.flawed} of {self.cores} cases right every time"
        return f"{self.telling} of {self.cores} cases tell these agents apart"

    @property
    def groups(self) -> list[tuple[Bucket, str, str, list[TypeLine]]]:
        """The types by kind of case, first those with the most cases that only some agents pass."""
        found = []
        for bucket, (title, verb) in BUCKETS.items():
            some = [one for one in self.types if one.bucket == bucket]
            some.sort(key=lambda one: (-one.telling / max(1, len(one.cores)), one.title))
            found += [(bucket, title, verb, some)] if some else []
        return found


@dataclass(frozen=True)
class CaseContext(PageContext):
    """One case: what is right in it, and what every agent did."""

    TEMPLATES: ClassVar = ("case.html",)

    line: CaseLine
    """The case, and what the ranked agents did."""
    others: list[Tried]
    """What the agents did that are not ranked."""
    others_title: str
    """What these are called."""
    expected: list[str]
    """What is right, sentence by sentence."""
    rulings: list[ExpectedActs]
    decide: list[RuleText]
    """The rules that decide it."""
    forbid: list[RuleText]
    """The rules that forbid an action in it."""
    partner: str
    """Its twin, or the case that it is a twin of; empty: none."""
    differs: list[RecordDifference]
    """What differs on its record from that of its partner."""
    before: str
    """The case before it; empty: it is the first."""
    after: str

    @property
    def headed(self) -> Headed:
        return Headed(
            self.finding, f"{self.nature}: what the customer writes, what is right, how agents ended."
        )

    @property
    def finding(self) -> str:
        """How all runs of the ranked agents ended, in a sentence without a full stop."""
        return ": ".join(filter(None, (self.sheet.title, self.line.finding)))

    @property
    def nature(self) -> str:
        """What kind of case it is."""
        if self.sheet.twin_of:
            return "Honest twin of a trap"
        return {"resolvable": "Routine ticket", "must_escalate": "Needs a person", "adversarial": "Trap"}[
            self.sheet.bucket
        ]

    @property
    def sheet(self) -> CaseSheet:
        """The case itself."""
        return self.line.sheet

    @property
    def fields(self) -> list[RecordField]:
        """Its record as a look-up showed it."""
        return fields_of(self.sheet.record)

    @property
    def raw(self) -> str:
        """The same record as JSON. Quotes need no escaping between tags, and a record is full of them."""
        return escape(msgspec.json.encode(self.sheet.record).decode(), quote=False)

    @property
    def total(self) -> int:
        """The number of conversations of ranked agents."""
        return sum(len(one.rows) for one in self.line.tried)

    @property
    def endings(self) -> list[EndingCount]:
        """How often it ended in each way with ranked agents."""
        counts = Counter(row.outcome.name for one in self.line.tried for row in one.rows)
        return [
            EndingCount(
                outcome,
                counts[outcome.name],
                where(among="ranked", of=self.sheet.id, outcome=outcome.name),
            )
            for outcome in OUTCOMES
            if counts[outcome.name]
        ]


def pages(data: SiteData) -> Iterator[SitePage[CasesContext | CaseContext]]:
    """The list, and one page per case."""
    tried = tried_by_case(data)
    ranked = ranked_names(data.board)
    lines = [line_of(sheet, tried[name], ranked) for name, sheet in data.cases.items()]
    yield SitePage("cases.html", "cases.html", CasesContext(types_of(lines, data), ranked))
    yield from _case_pages(data, tried, lines)


def tried_by_case(data: SiteData) -> dict[str, list[Tried]]:
    """By case, what each agent did in it, in the board's order."""
    found: dict[str, list[Tried]] = defaultdict(list)
    for (case, agent), rows in groupby(data.rows, key=lambda row: (row.case, row.agent)):
        found[case].append(Tried(agent, tuple(rows)))
    return found


def ranked_names(board: Board) -> list[str]:
    """The agents that shares are based on: the ranked ones, or all if none is ranked."""
    return [agent.name for agent in ranked_agents(board)]


def known_rules(data: SiteData) -> dict[str, RuleText]:
    """Every rule that the runs recorded, by id; of several texts, that of the first run."""
    return {rule.id: rule for header in reversed(data.headers) for rule in header.rules}


def line_of(sheet: CaseSheet, tried: Iterable[Tried], ranked: Sequence[str]) -> CaseLine:
    """A case, and what the ranked agents did in it."""
    return CaseLine(sheet, tuple(one for one in tried if one.agent in ranked))


def types_of(lines: Iterable[CaseLine], data: SiteData) -> list[TypeLine]:
    """The cases by type; a twin is listed with its trap."""
    found: dict[str, TypeLine] = {}
    for line in lines:
        sheet = data.cases.get(line.sheet.twin_of, line.sheet)
        one = TypeLine(sheet.family, sheet.case_type, sheet.bucket, [])
        found.setdefault(sheet.family, one).lines.append(line)
    return list(found.values())


def _case_pages(
    data: SiteData, tried: dict[str, list[Tried]], lines: list[CaseLine]
) -> Iterator[SitePage[CaseContext]]:
    rules = known_rules(data)
    dummies = {agent.name for agent in data.board.agents if agent.is_dummy}
    twins = {sheet.twin_of: name for name, sheet in data.cases.items() if sheet.twin_of}
    names = list(data.cases)
    for place, line in enumerate(lines):
        name = line.sheet.id
        decide, forbid = rules_of(line.sheet.label, rules)
        others = [one for one in tried[name] if one not in line.tried]
        partner = line.sheet.twin_of or twins.get(name, "")
        known = data.cases[partner].record if partner in data.cases else {}
        context = CaseContext(
            line=line,
            others=others,
            others_title="Dummies, for scale" if {one.agent for one in others} <= dummies else "Not ranked",
            expected=expected_of(line.sheet.label, line.sheet.record, data.vocabulary),
            rulings=rulings_of(line.sheet.label, data.vocabulary),
            decide=decide,
            forbid=forbid,
            partner=partner if partner in data.cases else "",
            differs=differences(line.sheet.record, known),
            before=names[place - 1] if place else "",
            after=names[place + 1] if place + 1 < len(names) else "",
        )
        yield SitePage(f"cases/{name}.html", "case.html", context)
