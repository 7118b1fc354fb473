"""Shadow: what a real ticket's people and agents did from the same point on, judged by one policy."""

from typing import Annotated, Any, Literal

from msgspec import Meta

from supportagentbench.records.amount import Count, Dollars
from supportagentbench.records.name import AgentName, Id, RunNumber
from supportagentbench.records.record import Record
from supportagentbench.records.transcript import Turn

Difference = Literal["same", "more_generous", "stricter", "handed_over", "taken_on", "other", "unknown"]
"""How an agent's acts differ from the people's. `handed_over`, `taken_on`: only one of them passed the ticket
on; `other`: they acted differently, at no difference in money; `unknown`: what the agent would have done
cannot be known, because its talk broke off or its acts cannot be observed."""

RightGround = Literal["done", "passed_on"]
"""Why the policy agrees: what it requires was done; passed on to a person, as a rule says."""

WrongGround = Literal["breach", "needless", "missed", "left_undone"]
"""Why it does not: something against a rule; passed on, which no rule asks for; not passed on, which a rule
asks for; something that is required was not done."""

OpenGround = Literal["beyond", "impossible", "fact", "words", "broke", "unseen"]
"""Why it is unknown: the policy is silent about an act; an act is not possible at the world's desk; it
depends on an unknown fact, or on words that code cannot read; the talk broke off; acts are not observable."""

Ground = Literal[RightGround, WrongGround, OpenGround]

Signed = Annotated[float, Meta(ge=-(10**9), le=10**9)]


class ActsJudged(Record):
    """What one side did from the resume point on, and whether the policy agrees."""

    acts: tuple[str, ...] = ()
    """By the world's names, in order; without look-ups."""
    beyond: tuple[str, ...] = ()
    """Acts that the world has no tool for, by the real desk's names; the policy is silent about them."""
    effects: tuple[str, ...] = ()
    """All of them, each once, and acts that are the same for a customer under one name: what is compared."""
    right: bool | None = None
    """None: the policy is silent, or a fact that decides is unknown. Such a ticket counts nowhere."""
    ground: Ground = "done"
    why: str = ""
    """One sentence for people."""
    rules: tuple[str, ...] = ()
    dollars: Dollars = 0
    """What these acts gave away."""
    has_all_dollars: bool = True
    """Whether the export says what each of them gave away; if not, dollars are compared with nothing."""
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
    talk: tuple[Turn, ...] = ()
    """What was said and done from the resume point on; its customer is simulated."""


class ShadowTicket(Record):
    """One resumed ticket."""

    ticket: Id
    request: str
    """What its customer asks for, by the world's name."""
    kind: str
    """What the real desk says that it is about."""
    approved: bool
    """Whether a person has read it and says that it may be used; if not, its doubtful words are hidden."""
    in_books: bool
    """Whether the books have a record of what it is about; if not, an agent could look nothing up."""
    is_danger: bool
    """Whether a rule decides it that is for people in danger."""
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
    imported: str
    """The day of the import."""
    rights: str
    """The licence or the owner of the tickets, as typed."""
    tickets: Count
    """In the import."""
    dropped: dict[str, Count]
    """Rows and tickets that the import did not take, by reason."""
    unapproved: Count
    """Of those that were resumed, how many are not approved: their doubtful words are hidden."""
    left_out: dict[str, Count]
    """Tickets that were not resumed, by reason."""
    resumed: tuple[ShadowTicket, ...]
    customer: str
    cases: str
    """What the runs were made of, as their headers have it."""
    package: str
    invented: tuple[AgentName, ...] = ()
    """Agents that ship with the package, whose figures say nothing about a real agent."""
    worth: Dollars = 0
    """What goods that are sent are counted as, on average; 0: the shop does not say."""
    titles: dict[str, str] = {}
    """By act, the act in plain words."""
    rules: dict[str, str] = {}
    """By id, the text of every rule that a ticket names."""


def plain_act(act: str, titles: dict[str, Any]) -> str:
    """An act in plain words."""
    return str(titles.get(act, act.replace("_", " ")))
