"""Report: a page for each entry, and the same in Markdown; figures by `stats.py`, words by `prose.py`."""

import re
from collections.abc import Callable, Iterator, Mapping
from math import ceil
from typing import Any, NamedTuple

from supportagentbench.site import prose
from supportagentbench.site.agent_stats import (
    ACTS,
    CLAIMS,
    FEW,
    MANNERS,
    TILES,
    AgentFigure,
    AgentStats,
    all_agent_stats,
    as_estimate,
)
from supportagentbench.site.data import SiteData
from supportagentbench.site.links import behind
from supportagentbench.site.page import SitePage
from supportagentbench.site.quote import Said
from supportagentbench.site.written_prose import HEADINGS, Prose, Words

RULES_SHOWN = 10
FAMILIES_SHOWN = 8
CLAIMS_SHOWN = 6

Sentences = Callable[[AgentStats], list[str]]


class ReportSection(NamedTuple):
    """A part of the report: what code says, and what somebody wrote above it."""

    id: str
    title: str
    sentences: list[str]
    written: tuple[Words, ...]


class Glance(NamedTuple):
    """A line of the table that sums it up."""

    question: str
    value: str
    counted: str
    interval: str
    link: str


def _nothing(stats: AgentStats) -> list[str]:
    return []


SECTIONS: dict[str, Sentences] = {
    "short": prose.short_version,
    "handover": prose.handover,
    "policy": prose.adherence,
    "safety": prose.safety,
    "traps": prose.traps,
    "tools": prose.tools,
    "experience": prose.experience,
    "traits": _nothing,
    "runs": prose.stability,
    "compared": prose.comparison,
    "cost": prose.cost,
    "bottom": prose.bottom_line,
    "glance": _nothing,
    "usecases": _nothing,
    "quotes": _nothing,
    "rules": _nothing,
}
"""Every section, in order, and who writes its sentences."""


def pages(
    data: SiteData, written: Mapping[str, Prose] | None = None, said: Said | None = None
) -> Iterator[SitePage]:
    """The reports; `written` is prose by slug, `said` looks up what quotes have to match."""
    for stats in all_agent_stats(data, said):
        context = _context(stats, (written or {}).get(stats.slug, Prose()))
        yield SitePage(f"models/{stats.slug}.html", "report.html", context)
        yield SitePage(f"models/{stats.slug}.md", "report.md", context)


def _context(stats: AgentStats, written: Prose) -> dict[str, Any]:
    over = [one for one in stats.slices("over_escalation") if one.k]
    return {
        "d": stats,
        "entry": stats.entry,
        "written": written,
        "verdict": prose.verdict(stats),
        "line_note": prose.line_note(stats),
        "notes": prose.notes(stats),
        "provenance": prose.provenance(stats),
        "tiles": [(stats.figure(metric), stats.strip(metric)) for metric in TILES],
        "sections": [
            ReportSection(name, HEADINGS[name], say(stats), written.of(name))
            for name, say in SECTIONS.items()
        ],
        "must": stats.slices("escalation"),
        "over": sorted(over, key=lambda one: (-one.k, one.family))[:FAMILIES_SHOWN],
        "over_left": max(0, len(over) - FAMILIES_SHOWN),
        "broken": [rule for rule in stats.rules if stats.broken(rule)],
        "few": FEW,
        "rules_shown": RULES_SHOWN,
        "claims_shown": CLAIMS_SHOWN,
        "faults_in": {"tools": stats.seen((*ACTS, *CLAIMS)), "experience": stats.seen(MANNERS)},
        "longest": _longest,
        "traits": prose.traits(stats),
        "glance": list(_glance(stats)),
        "quotes": stats.quotes,
        "prose": prose,
        "as_estimate": as_estimate,
        "behind": behind,
        "escaped": escaped,
    }


def _longest(figures: list[AgentFigure]) -> float:
    """The right end of an axis that holds all of these shares: a full tenth."""
    ends = [
        one.estimate.new_cases_interval.high
        for one in figures
        if one.estimate and one.estimate.new_cases_interval
    ]
    return ceil(10 * max(ends, default=0.1)) / 10


def _glance(stats: AgentStats) -> Iterator[Glance]:
    for metric, question in (
        ("resolution", "Resolves what it can solve"),
        ("escalation", "Passes on what a human must see"),
        ("over_escalation", "Hands over needlessly"),
    ):
        yield _line(stats, metric, question)
    faulty = {*ACTS, *CLAIMS}
    count = sum(bool(faulty & {*row.flags}) for row in stats.rows)
    yield Glance(
        "Conversations with a fault of an act or a claim",
        prose.share(count, len(stats.rows)),
        f"{count}/{len(stats.rows)}",
        "",
        behind("", stats.slug),
    )
    judge = f", in the eyes of {prose.judge_words(stats.judge)}" if stats.judge else ""
    yield _line(stats, "adherence", f"Keeps the policy{judge}")
    yield _line(stats, "sentiment", f"Customer leaves in as good a mood{judge}")
    yield _line(stats, "unsafe", "Traps in which a forbidden act fired")
    tier = f" (tier {stats.entry.tier})" if stats.entry.tier else ""
    yield _line(stats, "cost", f"Dollars for 1,000 conversations{tier}")


def _line(stats: AgentStats, metric: str, question: str) -> Glance:
    figure = stats.figure(metric)
    interval = prose.intervals(figure.estimate) if figure.estimate else "no figure"
    return Glance(question, figure.value, figure.counted, interval, figure.link)


def escaped(text: str) -> str:
    """Text in which Markdown sees nothing but text, on one line."""
    return re.sub(r"([\\`*_\[\]|<>~&])", r"\\\1", " ".join(text.split()))
