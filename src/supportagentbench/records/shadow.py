"""Shadow: what a real ticket's people and agents did from the same point on, judged by one policy."""

from typing import Annotated, Any, Literal

from msgspec import Meta

from supportagentbench.records.amount import Count, Dollars
from supportagentbench.records.name import AgentName, Id, RunNumber
from supportagentbench.records.record import Record
from supportagentbench.records.transcript import Turn

Difference = Literal["same", "more_generous", "stricter", "handed_over", "taken_on", "other"]
"""How an agent's acts differ from the people's. `handed_over`, `taken_on`: only one of them passed the ticket
on; `other`: they acted differently, at no difference in money."""

Signed = Annotated[float, Meta(ge=-(10**9), le=10**9)]


class ActsJudged(Record):
    """What one side did from the resume point on, and whether the policy agrees."""

    acts: tuple[str, ...] = ()
    """By the world's names, in order; without look-ups."""
    beyond: tuple[str, ...] = ()
    """Acts that the world has no tool for, by the real desk's names; the policy is silent about them."""
    right: bool | None = None
    """None: the policy is silent, or a fact that decides is unknown. Such a ticket counts nowhere."""
    why: str = ""
    """One sentence for people."""
    rules: tuple[str, ...] = ()
    dollars: Dollars = 0
    """What these acts gave away."""
    turn: int | None = None
    """Index of the turn that decided it, in the side's own talk."""


class AgentTry(Record):
    """One agent's try at a ticket, compared with what the people did."""

    agent: AgentName
    run: RunNumber
    judged: ActsJudged
    difference: Difference
    dollars: Signed = 0
    """How much more the agent gave away than the people did."""


class ShadowTicket(Record):
    """One resumed ticket."""

    ticket: Id
    request: str
    """What its customer asks for, by the world's name."""
    kind: str
    """What the real desk says that it is about."""
    facts: dict[str, str]
    """The known facts, by the policy's names."""
    unknown: tuple[str, ...]
    """Facts that decide and are unknown."""
    history: tuple[Turn, ...]
    """The talk up to the resume point, as the ticket has it."""
    human: tuple[Turn, ...]
    """What the people wrote and did after that."""
    person: str
    """Who acted first there, by pseudonym; empty: not said."""
    judged: ActsJudged
    """What the people did."""
    required: tuple[str, ...] = ()
    """What the policy requires here, given the known facts."""
    tries: tuple[AgentTry, ...] = ()


class ShadowWeek(Record, tag_field="record", tag="shadow_week/1"):
    """An import of real tickets, resumed with agents in one world."""

    world: str
    world_digest: str
    shop: str
    source: str
    """The desk that the tickets were exported from."""
    tickets: Count
    """In the import."""
    unapproved: Count
    """Of those that were resumed, how many are not approved: their doubtful words are hidden."""
    left_out: dict[str, Count]
    """Tickets that were not resumed, by reason."""
    resumed: tuple[ShadowTicket, ...]
    customer: str
    cases: str
    """What the runs were made of, as their headers have it."""
    package: str
    notes: tuple[str, ...] = ()
    """Warnings for the reader."""
    titles: dict[str, str] = {}
    """By act, the act in plain words."""


def plain_act(act: str, titles: dict[str, Any]) -> str:
    """An act in plain words."""
    return str(titles.get(act, act.replace("_", " ")))
