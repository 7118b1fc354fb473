"""Shadow words: what a shadow week found in one headline, and what it can and cannot tell."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from supportagentbench.board.recommendation_words import in_words, listed
from supportagentbench.records.counts import counted
from supportagentbench.site.answers.shadow_differences import AgentDifferences
from supportagentbench.site.answers.shadow_rulings import AgentRulings
from supportagentbench.site.data.shadow_data import ShadowData, kind_of

FEW_AGENTS = 3
"""Up to this many agents stand in the headline by name."""


class ShadowHeadline(NamedTuple):
    """What was found."""

    title: str
    whom: tuple[str, ...]
    """With whom the policy sides where they differ, for a few agents; for many, the table says it."""


def headline(
    data: ShadowData, differences: Sequence[AgentDifferences], rulings: Sequence[AgentRulings]
) -> ShadowHeadline:
    """For one agent, for a few, and for many."""
    if not any(one.known for one in differences):
        return ShadowHeadline("Nothing is known yet of what an agent would have done", ())
    units = f"{data.unit}s"
    names = [data.names[one.agent] for one in differences]
    if len(differences) == 1:
        (one,) = differences
        title = f"On {one.same} of {one.known} {units}, {names[0]} would have done what your people did"
        return ShadowHeadline(title, (_whom(rulings[0], names[0]),))
    if len(differences) <= FEW_AGENTS:
        first, *rest = (f"{one.same} of {one.known}" for one in differences)
        others = [f"{name} on {count}" for name, count in zip(names[1:], rest, strict=True)]
        title = f"{names[0]} would have done what your people did on {first} {units}, {listed(others)}"
        pairs = zip(rulings, names, strict=True)
        return ShadowHeadline(title, tuple(_whom_briefly(one, name) for one, name in pairs))
    same = sorted(one.same for one in differences)
    known = max(one.known for one in differences)
    span = f"{same[0]} to {same[-1]}" if same[0] < same[-1] else f"{same[0]}"
    many = in_words(len(names)).capitalize()
    return ShadowHeadline(
        f"{many} agents would have done what your people did on {span} of {known} {units}", ()
    )


def _whom(one: AgentRulings, name: str) -> str:
    people, agent = one.people_instead.size, one.agent_instead.size
    if not people and not agent:
        return "Where they differ, the policy sides with neither alone."
    return f"Where they differ, the policy sides with your people in {people} and with {name} in {agent}."


def _whom_briefly(one: AgentRulings, name: str) -> str:
    people, agent = one.people_instead.size, one.agent_instead.size
    return f"Where {name} differs, the policy sides with your people in {people} and with {name} in {agent}."


def day_text(day: str) -> str:
    """A day as people write it; as it stands, if it is none."""
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
        f"Which facts nobody wrote down, so that {data.week.shop}’s policy cannot rule.",
    )


def cannot_tell(data: ShadowData) -> tuple[str, ...]:
    """What nobody should conclude from it."""
    kinds = len({kind_of(one) for one in data.week.resumed})
    player = "a script" if data.week.customer == "scripted" else data.week.customer
    return (
        "Whether an agent is fit to use. For that, test it on cases of which the right end is known.",
        "What is right. What your people did is no proof, and the policy may say less than they knew.",
        "How a talk would have gone on. From the point where your people acted, the customer is played by "
        f"{player}, with what the real one wrote later.",
        "How an agent writes. Only acts are compared; what it told or promised is not.",
        f"What another week brings. These are {counted(len(data.week.resumed), 'ticket')} of "
        f"{counted(kinds, 'kind')}, and those left out may be harder.",
    )
