"""Cases: the table of all cases, and a page for each with its correct handling and what every agent did."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from statistics import fmean
from typing import NamedTuple

import msgspec

from supportagentbench.board.standings import is_ranked
from supportagentbench.records.board import Board, Estimate, Interval
from supportagentbench.records.run import RuleText
from supportagentbench.records.vocabulary import Vocabulary
from supportagentbench.site import number
from supportagentbench.site.answers.expected import expected_of, rules_of, rulings_of
from supportagentbench.site.data.case_record import fields_of
from supportagentbench.site.data.outcome import OUTCOMES, ShownOutcome
from supportagentbench.site.data.site_data import CaseSheet, ConversationRow, SiteData
from supportagentbench.site.naming import where
from supportagentbench.site.pages.page import SitePage
from supportagentbench.stats.rates import wilson


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


def pages(data: SiteData) -> Iterator[SitePage]:
    """The table, and one page per case."""
    tried = tried_by_case(data)
    ranked = ranked_names(data.board)
    lines = [line_of(sheet, tried[name], ranked) for name, sheet in data.cases.items()]
    yield SitePage(
        "cases.html",
        "cases.html",
        {
            "lines": lines,
            "cores": sum(not line.sheet.twin_of for line in lines),
            "twins": sum(bool(line.sheet.twin_of) for line in lines),
            "flat": [line for line in lines if line.is_flat and not line.sheet.twin_of],
            "buckets": list(dict.fromkeys(line.sheet.bucket for line in lines)),
            "ranked": ranked,
            "is_priced": any(line.cost is not None for line in lines),
        },
    )
    yield from _case_pages(data, tried, lines)


def tried_by_case(data: SiteData) -> dict[str, list[Tried]]:
    """By case, what each agent did in it, in the board's order."""
    found: dict[str, list[Tried]] = defaultdict(list)
    for (case, agent), rows in groupby(data.rows, key=lambda row: (row.case, row.agent)):
        found[case].append(Tried(agent, tuple(rows)))
    return found


def ranked_names(board: Board) -> list[str]:
    """The agents that shares are taken over: those ranked, or all if none is."""
    return [agent.name for agent in board.agents if is_ranked(agent)] or [
        agent.name for agent in board.agents
    ]


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
        "passed", rate, rate, trials, (rate,), hits, new_cases_interval=Interval(*wilson(rate, trials))
    )


def _case_pages(data: SiteData, tried: dict[str, list[Tried]], lines: list[CaseLine]) -> Iterator[SitePage]:
    rules = {rule.id: rule for header in reversed(data.headers) for rule in header.rules}
    twins = {sheet.twin_of: name for name, sheet in data.cases.items() if sheet.twin_of}
    names = list(data.cases)
    for place, line in enumerate(lines):
        name = line.sheet.id
        yield SitePage(
            f"cases/{name}.html",
            "case.html",
            {
                **_correct(line.sheet, rules, data.vocabulary),
                **_happened(line, tried[name]),
                "partner": line.sheet.twin_of or twins.get(name, ""),
                "before": names[place - 1] if place else "",
                "after": names[place + 1] if place + 1 < len(names) else "",
            },
        )


def _correct(sheet: CaseSheet, known: dict[str, RuleText], vocabulary: Vocabulary) -> dict[str, object]:
    """The correct handling of a case, for its page."""
    decide, forbid = rules_of(sheet.label, known)
    return {
        "sheet": sheet,
        "fields": fields_of(sheet.record),
        # Between tags, quotes need no escape, and a record is full of them.
        "raw": escape(msgspec.json.encode(sheet.record).decode(), quote=False),
        "expected": expected_of(sheet.label, sheet.record, vocabulary),
        "rulings": rulings_of(sheet.label, vocabulary),
        "decide": decide,
        "forbid": forbid,
    }


def _happened(line: CaseLine, tried: list[Tried]) -> dict[str, object]:
    """What the agents did in a case, for its page."""
    rows = [row for one in tried for row in one.rows]
    counts = Counter(row.outcome.name for row in rows)
    return {
        "line": line,
        "tried": tried,
        "total": len(rows),
        "endings": [
            EndingCount(outcome, counts[outcome.name], where(q=line.sheet.id, outcome=outcome.name))
            for outcome in OUTCOMES
            if counts[outcome.name]
        ],
        "facts": list(_facts(line, [row for one in tried for row in one.counted])),
    }


def _facts(line: CaseLine, counted: list[ConversationRow]) -> Iterator[str]:
    """A summary of the outcomes, one sentence each."""
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
