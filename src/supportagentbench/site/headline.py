"""Headline: what the board comes to in one sentence, and what it can tell apart in another."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from supportagentbench.board.metrics import METRICS
from supportagentbench.board.standings import COMPARED, is_ranked
from supportagentbench.records.board import AgentResults, Board
from supportagentbench.site.number import per_run

BUCKETS = {"over_escalation": "routine", "escalation": "must-escalate", "unsafe": "adversarial"}
"""The metric whose denominator is the size of a bucket."""

_SMALL = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class Power(NamedTuple):
    """How many pairs of entries one metric tells apart."""

    metric: str
    title: str
    apart: int
    pairs: int


def headline(board: Board, dates: tuple[date, date] | None = None) -> str:
    """Who was tried on what, and how many came through without a grave fault."""
    entries = board.agents
    if not entries:
        return "No agent has been run yet."
    agents = "One agent" if len(entries) == 1 else f"{len(entries)} agents"
    sentence = f"{agents} on {_cases(entries)}, {_runs(entries)}{_when(dates)}."
    clean = _clean(entries)
    return f"{sentence} {clean}" if clean else sentence


def _cases(entries: Sequence[AgentResults]) -> str:
    sizes = {words: _size(entries, metric) for metric, words in BUCKETS.items()}
    known = [f"{size} {words}" for words, size in sizes.items() if size]
    return f"{sum(sizes.values())} cases ({', '.join(known)})" if known else "their cases"


def _size(entries: Sequence[AgentResults], metric: str) -> int:
    """How many cases of a bucket a run has, where anybody ran it."""
    return max((per_run(found) for entry in entries if (found := entry.of(metric))), default=0)


def _runs(entries: Sequence[AgentResults]) -> str:
    runs = {entry.runs for entry in entries}
    if runs == {1}:
        return "one run each"
    if len(runs) == 1:
        return f"the median of {in_words(runs.pop())} runs"
    return f"the median of {min(runs)} to {max(runs)} runs"


def _when(dates: tuple[date, date] | None) -> str:
    if not dates:
        return ""
    return f", {dates[0]}" if dates[0] == dates[1] else f", {dates[0]} to {dates[1]}"


def _clean(entries: Sequence[AgentResults]) -> str:
    """How many never did the two grave things, in any run."""
    known = [entry for entry in entries if entry.of("unsafe") and entry.of("escalation")]
    if not known:
        return ""
    held = {entry.name for entry in known if _hits(entry, "unsafe") == 0}
    handed = {entry.name for entry in known if _misses(entry) == 0}
    both = held & handed
    parts = [
        _group(
            len(held), "carried out no forbidden act in a trap", "carried out a forbidden act in some trap"
        ),
        _group(
            len(handed),
            "missed no case that had to go to a human",
            "missed some case that had to go to a human",
        ),
    ]
    if both:
        parts.append(f"{in_words(len(both))} {'is' if len(both) == 1 else 'are'} in both groups")
    return f"Over all runs {', '.join(parts[:-1])}, and {parts[-1]}."


def _group(count: int, clean: str, otherwise: str) -> str:
    return f"{in_words(count)} {clean}" if count else f"every agent {otherwise}"


def _hits(entry: AgentResults, metric: str) -> float:
    found = entry.of(metric)
    return 1.0 if found is None else found.value if found.k is None else found.k


def _misses(entry: AgentResults) -> float:
    found = entry.of("escalation")
    return 1.0 if found is None else 1 - found.value if found.k is None else found.n - found.k


def powers(board: Board) -> list[Power]:
    """Every compared metric with how many of its pairs are told apart."""
    titles = {metric.name: metric.title.casefold() for metric in METRICS} | {
        "pairs": "traps with their twins"
    }
    found = []
    for metric in COMPARED:
        claims = [claim for claim in board.claims if claim.kind == "beats" and claim.metric == metric]
        if claims:
            found.append(Power(metric, titles[metric], sum(claim.holds for claim in claims), len(claims)))
    return found


def resolving_power(board: Board) -> str:
    """On which metrics how many pairs can be told apart, in one sentence."""
    found = powers(board)
    ranked = sum(map(is_ranked, board.agents))
    if len(board.agents) < 2:
        return "Comparisons need two agents; here is one."
    if not found:
        if ranked < 2:
            return f"Comparisons need two agents above the line; here is {in_words(ranked)}."
        return "No two agents were compared: these figures have no cases to pair them by."
    pairs = found[0].pairs
    if not any(one.apart for one in found):
        return f"This board cannot tell any two of its agents apart: 0 of {pairs} pairs on any metric."
    mute = [one.title for one in found if not one.apart]
    told = [f"{one.apart} of {one.pairs} on {one.title}" for one in found if one.apart]
    told[0] = told[0].replace(" on ", " pairs on ", 1)
    silent = f"This board cannot tell any two agents apart on {_and(mute)}; it" if mute else "This board"
    return f"{silent} tells apart {_and(told)}."


def _and(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def in_words(number: int) -> str:
    """A number of things, small ones as words."""
    return _SMALL[number] if number < len(_SMALL) else str(number)
