"""Shadow rulings: which side the policy takes where it rules on both, and what it cannot rule on."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from supportagentbench.records.shadow import OpenGround
from supportagentbench.site.data.opened_set import OpenedSet, Sentence, sentence
from supportagentbench.site.data.shadow_data import ShadowData, TriedTicket, kind_of
from supportagentbench.site.naming import spaced
from supportagentbench.site.number import percent
from supportagentbench.stats.comparison import paired
from supportagentbench.stats.rates import CONFIDENCE, FEW_CLUSTERS, holm, like_these

REASONS: dict[OpenGround, str] = {
    "beyond": "{shop}’s desk has no tool for what your people did",
    "impossible": "what your people did cannot be done at {shop}’s desk",
    "fact": "it depends on an unknown fact",
    "words": "it depends on words that code cannot read",
    "broke": "the talk broke off",
    "unseen": "the agent’s acts cannot be observed",
}

MOST_FACTS = 6
"""How many unknown facts are named."""


class FourfoldCell(NamedTuple):
    """One field of the people and an agent, right or wrong."""

    people: bool
    agent: bool
    caption: str
    opened: OpenedSet


class NotRuled(NamedTuple):
    """Why something is not counted."""

    words: str
    opened: OpenedSet
    named: tuple[tuple[str, OpenedSet], ...] = ()
    """The facts or acts that it is about."""


class AgentRulings(NamedTuple):
    """Which side the policy takes, for one agent."""

    agent: str
    cells: tuple[FourfoldCell, ...]
    """Both right, only the people, only the agent, neither."""
    verdict: Sentence
    """What the counts can say."""
    not_counted: OpenedSet
    reasons: tuple[NotRuled, ...]
    ruled: OpenedSet
    """What is counted."""

    @property
    def people_alone(self) -> OpenedSet:
        """Where the policy agrees with the people and not with the agent."""
        return self.cells[1].opened

    @property
    def agent_alone(self) -> OpenedSet:
        """The reverse."""
        return self.cells[2].opened


def agent_rulings(data: ShadowData) -> list[AgentRulings]:
    """One for each agent. Differences are tested for all agents together."""
    p_values = [_chance(data.ruled(agent)) for agent in data.agents]
    adjusted: Sequence[float] = holm(p_values).tolist() if p_values else []
    return [_rulings(data, agent, p) for agent, p in zip(data.agents, adjusted, strict=True)]


def _rulings(data: ShadowData, agent: str, p: float) -> AgentRulings:
    name, ruled = data.names[agent], data.ruled(agent)
    captions = {
        (True, True): "both right",
        (True, False): "only your people right",
        (False, True): f"only {name} right",
        (False, False): "both wrong",
    }
    cells = tuple(
        FourfoldCell(people, ours, caption, data.talks(f"{caption}, by the policy", _of(ruled, people, ours)))
        for (people, ours), caption in captions.items()
    )
    others = [one for one in data.tried(agent) if not one.is_ruled]
    return AgentRulings(
        agent,
        cells,
        _verdict(data, ruled, name, p),
        data.talks(f"not counted for {name}", others),
        tuple(_reasons(data, name, others)),
        data.talks(f"the policy rules on both your people and {name}", ruled),
    )


def _of(ruled: list[TriedTicket], people: bool, agent: bool) -> list[TriedTicket]:
    return [one for one in ruled if one.ticket.judged.right is people and one.tried.judged.right is agent]


def _chance(ruled: list[TriedTicket]) -> float:
    """How likely chance alone sets agent and people this far apart."""
    if not ruled:
        return 1.0
    ours = [float(one.tried.judged.right is True) for one in ruled]
    theirs = [float(one.ticket.judged.right is True) for one in ruled]
    return paired(ours, theirs, [kind_of(one.ticket) for one in ruled]).p


def _verdict(data: ShadowData, ruled: list[TriedTicket], name: str, p: float) -> Sentence:
    """How often each is right, and whether the difference is more than chance."""
    if not ruled:
        return sentence(f"The policy rules on nothing that both your people and {name} did.")
    theirs = [one for one in ruled if one.ticket.judged.right]
    ours = [one for one in ruled if one.tried.judged.right]
    return sentence(
        "The policy agrees with your people on ",
        data.talks(
            f"the policy agrees with your people, of the tickets that it rules on with {name}", theirs
        ),
        f"{_likely(ruled, of_people=True)} and with {name} on ",
        data.talks(f"the policy agrees with {name}", ours),
        f"{_likely(ruled, of_people=False)} of ",
        data.talks(f"the policy rules on both your people and {name}", ruled),
        f". {_meaning(ruled, p)}",
    )


def _meaning(ruled: list[TriedTicket], p: float) -> str:
    """Whether it is more than chance, and what is missing if not."""
    if p <= 1 - CONFIDENCE:
        return "That is more than chance."
    kinds = len({kind_of(one.ticket) for one in ruled})
    few = f" Kinds of ticket: {kinds}, too few for a range." if kinds < FEW_CLUSTERS else ""
    return f"The difference may be chance.{few}"


def _likely(ruled: list[TriedTicket], *, of_people: bool) -> str:
    """The likely range for other tickets like these; nothing if there are too few kinds of them."""
    kinds = [kind_of(one.ticket) for one in ruled]
    if len({*kinds}) < FEW_CLUSTERS:
        return ""
    sides = (one.ticket.judged if of_people else one.tried.judged for one in ruled)
    low, high = like_these([float(one.right is True) for one in sides], [1] * len(ruled), kinds)
    return f" (likely {percent(low, len(ruled))} to {percent(high, len(ruled))})"


def _reasons(data: ShadowData, name: str, others: list[TriedTicket]) -> Iterator[NotRuled]:
    """Why these are not counted: each under one reason, so that they add up."""
    for ground, words in REASONS.items():
        some = [one for one in others if one.open_ground == ground]
        if some:
            said = words.format(shop=data.week.shop)
            yield NotRuled(said, data.talks(f"{name}, {said}", some), tuple(_named(data, name, ground, some)))


def _named(
    data: ShadowData, name: str, ground: OpenGround, some: list[TriedTicket]
) -> Iterator[tuple[str, OpenedSet]]:
    """The facts that are unknown most often, or the acts that the policy does not have."""
    if ground not in ("fact", "beyond"):
        return
    counts = Counter(one for tried in some for one in _about(tried, ground))
    for what, _ in counts.most_common(MOST_FACTS):
        having = [tried for tried in some if what in _about(tried, ground)]
        title = spaced(what)
        yield title, data.talks(f"{name}, {title} {'is unknown' if ground == 'fact' else 'was done'}", having)


def _about(one: TriedTicket, ground: OpenGround) -> tuple[str, ...]:
    return one.ticket.unknown if ground == "fact" else one.ticket.judged.beyond
