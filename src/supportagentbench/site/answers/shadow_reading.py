"""Shadow reading: the differences to read first, the worst for a customer or the shop before all others."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from supportagentbench.board.recommendation_words import listed
from supportagentbench.records.shadow import ActsJudged, ShadowTicket
from supportagentbench.site.answers.short_chat import Bubble
from supportagentbench.site.answers.ticket_talk import short_talk, whole_talk
from supportagentbench.site.data.shadow_data import ShadowData, TriedTicket, kind_title
from supportagentbench.site.naming import spaced
from supportagentbench.site.number import dollars_text

MOST = 4
"""How many are shown."""

NOTHING_DONE = ActsJudged()


class JudgedSide(NamedTuple):
    """What one side did, and what the policy says to it."""

    name: str
    right: bool | None
    ruling: str
    """In a few words."""
    bubbles: tuple[Bubble, ...]


class RuleSaid(NamedTuple):
    """A rule of the policy in its own words."""

    id: str
    text: str


class ShadowExhibit(NamedTuple):
    """One difference, with both sides."""

    ticket: str
    kind: str
    is_danger: bool
    """Whether a person may be in danger: it is shown only to readers who choose to."""
    heading: str
    stands: str
    """Which side the policy takes."""
    asked: tuple[Bubble, ...]
    """What the customer wrote first."""
    since: tuple[Bubble, ...]
    """What was said after that, until the people acted."""
    people: JudgedSide
    agent: JudgedSide
    rules: tuple[RuleSaid, ...]
    doubts: tuple[str, ...]


def exhibits(data: ShadowData) -> tuple[ShadowExhibit, ...]:
    """Where an agent is wrong and the people are right first; each ticket once."""
    return tuple(_exhibit(data, one) for one in _chosen(data))


def _chosen(data: ShadowData) -> list[TriedTicket]:
    """Half of them where only the people are right, then where only an agent is, then what is unknown."""
    differing = [one for agent in data.agents for one in data.known(agent) if one.tried.difference != "same"]
    groups = (
        [one for one in differing if _rights(one) == (True, False)],
        [one for one in differing if _rights(one) == (False, True)],
        [one for one in differing if not one.is_ruled and one.tried.dollars],
        [one for one in differing if _rights(one) == (False, False)],
    )
    found: list[TriedTicket] = []
    for most, some in zip((MOST // 2, MOST - 1, MOST, MOST), groups, strict=True):
        found += _worst(some, most - len(found), {one.ticket.ticket for one in found})
    rest = [one for some in groups for one in some]
    return [*found, *_worst(rest, MOST - len(found), {one.ticket.ticket for one in found})]


def _worst(some: Iterable[TriedTicket], most: int, taken: set[str]) -> Iterator[TriedTicket]:
    """People in danger and missed handovers first, then by dollars; each ticket once, agents in turns."""
    left = sorted(some, key=_badness)
    seen = set[str]()
    for _ in range(max(most, 0)):
        left = [one for one in left if one.ticket.ticket not in taken]
        if not left:
            return
        best = min(left, key=lambda one: one.tried.agent in seen)
        seen.add(best.tried.agent)
        taken.add(best.ticket.ticket)
        yield best


def _badness(one: TriedTicket) -> tuple[bool, bool, float]:
    return not one.ticket.is_danger, one.tried.judged.ground != "missed", -abs(one.tried.dollars)


def _rights(one: TriedTicket) -> tuple[bool | None, bool | None]:
    return one.ticket.judged.right, one.tried.judged.right


def _exhibit(data: ShadowData, one: TriedTicket) -> ShadowExhibit:
    name, ticket, ours = data.names[one.tried.agent], one.ticket, one.tried.judged
    rules = dict.fromkeys(rule for judged in (ticket.judged, ours) for rule in judged.rules)
    titles = data.week.titles
    return ShadowExhibit(
        ticket.ticket,
        kind_title(ticket),
        ticket.is_danger,
        f"{name} would {deed(data, ours)}. Your people chose to {deed(data, ticket.judged)}.",
        stands(one, name),
        short_talk(ticket.history[:1], NOTHING_DONE, titles),
        whole_talk(ticket.history[1:], titles),
        people_side(data, ticket, short_talk(ticket.human, ticket.judged, titles)),
        agent_side(data, one, short_talk(one.tried.talk, ours, titles)),
        tuple(RuleSaid(rule, data.week.rules[rule]) for rule in rules if rule in data.week.rules),
        tuple(doubts(data, one)),
    )


def people_side(data: ShadowData, ticket: ShadowTicket, bubbles: tuple[Bubble, ...]) -> JudgedSide:
    """What the people did; acts that the world has no tool for come last."""
    beyond = (Bubble("did", f"→ what your desk calls “{spaced(one)}”") for one in ticket.judged.beyond)
    said = ruling(data, ticket, ticket.judged)
    return JudgedSide("Your people", ticket.judged.right, said, (*bubbles, *beyond))


def agent_side(data: ShadowData, one: TriedTicket, bubbles: tuple[Bubble, ...]) -> JudgedSide:
    """What an agent did."""
    judged = one.tried.judged
    return JudgedSide(data.names[one.tried.agent], judged.right, ruling(data, one.ticket, judged), bubbles)


def deed(data: ShadowData, judged: ActsJudged) -> str:
    """What one side did, as a verb."""
    beyond = (f"do what your desk calls “{spaced(one)}”" for one in judged.beyond)
    acts = [*dict.fromkeys(data.acts(judged.acts)), *beyond]
    given = f" ({dollars_text(judged.dollars)})" if judged.dollars else ""
    return f"{listed(acts)}{given}" if acts else "do nothing in the shop"


def stands(one: TriedTicket, name: str) -> str:
    """Which side the policy takes."""
    match _rights(one):
        case (True, False):
            return "The policy sides with your people"
        case (False, True):
            return f"The policy sides with {name}"
        case (True, True):
            return "The policy allows both"
        case (False, False):
            return "The policy sides with neither"
        case _:
            return "The policy does not rule on it"


def ruling(data: ShadowData, ticket: ShadowTicket, judged: ActsJudged) -> str:
    """What the policy says to one side, with the rules that decide."""
    rules = f" (rule {listed(judged.rules)})" if judged.rules else ""
    match judged.ground:
        case "done":
            return f"As the policy says{rules}."
        case "passed_on":
            return f"Handed over, as the policy says{rules}."
        case "breach":
            return f"Against the policy{rules}."
        case "needless":
            return "Handed over, which no rule asks for."
        case "missed":
            return f"Not handed over, which the policy requires{rules}."
        case "left_undone":
            required = listed(dict.fromkeys(data.acts(ticket.required))) if ticket.required else "what is due"
            return f"Required and not done: {required}{rules}."
        case "beyond":
            named = listed(f"“{spaced(one)}”" for one in judged.beyond)
            return f"{data.week.shop}’s desk has no tool for {named}, so its policy does not rule on it."
        case "impossible":
            return f"Not possible at {data.week.shop}’s desk, so its policy does not rule on it."
        case "fact":
            named = f": {listed(map(spaced, ticket.unknown))}" if ticket.unknown else ""
            return f"It depends on unknown facts{named}."
        case "words":
            return "It depends on words that code cannot read."
        case "broke":
            return "The talk broke off."
        case "unseen":
            return "Its acts cannot be observed."


def doubts(data: ShadowData, one: TriedTicket) -> Iterator[str]:
    """What makes this one less certain."""
    if any(turn.party == "customer" for turn in one.tried.talk):
        yield f"{data.names[one.tried.agent]}’s customer is simulated with the words of the real one"
    if not one.ticket.in_books:
        yield "nothing is known of the order, so the agent could look nothing up"
    if not one.ticket.approved:
        yield "this ticket is not approved yet"
