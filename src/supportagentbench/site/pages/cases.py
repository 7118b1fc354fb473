"""Cases: the table of all cases, and a page for each with its correct handling and every agent's results."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from statistics import fmean
from typing import ClassVar, NamedTuple

import msgspec

from supportagentbench.records.board import Board, Estimate, Interval
from supportagentbench.records.case import Bucket
from supportagentbench.records.run import RuleText
from supportagentbench.site import number
from supportagentbench.site.answers.expected import ExpectedActs, expected_of, rules_of, rulings_of
from supportagentbench.site.data.case_record import RecordField, fields_of
from supportagentbench.site.data.index import ranked_agents
from supportagentbench.site.data.outcome import OUTCOMES, ShownOutcome
from supportagentbench.site.data.site_data import CaseSheet, ConversationRow, SiteData
from supportagentbench.site.naming import where
from supportagentbench.site.pages.page import SitePage
from supportagentbench.site.pages.page_context import PageContext
from supportagentbench.stats.rates import run_again


class Tried(NamedTuple):
    """What one agent did in one case, run by run."""

    agent: str
    rows: tuple[ConversationRow, ...]

    @property
    def counted(self) -> list[ConversationRow]:
        return [row for row in self.rows if row.outcome.grade != "none"]

    @property
    def good(self) -> int:
        return sum(row.outcome.grade == "good" for row in self.counted)

    @property
    def passes(self) -> bool:
        """Whether more than half of its runs ended well."""
        return 2 * self.good > len(self.counted)

    @property
    def flips(self) -> bool:
        """Whether some of its runs ended well and others did not."""
        return 0 < self.good < len(self.counted)


class CaseLine(NamedTuple):
    """A case in numbers, over the ranked agents."""

    sheet: CaseSheet
    passed: Estimate | None
    """Agents that pass, of those that tried."""
    flipped: int
    repeated: int
    """Agents with more than one run of it."""
    cost: float | None
    """Mean dollars per 1,000 such conversations."""
    priced: int
    """Conversations whose cost is known."""

    @property
    def is_flat(self) -> bool:
        """Whether it does not discriminate: all agents pass, or none."""
        return self.passed is not None and self.passed.n > 1 and self.passed.k in (0, self.passed.n)


class EndingCount(NamedTuple):
    """How often a case ended in one way."""

    outcome: ShownOutcome
    times: int
    link: str


@dataclass(frozen=True)
class CasesContext(PageContext):
    """The table of all cases."""

    TEMPLATES: ClassVar = ("cases.html",)

    lines: list[CaseLine]
    ranked: list[str]
    """The agents that shares are based on."""

    @property
    def cores(self) -> int:
        """How many cases are in the headline set."""
        return sum(not line.sheet.twin_of for line in self.lines)

    @property
    def twins(self) -> int:
        """How many are honest twins."""
        return len(self.lines) - self.cores

    @property
    def flat(self) -> list[CaseLine]:
        """Headline cases that do not distinguish agents."""
        return [line for line in self.lines if line.is_flat and not line.sheet.twin_of]

    @property
    def buckets(self) -> list[Bucket]:
        """The buckets, in the order of the table."""
        return list(dict.fromkeys(line.sheet.bucket for line in self.lines))

    @property
    def is_priced(self) -> bool:
        """Whether any cost is known."""
        return any(line.cost is not None for line in self.lines)


@dataclass(frozen=True)
class CaseContext(PageContext):
    """One case: its correct handling, and what every agent did."""

    TEMPLATES: ClassVar = ("case.html",)

    line: CaseLine
    """The case in numbers."""
    tried: list[Tried]
    expected: list[str]
    """The correct handling, sentence by sentence."""
    rulings: list[ExpectedActs]
    decide: list[RuleText]
    """The rules that decide it."""
    forbid: list[RuleText]
    """The rules that forbid an action in it."""
    facts: list[str]
    """A summary of the outcomes, sentence by sentence."""
    partner: str
    """Its twin, or the case that it is a twin of; empty: none."""
    before: str
    """The case before it; empty: it is the first."""
    after: str

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
        """The number of conversations."""
        return sum(len(one.rows) for one in self.tried)

    @property
    def endings(self) -> list[EndingCount]:
        """How often it ended in each way."""
        counts = Counter(row.outcome.name for one in self.tried for row in one.rows)
        return [
            EndingCount(outcome, counts[outcome.name], where(of=self.sheet.id, outcome=outcome.name))
            for outcome in OUTCOMES
            if counts[outcome.name]
        ]


def pages(data: SiteData) -> Iterator[SitePage[CasesContext | CaseContext]]:
    """The table, and one page per case."""
    tried = tried_by_case(data)
    ranked = ranked_names(data.board)
    lines = [line_of(sheet, tried[name], ranked) for name, sheet in data.cases.items()]
    yield SitePage("cases.html", "cases.html", CasesContext(lines, ranked))
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
    """A case in numbers."""
    counted = [one for one in tried if one.agent in ranked and one.counted]
    costs = [row.cost for one in counted for row in one.counted if row.cost is not None]
    return CaseLine(
        sheet,
        _share(sum(one.passes for one in counted), len(counted)),
        sum(one.flips for one in counted),
        sum(len(one.counted) > 1 for one in counted),
        1000 * fmean(costs) if costs else None,
        len(costs),
    )


def _share(hits: int, trials: int) -> Estimate | None:
    """The share of agents; the interval is for other agents like these."""
    if not trials:
        return None
    rate = hits / trials
    return Estimate(
        "passed", rate, rate, trials, (rate,), hits, new_cases_interval=Interval(*run_again([hits], [trials]))
    )


def _case_pages(
    data: SiteData, tried: dict[str, list[Tried]], lines: list[CaseLine]
) -> Iterator[SitePage[CaseContext]]:
    rules = known_rules(data)
    twins = {sheet.twin_of: name for name, sheet in data.cases.items() if sheet.twin_of}
    names = list(data.cases)
    for place, line in enumerate(lines):
        name = line.sheet.id
        decide, forbid = rules_of(line.sheet.label, rules)
        context = CaseContext(
            line=line,
            tried=tried[name],
            expected=expected_of(line.sheet.label, line.sheet.record, data.vocabulary),
            rulings=rulings_of(line.sheet.label, data.vocabulary),
            decide=decide,
            forbid=forbid,
            facts=list(_facts(line, [row for one in tried[name] for row in one.counted])),
            partner=line.sheet.twin_of or twins.get(name, ""),
            before=names[place - 1] if place else "",
            after=names[place + 1] if place + 1 < len(names) else "",
        )
        yield SitePage(f"cases/{name}.html", "case.html", context)


def _facts(line: CaseLine, counted: list[ConversationRow]) -> Iterator[str]:
    """A summary of the outcomes, in sentences."""
    if line.passed:
        like = number.interval_text("passed", line.passed.new_cases_interval)
        yield f"{number.count_text(line.passed)} ranked agents pass it (95% interval {like})."
    if line.repeated:
        yield f"In {line.flipped} of {line.repeated} agents, some runs end well and others do not."
    if counted:
        mean = number.plain(fmean(row.messages for row in counted))
        yield f"Agents wrote {mean} messages on average over {len(counted)} conversations."
    if line.cost is not None:
        cost = number.money(line.cost)
        yield f"1,000 such conversations cost {cost}, based on the {line.priced} with a price."
