"""Shadow words: what a shadow week found in one headline, and what it can and cannot tell."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from supportagentbench.board.recommendation_words import in_words
from supportagentbench.records.counts import counted
from supportagentbench.site.answers.shadow_differences import AgentDifferences
from supportagentbench.site.answers.shadow_rulings import AgentRulings
from supportagentbench.site.data.opened_set import OpenedSet, Sentence, sentence
from supportagentbench.site.data.shadow_data import ShadowData, kind_of

FEW_AGENTS = 3
"""Up to this many agents are named in the headline."""


class ShadowHeadline(NamedTuple):
    """What was found."""

    title: Sentence
    whom: tuple[Sentence, ...]
    """Which side the policy takes, for a few agents; for many, the tables say it."""


def headline(
    data: ShadowData, differences: Sequence[AgentDifferences], rulings: Sequence[AgentRulings]
) -> ShadowHeadline:
    """For one agent, for a few, and for many."""
    if not any(one.known.size for one in differences):
        return ShadowHeadline(sentence("Nothing is known yet of what an agent would have done"), ())
    names, units = [data.names[one.agent] for one in differences], f"{data.unit}s"
    whom = tuple(_whom(one, name, units) for one, name in zip(rulings, names, strict=True))
    first = differences[0]
    if len(differences) == 1:
        did = f" {units}, {names[0]} would have done what your people did"
        return ShadowHeadline(sentence("On ", first.same, " of ", first.known, did), whom)
    did = "would have done what your people did on "
    if len(differences) <= FEW_AGENTS:
        parts: list[str | OpenedSet] = [*(f"{names[0]} {did}", first.same, " of ", first.known, f" {units}")]
        for name, one in zip(names[1:], differences[1:], strict=True):
            parts += [f"{' and' if one is differences[-1] else ','} {name} on ", one.same, " of ", one.known]
        return ShadowHeadline(sentence(*parts), whom)
    same = sorted({one.same.size for one in differences})
    span = f"{same[0]} to {same[-1]}" if len(same) > 1 else f"{same[0]}"
    known = max(one.known.size for one in differences)
    many = in_words(len(names)).capitalize()
    return ShadowHeadline(sentence(f"{many} agents {did}{span} of {known} {units}"), ())


def _whom(one: AgentRulings, name: str, units: str) -> Sentence:
    """Where the policy takes one side alone."""
    if not one.ruled.size:
        return sentence(f"{one.verdict[0].text}")
    return sentence(
        "The policy sides with your people alone on ",
        one.people_alone,
        f" and with {name} alone on ",
        one.agent_alone,
        " of the ",
        one.ruled,
        f" {units} that it rules on.",
    )


def day_text(day: str) -> str:
    """A day as people write it; unchanged, if it is none."""
    try:
        found = date.fromisoformat(day)
    except ValueError:
        return day
    return f"{found.day} {found:%B %Y}"


def can_tell(data: ShadowData) -> tuple[str, ...]:
    """What this is good for."""
    return (
        "What each agent would have done where your people acted, and what one policy says to both.",
        "Which tickets to read, and where your people and the policy part.",
        f"Which facts are unknown, so that {data.week.shop}’s policy cannot rule.",
    )


def cannot_tell(data: ShadowData) -> tuple[str, ...]:
    """What should not be concluded from it."""
    kinds = len({kind_of(one) for one in data.week.resumed})
    player = "a script" if data.week.customer == "scripted" else data.week.customer
    return (
        "Whether an agent is fit to use. For that, test it on cases of which the right end is known.",
        "What is right. What your people did proves nothing, and the policy may say less than they knew.",
        "How a talk would have gone on. From the point where your people acted, the customer is played by "
        f"{player}, with what the real one wrote later.",
        "How an agent writes. Only acts are compared; what it told or promised is not.",
        f"What another week brings. These are {counted(len(data.week.resumed), 'ticket')} of "
        f"{counted(kinds, 'kind')}, and those left out may be harder.",
    )
