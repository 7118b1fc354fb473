"""Replays written by hand, for what their page makes of them."""

from typing import Any

from supportagentbench.records.replay import (
    Contrast,
    Replay,
    ReplayedTicket,
    ReplayTalk,
    TalkAct,
    TalkCourse,
    TalkDifference,
)
from supportagentbench.records.transcript import ToolCall, ToolResult, Turn

ACTED = (
    Turn("agent", "I have sent it.", calls=(ToolCall("reship", {}, ToolResult(True)),)),
    Turn("customer", "OK."),
)
ASKED = (Turn("agent", "Which order is it?", calls=(ToolCall("find_order", {}, ToolResult(True)),)),)


def talk(agent: str, course: TalkCourse = "asked", **more: Any) -> ReplayTalk:
    """What one agent did."""
    did: dict[str, Any] = {"turns": ASKED}
    if course == "acted":
        did = {"acts": (TalkAct("reship", "Sent it again"),), "turns": ACTED}
    did |= {"transcript": "0", "ending": "customer_left", "messages": 2, "words": 20, "cost": 0.01}
    return ReplayTalk(agent=agent, run=1, course=course, **(did | more))


def replayed(
    number: int, difference: TalkDifference | None, *talks: ReplayTalk, **more: Any
) -> ReplayedTicket:
    """One ticket."""
    differs = difference is not None and difference != "same"
    contrasts = (Contrast(difference, "a sent it; b asked back"),) if difference and differs else ()
    given: dict[str, Any] = {
        "kind": "",
        "request": "damage",
        "language": "en",
        "opening": Turn("customer", f"This is ticket {number}."),
        "in_books": True,
        "contrasts": contrasts,
        "pair": ("a", "b") if contrasts else (),
        "shown": True,
    }
    return ReplayedTicket(ticket=f"t-{number}", difference=difference, talks=talks, **(given | more))


def replay_of(*tickets: ReplayedTicket, **more: Any) -> Replay:
    """A replay of these tickets with two agents."""
    given: dict[str, Any] = {
        "world": "northline",
        "world_digest": "0",
        "shop": "Northline",
        "source": "zendesk",
        "tickets": len(tickets),
        "unapproved": 0,
        "left_out": {},
        "agents": ("a", "b"),
        "planned": len(tickets),
        "customer": "scripted",
        "cases": "openings:0",
        "package": "0",
        "titles": {"reship": "send the goods again", "find_order": "find order"},
    }
    return Replay(replayed=tickets, **(given | more))


SMALL_REPLAY = replay_of(
    replayed(1, "acts", talk("a", "acted"), talk("b")),
    replayed(2, "claims", talk("a"), talk("b"), in_books=False),
    replayed(3, "same", talk("a"), talk("b"), shown=False),
    replayed(4, None, talk("a"), talk("b", "broke", cause="time_out", turns=())),
)
"""Two agents who differ a little."""
