"""Replay findings: how often agents differ on the same opening, and in what; what is right is unknown."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from supportagentbench.board.recommendation_words import in_words, listed
from supportagentbench.records.replay import DIFFERENCES, TalkCourse, TalkDifference
from supportagentbench.site.data.opened_set import OpenedSet, Sentence, sentence
from supportagentbench.site.data.replay_data import ReplayData, ReplayedTalk
from supportagentbench.site.number import dollars_text
from supportagentbench.stats.rates import FEW_CLUSTERS, mean_half_width

TITLES: dict[TalkDifference, str] = {
    "acts": "What is done",
    "asks": "What is asked",
    "claims": "What is told",
    "course": "Only the way",
    "same": "Nothing",
}
"""In what agents differ most."""

PLACES: dict[TalkDifference, str] = {
    "acts": "in what they do",
    "asks": "in what they ask",
    "claims": "in what they tell",
    "course": "only in the way",
    "same": "in nothing",
}

COURSES: dict[TalkCourse, str] = {
    "acted": "Acted",
    "handed_over": "Handed over",
    "refused": "Said no",
    "asked": "Asked back",
    "answered": "Answered",
    "silent": "Silent",
    "broke": "Broke off",
}
"""How a talk is summed up."""


class DifferenceShare(NamedTuple):
    """How many tickets differ most in one thing."""

    kind: TalkDifference
    title: str
    opened: OpenedSet


class AgentCourses(NamedTuple):
    """How one agent's talks are summed up."""

    name: str
    courses: tuple[tuple[TalkCourse, str, OpenedSet], ...]


class AgentEffort(NamedTuple):
    """What one agent's talks took per ticket, each mean with its likely range if there are kinds enough."""

    name: str
    talks: OpenedSet
    messages: str
    words: str
    cost: str


def difference_shares(data: ReplayData) -> list[DifferenceShare]:
    """The most serious first; together they are all tickets that can be compared."""
    found = []
    for kind in DIFFERENCES:
        some = (one.ticket for one in data.compared if one.difference == kind)
        opened = data.sets.of_tickets(f"the agents differ most {PLACES[kind]}", some)
        found.append(DifferenceShare(kind, TITLES[kind], opened))
    return found


class ReplayHeadline(NamedTuple):
    """What was found."""

    title: Sentence
    whom: tuple[Sentence, ...]
    """In what they differ."""


def replay_headline(data: ReplayData, shares: Sequence[DifferenceShare]) -> ReplayHeadline:
    """How many tickets differ, and in what."""
    if not data.compared:
        return ReplayHeadline(sentence("No two talks can be compared yet"), ())
    names = [data.names[agent] for agent in data.replay.agents]
    who = listed(names) if len(names) == 2 else f"the {in_words(len(names))} agents"
    differing = data.sets.of_tickets("the agents differ", _names(data, but="same"))
    everything = data.sets.of_tickets("at least two talks can be compared", _names(data))
    title = sentence("On ", differing, " of ", everything, f" openings, {who} differ")
    parts: list[str | OpenedSet] = []
    for one in shares:
        if one.opened.size and one.kind != "same":
            parts += [", on " if parts else "On ", one.opened, f" {PLACES[one.kind]}"]
    return ReplayHeadline(title, (sentence(*parts, "."),) if parts else ())


def _names(data: ReplayData, but: str = "") -> list[str]:
    return [one.ticket for one in data.compared if one.difference != but]


def agent_courses(data: ReplayData) -> list[AgentCourses]:
    """A row for each agent; what never happened is left out."""
    talks = {agent: data.talks_of(agent) for agent in data.replay.agents}
    seen = {one.talk.course for some in talks.values() for one in some}
    kinds = [kind for kind in COURSES if kind in seen]
    return [AgentCourses(data.names[agent], _courses(data, agent, talks[agent], kinds)) for agent in talks]


def _courses(
    data: ReplayData, agent: str, talks: list[ReplayedTalk], kinds: list[TalkCourse]
) -> tuple[tuple[TalkCourse, str, OpenedSet], ...]:
    name = data.names[agent]
    return tuple(
        (
            kind,
            COURSES[kind],
            data.talks(f"{name}: {COURSES[kind].lower()}", [one for one in talks if one.talk.course == kind]),
        )
        for kind in kinds
    )


def agent_efforts(data: ReplayData) -> list[AgentEffort]:
    """A row for each agent with a whole talk."""
    found = []
    for agent in data.replay.agents:
        talks = [one for one in data.talks_of(agent) if one.talk.is_whole]
        if talks:
            name, opened = data.names[agent], data.talks(f"{data.names[agent]} finished", talks)
            costs = [one.talk.cost for one in talks if one.talk.cost is not None]
            cost = _mean(talks, costs, dollars_text) if len(costs) == len(talks) else "unknown"
            messages = _mean(talks, [one.talk.messages for one in talks], lambda value: f"{value:.1f}")
            words = _mean(talks, [one.talk.words for one in talks], lambda value: f"{value:.0f}")
            found.append(AgentEffort(name, opened, messages, words, cost))
    return found


def _mean(talks: list[ReplayedTalk], values: Sequence[float], written: Callable[[float], str]) -> str:
    """The mean, with the likely range of other tickets like these."""
    mean, kinds = sum(values) / len(values), [one.ticket.request or one.ticket.ticket for one in talks]
    if len({*kinds}) < FEW_CLUSTERS:
        return written(mean)
    half = mean_half_width(values, kinds)
    return f"{written(mean)} (likely {written(max(mean - half, 0))} to {written(mean + half)})"
