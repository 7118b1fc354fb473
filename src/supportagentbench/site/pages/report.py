"""Report: one page per agent, also in Markdown; figures by `agent_stats.py`, sentences by `prose/`."""

import re
from collections.abc import Callable, Iterator, Mapping
from math import ceil
from typing import Any, NamedTuple

from supportagentbench.site.answers.prose import sections, summary
from supportagentbench.site.answers.prose.traits import traits, traits_rule
from supportagentbench.site.answers.prose.words import intervals, judge_words, runs_text, share
from supportagentbench.site.answers.report_top import report_top
from supportagentbench.site.answers.written_prose import HEADINGS, Prose, Words
from supportagentbench.site.data.agent_cases import FEW
from supportagentbench.site.data.agent_stats import (
    ACTIONS,
    CLAIMS,
    STYLE,
    AgentFigure,
    AgentStats,
    all_agent_stats,
    as_estimate,
)
from supportagentbench.site.data.links import behind
from supportagentbench.site.data.quote import Quote, Said
from supportagentbench.site.data.site_data import SiteData
from supportagentbench.site.pages.page import SitePage

RULES_SHOWN = 10
CASE_TYPES_SHOWN = 8
CLAIMS_SHOWN = 6
SAYS_SHOWN = 2
"""Sentences of a section that are not folded."""

Sentences = Callable[[AgentStats], list[str]]


class ReportSection(NamedTuple):
    """A section of the report: the sentences by code, or what somebody wrote in their place."""

    id: str
    title: str
    sentences: list[str]
    written: tuple[Words, ...]


class Glance(NamedTuple):
    """A row of the summary table."""

    question: str
    value: str
    counted: str
    interval: str
    link: str


def _nothing(stats: AgentStats) -> list[str]:
    return []


SECTIONS: dict[str, Sentences] = {
    "short": summary.short_version,
    "handover": sections.handover,
    "policy": sections.adherence,
    "safety": sections.safety,
    "traps": sections.traps,
    "tools": sections.tools,
    "experience": sections.experience,
    "traits": _nothing,
    "runs": sections.stability,
    "compared": sections.comparison,
    "cost": sections.cost,
    "bottom": summary.bottom_line,
    "glance": _nothing,
    "usecases": _nothing,
    "rules": _nothing,
}
"""Every section, in order, and the function that writes its sentences."""


def pages(
    data: SiteData, written: Mapping[str, Prose] | None = None, said: Said | None = None
) -> Iterator[SitePage]:
    """The reports; `written` is text by slug, `said` looks up the messages that quotes have to match."""
    for stats in all_agent_stats(data, said):
        context = _context(stats, (written or {}).get(stats.slug, Prose()))
        yield SitePage(f"agents/{stats.slug}.html", "report.html", context)
        yield SitePage(f"agents/{stats.slug}.md", "report.md", context)


def _context(stats: AgentStats, written: Prose) -> dict[str, Any]:
    over = [one for one in stats.slices("over_escalation") if one.k]
    return {
        "d": stats,
        "results": stats.results,
        "written": written,
        "top": (top := report_top(stats)),
        "claims": top.verdict.claims,
        "quotes_in": _quotes_in(stats),
        "unranked_note": summary.unranked_note(stats),
        "notes": summary.notes(stats),
        "provenance": summary.provenance(stats),
        "sections": [
            ReportSection(name, HEADINGS[name], [] if written.of(name) else say(stats), written.of(name))
            for name, say in SECTIONS.items()
        ],
        "must": stats.slices("escalation"),
        "over": sorted(over, key=lambda one: (-one.k, one.family))[:CASE_TYPES_SHOWN],
        "over_left": max(0, len(over) - CASE_TYPES_SHOWN),
        "broken": [rule for rule in stats.rules if rule.broken(stats.judge)],
        "few": FEW,
        "rules_shown": RULES_SHOWN,
        "claims_shown": CLAIMS_SHOWN,
        "says_shown": SAYS_SHOWN,
        "issues_in": {"tools": stats.seen((*ACTIONS, *CLAIMS)), "experience": stats.seen(STYLE)},
        "longest": _longest,
        "traits": traits(stats),
        "traits_rule": traits_rule(),
        "serious_rule": summary.serious_rule(),
        "glance": list(_glance(stats)),
        "intervals": intervals,
        "runs_text": runs_text,
        "found_in": sections.found_in,
        "as_estimate": as_estimate,
        "behind": behind,
        "escaped": escaped,
    }


def _quotes_in(stats: AgentStats) -> dict[str, list[Quote]]:
    """The quotes of each section, beside what it says."""
    found: dict[str, list[Quote]] = {name: [] for name in SECTIONS}
    for quote in stats.quotes:
        check = quote.issue.check if quote.issue else ""
        section = next((name for name, checks in QUOTED_IN.items() if check in checks), "tools")
        found[section].append(quote)
    return found


QUOTED_IN = {
    "handover": ("resolved", "escalated", "over_escalated", "late_handover"),
    "safety": ("held", "forbidden", "premature", "waived_proof"),
    "experience": STYLE,
}
"""Where an issue is quoted; all others beside its actions and statements."""


def _longest(figures: list[AgentFigure]) -> float:
    """The right end of an axis that contains all of these shares: a full tenth."""
    known = [one.estimate.new_cases_interval for one in figures if one.estimate]
    return ceil(10 * max((interval.high for interval in known if interval), default=0.1)) / 10


def _glance(stats: AgentStats) -> Iterator[Glance]:
    for metric, question in (
        ("resolution", "Resolves solvable tickets"),
        ("escalation", "Escalates cases that need a human"),
        ("over_escalation", "Hands over needlessly"),
    ):
        yield _line(stats, metric, question)
    checks = {*ACTIONS, *CLAIMS}
    count = sum(bool(checks & {*row.issues}) for row in stats.rows)
    yield Glance(
        "Conversations with an issue in an action or statement",
        share(count, len(stats.rows)),
        f"{count}/{len(stats.rows)}",
        "",
        behind("", stats.slug),
    )
    judge = f", according to {judge_words(stats.judge)}" if stats.judge else ""
    yield _line(stats, "adherence", f"Follows the policy{judge}")
    yield _line(stats, "sentiment", f"Customer's mood is at least as good at the end{judge}")
    yield _line(stats, "unsafe", "Traps with an unsafe action")
    tier = f" (tier {stats.results.tier})" if stats.results.tier else ""
    yield _line(stats, "cost", f"Dollars per 1,000 conversations{tier}")


def _line(stats: AgentStats, metric: str, question: str) -> Glance:
    figure = stats.figure(metric)
    interval = intervals(figure.estimate) if figure.estimate else "no figure"
    return Glance(question, figure.value, figure.counted, interval, figure.link)


def escaped(text: str) -> str:
    """Text that Markdown shows as it is, on one line: no markup, no HTML, no address made a link."""
    return re.sub(r"([\\`*_\[\]|<>~&]|:(?=//)|(?<=\bwww)\.)", r"\\\1", " ".join(text.split()))
