"""Replay reading: the tickets on which agents differ most, each as the two talks that differ most."""

from typing import NamedTuple

from supportagentbench.records.replay import ReplayedTicket, ReplayTalk
from supportagentbench.records.shadow import ActsJudged
from supportagentbench.site.answers.replay_findings import COURSES
from supportagentbench.site.answers.short_chat import Bubble
from supportagentbench.site.answers.ticket_talk import short_talk, whole_talk
from supportagentbench.site.data.replay_data import ReplayData
from supportagentbench.site.naming import spaced

MOST = 4
"""How many are shown."""


class ReplaySide(NamedTuple):
    """One agent's talk."""

    name: str
    came_to: str
    bubbles: tuple[Bubble, ...]


class ReplayExhibit(NamedTuple):
    """One ticket with two talks."""

    ticket: str
    kind: str
    heading: str
    others: tuple[str, ...]
    """Further differences."""
    asked: tuple[Bubble, ...]
    sides: tuple[ReplaySide, ...]


def replay_exhibits(data: ReplayData) -> tuple[ReplayExhibit, ...]:
    """The record has those that differ most first."""
    shown = [one for one in data.compared if one.shown and one.contrasts]
    return tuple(_exhibit(data, one) for one in shown[:MOST])


def _exhibit(data: ReplayData, one: ReplayedTicket) -> ReplayExhibit:
    first, *others = (as_sentence(contrast.words) for contrast in one.contrasts)
    pair = [talk for talk in one.talks if talk.agent in one.pair] or one.talks[:2]
    return ReplayExhibit(
        one.ticket,
        replay_kind(one),
        first,
        tuple(others),
        whole_talk([one.opening], {}),
        tuple(_side(data, talk) for talk in pair),
    )


def _side(data: ReplayData, talk: ReplayTalk) -> ReplaySide:
    """The talk around what was done first, or else its end."""
    bubbles = short_talk(talk.turns, ActsJudged(), data.acts)
    return ReplaySide(data.names[talk.agent], COURSES[talk.course], bubbles)


def whole_side(data: ReplayData, talk: ReplayTalk) -> ReplaySide:
    """The whole talk."""
    return ReplaySide(data.names[talk.agent], COURSES[talk.course], whole_talk(talk.turns, data.acts))


def as_sentence(words: str) -> str:
    """A difference as a sentence."""
    return f"{words[:1].upper()}{words[1:]}."


def replay_kind(one: ReplayedTicket) -> str:
    """What its customer asks for, for people."""
    return spaced(one.request or one.kind or "unknown").capitalize()
