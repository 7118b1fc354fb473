"""Shadow weeks written by hand, for what pages and figures make of them."""

from collections.abc import Iterable
from typing import Any

from supportagentbench.records.shadow import ActsJudged, AgentTry, Difference, ShadowTicket, ShadowWeek
from supportagentbench.records.transcript import ToolCall, ToolResult, Turn

TITLES = {"reship": "send the goods again", "cancel": "cancel the order", "hand_over": "hand over to a human"}

AGREED = ActsJudged(right=True, ground="done", rules=("R1",))
SENT = ActsJudged(
    ("reship",), effects=("reship",), right=False, ground="breach", rules=("R2",), dollars=80, turn=0
)
SENT_RIGHTLY = ActsJudged(("reship",), effects=("reship",), right=True, rules=("R3",), dollars=80)
PASSED_ON = ActsJudged(("hand_over",), effects=("hand_over",), right=True, ground="passed_on", rules=("R4",))
MISSED = ActsJudged(right=False, ground="missed", rules=("R4",))
UNKNOWN = ActsJudged(ground="fact")
CREDIT = ActsJudged(beyond=("credit",), effects=("credit",), ground="beyond", dollars=25)
BROKE = ActsJudged(ground="broke")


def tried(
    judged: ActsJudged, difference: Difference, agent: str = "giver", run: int = 1, dollars: float = 0
) -> AgentTry:
    """What an agent did."""
    return AgentTry(agent, run, judged, difference, dollars, talk_of(judged, "I see."))


def talk_of(judged: ActsJudged, words: str) -> tuple[Turn, ...]:
    """One answer, in which everything was done."""
    calls = tuple(ToolCall(act, {}, ToolResult(True)) for act in judged.acts)
    return (Turn("agent", words, calls), Turn("customer", "All right."))


def ticket(
    number: int,
    judged: ActsJudged,
    *tries: AgentTry,
    request: str = "damage",
    person: str = "Ana",
    **more: Any,
) -> ShadowTicket:
    """One ticket, and what was done to it."""
    given: dict[str, Any] = {
        "kind": "",
        "approved": True,
        "in_books": True,
        "is_danger": False,
        "facts": {},
        "unknown": (),
        "history": (Turn("customer", f"This is ticket {number}."),),
        "human": talk_of(judged, "Thank you."),
    }
    return ShadowTicket(f"t-{number}", request, **(given | more), person=person, judged=judged, tries=tries)


def week(tickets: Iterable[ShadowTicket], /, **more: Any) -> ShadowWeek:
    """A week of these tickets."""
    resumed = tuple(tickets)
    given: dict[str, Any] = {
        "world": "northline",
        "world_digest": "0",
        "shop": "Northline",
        "source": "zendesk",
        "imported": "2026-11-19",
        "rights": "",
        "tickets": len(resumed),
        "dropped": {},
        "unapproved": sum(not one.approved for one in resumed),
        "left_out": {},
        "customer": "scripted",
        "cases": "tickets:0",
        "package": "0",
        "worth": 80,
        "titles": TITLES,
        "rules": {f"R{number}": f"What rule {number} says." for number in range(1, 5)},
    }
    return ShadowWeek(resumed=resumed, **(given | more))


SMALL = week(
    [
        ticket(1, AGREED, tried(AGREED, "same")),
        ticket(2, AGREED, tried(SENT, "more_generous", dollars=80)),
        ticket(3, SENT, tried(AGREED, "stricter", dollars=-80)),
        ticket(4, PASSED_ON, tried(MISSED, "taken_on"), request="threat"),
        ticket(5, CREDIT, tried(AGREED, "stricter", dollars=-25), request="compensation"),
        ticket(6, UNKNOWN, tried(UNKNOWN, "same"), unknown=("proof", "age"), approved=False),
        ticket(7, SENT_RIGHTLY, tried(BROKE, "unknown"), in_books=False),
    ]
)
"""One agent that does a little of everything."""
