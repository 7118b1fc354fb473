"""Forks: the table of all replayed decisions, a page for each, and a reader of the replays."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import ClassVar, NamedTuple

from supportagentbench.board.fork_board import (
    AgentForks,
    ForkBoard,
    ForkPath,
    ForkReplay,
    ForkResult,
    Standing,
)
from supportagentbench.records.counts import counted
from supportagentbench.records.fork import BLIND, RULES, ForkPoint, ForkRule
from supportagentbench.site import number
from supportagentbench.site.data.fork_data import ForkData, ForkTalk, Parting, title_of
from supportagentbench.site.data.outcome import Grade
from supportagentbench.site.data.site_data import ConversationRow, SiteData
from supportagentbench.site.naming import where
from supportagentbench.site.pages import reader
from supportagentbench.site.pages.page import SitePage
from supportagentbench.site.pages.page_context import Headed, PageContext
from supportagentbench.stats.forks import CAP, CLEAN, ERROR, HIGH, LOW

PAGE, READER, INDEX = "forks.html", "replays.html", "data/forks.js"

MOST_MARKS = 100
"""How many replays of an agent are shown one by one; the reader has them all."""

HANDED_OVER = ("resisted_escalated", "escalated", "over_escalated")
"""Outcomes in which a human took over."""

GRADES: dict[Standing, Grade] = {
    "holds": "good",
    "gives in": "bad",
    "clean so far": "none",
    "undecided": "none",
}


SEQUENTIAL_TEST = {"low": LOW, "high": HIGH, "error": ERROR, "cap": CAP, "clean": CLEAN}
"""What the decision of a fork is based on, for the pages that explain it."""


class ReplayKind(NamedTuple):
    """How a replay ended, as a shape, a colour and a label."""

    mark: str
    grade: Grade
    words: str


SAFE = ReplayKind("●", "good", "no unsafe action")
UNSAFE = ReplayKind("▲", "bad", "unsafe action")
HANDED = ReplayKind("■", "good", "handed over, no unsafe action")
OTHER = ReplayKind("–", "none", "other: not resolved, not looked into, or undecided")
KINDS = (SAFE, UNSAFE, HANDED, OTHER)


class ReplayMark(NamedTuple):
    """One replay in a row."""

    kind: ReplayKind
    words: str
    link: str


class ForkLine(NamedTuple):
    """One agent at one fork."""

    result: ForkResult
    slug: str
    """Its name in links to replays."""
    report: str
    """Its report; empty: it has none on this site."""
    marks: tuple[ReplayMark, ...]
    link: str
    """The conversations that are counted."""
    parting: Parting | None

    @property
    def agent(self) -> str:
        return self.result.agent

    @property
    def range(self) -> str:
        """The likely range of its rate."""
        return span((self.result.low, self.result.high), self.result.trials)

    @property
    def natural(self) -> int:
        """Replays that did what the record did."""
        return sum(one.as_recorded for one in self.result.replays)


class TalkTurn(NamedTuple):
    """One message of the recorded conversation."""

    number: int
    """The customer's message that it is or answers."""
    party: str
    text: str
    acts: tuple[str, ...]
    reply: int
    """Its number among the agent's replies; 0: the customer's."""
    fork: str
    """The page of the fork at this reply, if it is a different fork."""
    is_fork: bool
    is_after: bool
    """Whether it comes after the decision, so that the replays did not see it."""
    committed: tuple[str, ...]
    """Agents for which this is the point of commitment."""


class ForkSheet(NamedTuple):
    """One fork for its page."""

    fork: ForkPoint
    lines: tuple[ForkLine, ...]
    source: str
    """A link to the recorded conversation; empty: it is not on the site."""
    case_title: str = ""
    """The case as people call it."""

    @property
    def path(self) -> str:
        return f"forks/{self.fork.id}.html"

    @property
    def title(self) -> str:
        return title_of(self.fork, self.case_title)


class AgentLine(NamedTuple):
    """One agent over all its forks."""

    found: AgentForks
    report: str
    decided: dict[Standing, int]
    """Forks by what is said about them."""


class RuleGroup(NamedTuple):
    """The forks that were chosen by one rule."""

    rule: ForkRule
    words: str
    sheets: list[ForkSheet]


class AnyForkContext(PageContext):
    """What both fork pages use."""

    kinds: ClassVar = KINDS
    grades: ClassVar = GRADES
    blind: ClassVar = BLIND

    def span(self, ends: tuple[float, float], trials: int) -> str:
        """An interval of a rate at a fork."""
        return span(ends, trials)

    def counted(self, count: int, word: str) -> str:
        """A count with its noun."""
        return counted(count, word)


@dataclass(frozen=True)
class ForksContext(AnyForkContext):
    """All replayed decisions."""

    TEMPLATES: ClassVar = ("forks.html",)

    found: ForkBoard
    groups: list[RuleGroup]
    agents: list[AgentLine]
    replays: int
    at: Callable[..., str]
    """A link to the conversations of some replays."""
    page_of: dict[tuple[str, str], str]
    """The page of a path through a conversation, by case and transcript."""
    test: ClassVar = SEQUENTIAL_TEST

    @property
    def title(self) -> str:
        """What the replays found: who gives in at how many decisions."""
        most = max(self.agents, key=lambda line: line.decided["gives in"], default=None)
        if most is None or not most.decided["gives in"]:
            return "Asked to decide again, no agent clearly gives in"
        decided, of = most.decided["gives in"], sum(most.decided.values())
        return f"Asked to decide again, {most.found.agent} gives in at {decided} of {counted(of, 'decision')}"

    @property
    def headed(self) -> Headed:
        """How the page is called where it is linked."""
        return Headed(self.title, "Agents were put back before one answer of a recorded conversation.")


@dataclass(frozen=True)
class ForkContext(AnyForkContext):
    """One replayed decision."""

    TEMPLATES: ClassVar = ("fork.html",)

    sheet: ForkSheet
    talk: list[TalkTurn]
    """The conversation up to the fork, and after it as recorded."""
    is_whole: bool
    """Whether all of the recorded conversation is shown."""
    commitments: dict[int, list[str]]
    rule: str
    """A description of the rule that chose it."""
    before: ForkSheet | None
    after: ForkSheet | None

    @property
    def title(self) -> str:
        """What the replays found here."""
        weak = [line.agent for line in self.sheet.lines if line.result.decision == "gives in"]
        if not weak:
            return f"No agent clearly gives in: {self.sheet.case_title}"
        names = " and ".join(filter(None, (", ".join(weak[:-1]), weak[-1])))
        return f"{names} {'gives' if len(weak) == 1 else 'give'} in: {self.sheet.case_title}"

    @property
    def headed(self) -> Headed:
        """How the page is called where it is linked."""
        return Headed(self.title, f"{self.sheet.title}, decided again.")


def pages(
    forked: ForkData, data: SiteData
) -> Iterator[SitePage[ForksContext | ForkContext | reader.ReaderContext]]:
    """The table, a page per fork, and the reader of the replays."""
    sheets = sheets_of(forked, data)
    yield SitePage(
        PAGE,
        "forks.html",
        ForksContext(
            found=forked.board,
            groups=groups_of(sheets),
            agents=[_agent_line(one, forked, data) for one in forked.board.agents],
            replays=sum(len(one.replays) for one in forked.board.results),
            at=conversations(sheets),
            page_of={(one.case, one.transcript): _path_page(one, sheets) for one in forked.board.paths},
        ),
    )
    for place, sheet in enumerate(sheets):
        talk = forked.talks[sheet.fork.id]
        yield SitePage(
            sheet.path,
            "fork.html",
            ForkContext(
                sheet=sheet,
                talk=list(turns_of(sheet.fork, talk, sheets, forked.board.paths)),
                is_whole=talk.is_whole,
                commitments=commitments_of(sheet.fork, forked.board.paths),
                rule=RULES[sheet.fork.rule],
                before=sheets[place - 1] if place else None,
                after=sheets[place + 1] if place + 1 < len(sheets) else None,
            ),
        )
    [made] = reader.pages(forked.replays)
    words = made.context.words | {
        "page": "fork",
        "run": "Replay",
        "again": dict.fromkeys(forked.replays.slugs.values()),
    }
    context = replace(
        made.context,
        index=INDEX,
        title=f"{number.whole(len(forked.rows))} replays: what agents did when they had to decide again",
        lead="Each was started from a recorded conversation, just before one answer; all before that is the "
        "record.",
        words=words,
        starts=list(_starts(sheets)),
        ends=[],
    )
    yield made._replace(path=READER, context=context)


STARTS = 6
"""The most decisions that the reader of replays proposes."""


def _starts(sheets: Iterable[ForkSheet]) -> Iterator[reader.Start]:
    """The decisions at which most replays were unsafe."""
    hits = {sheet.path: sum(line.result.hits for line in sheet.lines) for sheet in sheets}
    worst = sorted((one for one in sheets if hits[one.path]), key=lambda one: -hits[one.path])
    for sheet in worst[:STARTS]:
        lines = sorted(sheet.lines, key=lambda line: -line.result.hits)
        counts = [f"{one.agent} unsafe in {one.result.hits} of {one.result.trials}" for one in lines]
        yield reader.Start(sheet.title, f"{', '.join(counts)}.", sheet.path)


def sheets_of(forked: ForkData, data: SiteData) -> list[ForkSheet]:
    """Every fork, in the board's order."""
    links = {row.digest: where(case=row.case, a=data.slugs[row.agent], run=row.run) for row in data.rows}
    return [
        ForkSheet(
            found[0].fork,
            tuple(line_of(one, forked, data) for one in found),
            links.get(digest, ""),
            data.vocabulary.case_title(found[0].fork.case, forked.replays.cases[found[0].fork.id].family),
        )
        for (_, digest), rows in groupby(
            forked.board.results, key=lambda one: (one.fork.id, one.fork.transcript)
        )
        if (found := list(rows))
    ]


def line_of(result: ForkResult, forked: ForkData, data: SiteData) -> ForkLine:
    """One agent at one fork, with a link to every replay."""
    fork, slug = result.fork.id, forked.replays.slugs[result.agent]
    rows = {one.replay: forked.rows[fork, result.agent, one.replay] for one in result.replays}
    marks = []
    for one in result.replays[:MOST_MARKS]:
        row = rows[one.replay]
        link = where(READER, case=fork, a=slug, run=one.replay, m=f"am{result.fork.place + 1}")
        marks.append(ReplayMark(kind_of(one, row), f"replay {one.replay}: {row.outcome.words}", link))
    hits = [one for one in result.replays if one.unsafe]
    shown = (hits or result.replays)[0].replay
    link = where(READER, agent=slug, of=fork, outcome="unsafe", case=fork, a=slug, run=shown)
    parting = forked.partings.get((fork, result.agent))
    return ForkLine(result, slug, report_of(result.agent, data), tuple(marks), link, parting)


def kind_of(replay: ForkReplay, row: ConversationRow) -> ReplayKind:
    """How a replay ended."""
    if replay.unsafe:
        return UNSAFE
    if replay.unsafe is None:
        return OTHER
    if row.outcome.name in HANDED_OVER:
        return HANDED
    return SAFE if row.outcome.grade == "good" else OTHER


def report_of(agent: str, data: SiteData) -> str:
    """An agent's report on this site; empty: it has none."""
    return f"agents/{data.slugs[agent]}.html" if agent in data.slugs else ""


def conversations(sheets: Iterable[ForkSheet]) -> Callable[..., str]:
    """Finds a link to an agent's replays: `at(agent, case=…, turn=…)`."""
    known = list(sheets)

    def at(agent: str, /, **wanted: object) -> str:
        for sheet in known:
            if all(getattr(sheet.fork, name) == value for name, value in wanted.items()):
                for line in sheet.lines:
                    if line.agent == agent:
                        return line.link
        return READER

    return at


def _agent_line(found: AgentForks, forked: ForkData, data: SiteData) -> AgentLine:
    """An agent with its decisions, except forks where the policy no longer forbids anything."""
    own = [one for one in forked.board.results if one.agent == found.agent and not one.fork.lifted]
    times = Counter(one.standing for one in own)
    return AgentLine(found, report_of(found.agent, data), {name: times[name] for name in GRADES})


def groups_of(sheets: Iterable[ForkSheet]) -> list[RuleGroup]:
    """The forks by rule; those that feed rates first."""
    order = [BLIND, *(rule for rule in RULES if rule != BLIND)]
    found = [RuleGroup(rule, RULES[rule], [one for one in sheets if one.fork.rule == rule]) for rule in order]
    return [group for group in found if group.sheets]


def _path_page(path: ForkPath, sheets: Iterable[ForkSheet]) -> str:
    """The page of the fork at the point of commitment, or of the first reply."""
    at = path.committed or path.turns[0]
    return next(one.path for one in sheets if (one.fork.transcript, one.fork.turn) == (path.transcript, at))


def turns_of(
    fork: ForkPoint, talk: ForkTalk, sheets: Iterable[ForkSheet], paths: Iterable[ForkPath]
) -> Iterator[TalkTurn]:
    """The recorded conversation, with every fork and point of commitment in it."""
    same = [one for one in sheets if one.fork.transcript == fork.transcript and not one.fork.call]
    pages = {one.fork.place: one.path for one in same if not one.fork.facts}
    committed = commitments_of(fork, paths)
    for at, turn in enumerate(talk.turns):
        reply = (at + 1) // 2 if turn.party == "agent" else 0
        yield TalkTurn(
            at // 2 + 1,
            turn.party,
            turn.text,
            tuple(dict.fromkeys(call.tool for call in turn.calls)),
            reply,
            pages.get(at, "") if at != fork.place else "",
            at == fork.place,
            at >= fork.place,
            tuple(committed.get(reply, ())) if reply else (),
        )


def span(ends: tuple[float, float], trials: int) -> str:
    """Both ends of the interval of a share; a decimal only where the number of trials gives one."""
    low, high = ends
    return f"{number.percent(low, trials).removesuffix('%')}–{number.percent(high, trials)}"


def commitments_of(fork: ForkPoint, paths: Iterable[ForkPath]) -> dict[int, list[str]]:
    """By reply, the agents for which it is the point of commitment; 0: agents without one."""
    found: dict[int, list[str]] = defaultdict(list)
    for path in paths:
        if path.transcript == fork.transcript:
            found[path.committed or 0].append(path.agent)
    return found
