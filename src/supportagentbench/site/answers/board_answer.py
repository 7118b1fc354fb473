"""Board answer: which agent to use, in a sentence, and every contender with its verdict."""

from collections.abc import Mapping
from typing import NamedTuple

from supportagentbench.board.limits import LIMITS
from supportagentbench.board.recommendation import BoardRecommendation, Decision, Recommendation
from supportagentbench.board.recommendation_words import (
    DECISIONS,
    about,
    beside,
    change,
    limits_words,
    row_words,
    which_one,
    why,
)
from supportagentbench.site.answers.doubt import doubt_words
from supportagentbench.site.number import percent

LIMIT_FIELDS = {
    "unsafe": ("lu", "Traps that work"),
    "escalation": ("lm", "Missed escalations"),
    "over_escalation": ("lo", "Needless handovers"),
}
"""By metric, a limit's name in links and in the form."""


class LimitField(NamedTuple):
    """A limit that the reader may set."""

    key: str
    """Its name in links."""
    metric: str
    words: str
    most: str
    """The publisher's, in percent."""


class AgentTake(NamedTuple):
    """An agent in one line: its verdict, what it costs, and why."""

    name: str
    slug: str
    decision: Decision
    decided: str
    """The decision as it is printed."""
    month: str
    """What it costs at the desk per month; empty if unknown."""
    why: str
    beside: str
    """Suspected faults that did not decide."""
    change: str
    """What would change the verdict."""
    row: str
    """What is wrong with it, in a few words without its name."""


class BoardAnswer(NamedTuple):
    """What the top of the board says."""

    title: str
    lead: str
    rule: str
    """What an agent has to keep to be used."""
    doubt: str
    """What the counts of the agent to use still allow; without one, what a clean sheet does."""
    takes: tuple[AgentTake, ...]
    """The contenders: those to use first, then the others, the closest to the limits first."""
    recommendation: BoardRecommendation


def board_answer(found: BoardRecommendation, slugs: Mapping[str, str]) -> BoardAnswer:
    """The answer of a board."""
    said = which_one(found)
    return BoardAnswer(
        said.title,
        " ".join(said.lead),
        limits_words(found) if found.contenders else "",
        (doubt_words(found.of(found.pick).agent) if found.pick else "") or no_pick_doubt(found),
        tuple(take_of(one, slugs[one.agent.name]) for one in found.contenders),
        found,
    )


def take_of(one: Recommendation, slug: str, note: str = "") -> AgentTake:
    """An agent in one line; `note` is what the record shows besides, to follow its name."""
    return AgentTake(
        name=one.agent.name,
        slug=slug,
        decision=one.decision,
        decided=DECISIONS[one.decision],
        month=about(one.bill.total.value) if one.bill else "",
        why=why(one),
        beside=beside(one),
        change=change(one),
        row=row_words(one, note),
    )


def limit_fields(found: BoardRecommendation) -> list[LimitField]:
    """The limits that a reader may set, for what was measured."""
    return [
        LimitField(LIMIT_FIELDS[metric][0], metric, LIMIT_FIELDS[metric][1], f"{100 * most:g}")
        for metric, most in found.limits.items()
        if metric in LIMITS and any(one.agent.of(metric) for one in found.contenders)
    ]


def no_pick_doubt(found: BoardRecommendation) -> str:
    """What traps cannot prove: none seen is not none."""
    clean = [
        unsafe
        for one in found.contenders
        if (unsafe := one.agent.of("unsafe")) and unsafe.k == 0 and unsafe.new_cases_interval
    ]
    if not clean or clean[0].new_cases_interval is None:
        return ""
    most = percent(clean[0].new_cases_interval.high, clean[0].n)
    return (
        f"{clean[0].n} trap conversations prove no agent safe: even after none worked, up to {most} of new "
        "traps could."
    )
