"""Scores written by hand, for what their page makes of them."""

from typing import Any

from supportagentbench.records.board import Interval
from supportagentbench.records.desk_score import CheckScore, DeskScore, DeskSide, TicketFinding, TicketShare


def share(k: int, n: int) -> TicketShare:
    return TicketShare(k, n, Interval(max(k / n - 0.1, 0), min(k / n + 0.1, 1)))


def finding(number: int, check: str = "ungrounded_amount", **more: Any) -> TicketFinding:
    given: dict[str, Any] = {
        "person": "Ana Prado",
        "why": "no source so far for “$5”",
        "quote": "$5",
        "doubt": "it may be so",
        "asked": "How much is it?",
        "said": "It is $5, I think.",
    }
    return TicketFinding(
        check=check, standing="to_check", ticket=f"t-{number}", who="human", turn=1, **(given | more)
    )


SCORE = DeskScore(
    source="zendesk",
    rights="ours",
    tickets=30,
    unapproved=2,
    scored=28,
    left_out={"unanswered": 2},
    world="",
    desk_map="",
    policy="",
    sides=(
        DeskSide(
            "human",
            "",
            28,
            60,
            share(0, 28),
            share(9, 28),
            (
                CheckScore("ungrounded_amount", to_check=share(9, 28)),
                CheckScore("wrong_language", counted=share(0, 28)),
                CheckScore("phantom_action", not_observable={"no map was given": 28}),
            ),
        ),
        DeskSide("human", "Ana Prado", 8, 20, share(0, 8), share(4, 8)),
    ),
    findings=tuple(finding(number) for number in range(4)),
    not_looked={"escalated": "it needs a label"},
    package="0",
)
