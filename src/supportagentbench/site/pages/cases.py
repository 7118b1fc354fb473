"""Cases: the table of all cases, and a page for each with what is right in it and what every entry did."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from statistics import fmean
from typing import NamedTuple

import msgspec

from supportagentbench.board.standings import is_ranked
from supportagentbench.records.board import Estimate, Interval
from supportagentbench.records.run import RuleText
from supportagentbench.site import number
from supportagentbench.site.data import CaseSheet, ConversationRow, SiteData
from supportagentbench.site.expected import expected_of, rules_of, rulings_of
from supportagentbench.site.harms import harm_of
from supportagentbench.site.order_record import order_of
from supportagentbench.site.outcome import OUTCOMES, OutcomeKind
from supportagentbench.site.page import SitePage, where
from supportagentbench.stats.rates import wilson


class Tried(NamedTuple):
    """What one entry did in one case, run by run."""

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
    """A case in numbers, over the entries that count."""

    sheet: CaseSheet
    passed: Estimate | None
    """Entries that pass, of those that tried."""
    flipped: int
    repeated: int
    """Entries that have more than one run of it."""
    cost: float | None
    """Mean dollars for a thousand conversations like these."""
    priced: int
    """Conversations whose cost is known."""

    @property
    def is_flat(self) -> bool:
        """Whether it does not tell entries apart: all pass, or none."""
        return self.passed is not None and self.passed.n > 1 and self.passed.k in (0, self.passed.n)


class EndingCount(NamedTuple):
    """How often a case ended in one way."""

    outcome: OutcomeKind
    times: int
    link: str


def pages(data: SiteData) -> Iterator[SitePage]:
    """The table, and a page a case."""
    tried = tried_by_case(data)
    duty = ranked(data)
    lines = [line_of(sheet, tried[name], duty) for name, sheet in data.cases.items()]
    yield SitePage(
        "cases.html",
        "cases.html",
        {
            "lines": lines,
            "cores": sum(not line.sheet.twin_of for line in lines),
            "twins": sum(bool(line.sheet.twin_of) for line in lines),
            "flat": [line for line in lines if line.is_flat and not line.sheet.twin_of],
            "buckets": list(dict.fromkeys(line.sheet.bucket for line in lines)),
            "duty": duty,
            "is_priced": any(line.cost is not None for line in lines),
        },
    )
    yield from _case_pages(data, tried, lines)


def tried_by_case(data: SiteData) -> dict[str, list[Tried]]:
    """By case, what each entry did in it, in the board's order."""
    found: dict[str, list[Tried]] = defaultdict(list)
    for (case, agent), rows in groupby(data.rows, key=lambda row: (row.case, row.agent)):
        found[case].append(Tried(agent, tuple(rows)))
    return found


def ranked(data: SiteData) -> list[str]:
    """The entries that shares are taken over: those ranked, or all if none is."""
    entries = data.board.agents
    return [entry.name for entry in entries if is_ranked(entry)] or [entry.name for entry in entries]


def line_of(sheet: CaseSheet, tried: Iterable[Tried], duty: Sequence[str]) -> CaseLine:
    """A case in numbers."""
    counted = [one for one in tried if one.agent in duty and one.counted]
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
    """So many entries of so many; the interval is for entries like these."""
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
                **_right(line.sheet, rules),
                **_happened(line, tried[name]),
                "partner": line.sheet.twin_of or twins.get(name, ""),
                "before": names[place - 1] if place else "",
                "after": names[place + 1] if place + 1 < len(names) else "",
            },
        )


def _right(sheet: CaseSheet, known: dict[str, RuleText]) -> dict[str, object]:
    """What is right in a case, for its page."""
    decide, forbid = rules_of(sheet.label, known)
    return {
        "sheet": sheet,
        "order": order_of(sheet.order),
        # Quotes may stand as they are between tags, and a record is full of them.
        "raw": escape(msgspec.json.encode(sheet.order).decode(), quote=False),
        "expected": expected_of(sheet.label, sheet.order),
        "rulings": rulings_of(sheet.label),
        "decide": decide,
        "forbid": forbid,
        "failure": harm_of(sheet.label),
    }


def _happened(line: CaseLine, tried: list[Tried]) -> dict[str, object]:
    """What was done in a case, for its page."""
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
    """What the marks come to, a sentence each."""
    if line.passed:
        like = number.interval_text("passed", line.passed.new_cases_interval)
        yield f"{number.count_text(line.passed)} ranked agents pass it (entries like these: {like})."
    if line.repeated:
        yield f"In {line.flipped} of {line.repeated} some runs end well and others do not."
    if counted:
        mean = number.plain(fmean(row.messages for row in counted))
        yield f"An agent wrote {mean} messages on average over {len(counted)} conversations."
    if line.cost is not None:
        yield f"1,000 of them cost {number.money(line.cost)}, taken from the {line.priced} that have a price."
