"""Report top: the first screen of a report, based on what the record shows."""

from collections.abc import Iterator
from typing import NamedTuple

from supportagentbench.board.recommendation_words import limits_words
from supportagentbench.records.board import AgentResults
from supportagentbench.records.counts import counted
from supportagentbench.site.answers.board_answer import AgentTake, take_of
from supportagentbench.site.answers.causes import causes, count_words
from supportagentbench.site.answers.character import strengths, title
from supportagentbench.site.answers.figure_cards import FigureCard, figure_cards
from supportagentbench.site.answers.guard_table import (
    GuardRow,
    guard_table,
    stopped_together,
    unlisted_guards,
)
from supportagentbench.site.answers.quoted_exchange import QuotedExchange, exchange_of
from supportagentbench.site.answers.troubles import OwnPlace, Trouble, troubles
from supportagentbench.site.data.agent_stats import AgentStats

TROUBLES = 3
"""How many habits are described in full; the others get one line."""


class ToldTrouble(NamedTuple):
    """One thing that goes wrong, ready to print."""

    heading: str
    counted: str
    causes: tuple[str, ...]
    exchange: QuotedExchange | None
    found: int
    """Conversations in which it was found."""
    link: str


class ReportTop(NamedTuple):
    """What a reader sees first."""

    title: str
    subtitle: str
    verdict: AgentTake
    instead: AgentResults | None
    """The agent to use in its place; None: it is that agent, or there is none."""
    rule: str
    """What an agent has to keep to be used."""
    cards: list[FigureCard]
    troubles: list[ToldTrouble]
    others: list[str]
    """Further habits, one line each."""
    strengths: list[str]
    guards: list[GuardRow]
    stopped: int
    """Conversations that all tool guards together would have stopped."""
    unlisted: int
    """Further guards that are included in this count."""


def report_top(stats: AgentStats) -> ReportTop:
    """The first screen of an agent's report."""
    found = troubles(stats)
    return ReportTop(
        title=title(stats, found),
        subtitle=subtitle(stats),
        verdict=take_of(stats.recommendation, stats.slug),
        instead=_instead(stats),
        rule=limits_words(stats.data.recommendation),
        cards=figure_cards(stats),
        troubles=list(_told(found, stats)),
        others=[f"{one.kind.heading}: {count_words(one, stats, found)}" for one in found[TROUBLES:]],
        strengths=strengths(stats),
        guards=guard_table(stats),
        stopped=stopped_together(stats),
        unlisted=unlisted_guards(stats),
    )


def _instead(stats: AgentStats) -> AgentResults | None:
    pick = stats.data.recommendation.pick
    return stats.data.recommendation.of(pick).agent if pick not in ("", stats.results.name) else None


def _told(found: list[Trouble], stats: AgentStats) -> Iterator[ToldTrouble]:
    used: set[OwnPlace] = set()
    for trouble in found[:TROUBLES]:
        exchange = exchange_of(trouble, stats, stats.said, used)
        used |= {exchange.place} if exchange else set()
        yield ToldTrouble(
            heading=trouble.kind.heading,
            counted=count_words(trouble, stats, found),
            causes=tuple(causes(trouble, stats)),
            exchange=exchange,
            found=trouble.found,
            link=trouble.link,
        )


def subtitle(stats: AgentStats) -> str:
    """Tier, size, date and world in one line."""
    results, (first, last) = stats.results, stats.data.days[stats.results.name]
    cases = len({row.case for row in stats.rows})
    parts = [
        results.tier or "",
        f"{counted(results.runs, 'run')} × {counted(cases, 'case')}",
        _day(first) if first == last else f"{_day(first)} to {_day(last)}",
        stats.header.world,
    ]
    return " · ".join(filter(None, parts))


def _day(day: object) -> str:
    return f"{day:%-d %B %Y}"
