"""Ticket talk: what decides is shown, and what is left out is counted."""

from msgspec.structs import replace

from shadow_weeks import AGREED, SENT, TITLES
from supportagentbench.records.transcript import Attachment, ToolCall, ToolResult, Turn
from supportagentbench.site.answers.ticket_talk import LONGEST, short_talk, whole_talk


def said(*words: str, acts: dict[int, ToolCall] | None = None) -> tuple[Turn, ...]:
    """Agent and customer in turns; an act is done in the turn at its place."""
    return tuple(
        Turn(
            "customer" if place % 2 else "agent", text, calls=(acts[place],) if acts and place in acts else ()
        )
        for place, text in enumerate(words)
    )


DONE, REFUSED = ToolCall("reship", {}, ToolResult(True)), ToolCall("reship", {}, ToolResult.refused("no"))


def test_the_first_answer_and_the_turn_that_decides_are_shown() -> None:
    turns = said("No.", "Please.", "No, sorry.", "Please!", "All right.", "Thanks.", acts={4: DONE})
    bubbles = short_talk(turns, replace(SENT, turn=4), TITLES)
    assert [(one.kind, one.text, one.is_harm) for one in bubbles] == [
        ("agent", "No.", False),
        ("gap", "2 messages left out", False),
        ("customer", "Please!", False),
        ("agent", "All right.", True),
        ("did", "→ send the goods again", True),
        ("gap", "1 more message", False),
    ]


def test_what_is_only_said_again_is_not_shown_again() -> None:
    bubbles = short_talk(said("No.", "Please.", "No.", "Please!", "No."), AGREED, TITLES)
    assert [one.text for one in bubbles] == ["No.", "4 more messages"]


def test_a_long_message_ends_after_a_sentence() -> None:
    words = "This is a sentence of some length. " * 20
    [bubble] = short_talk(said(words), AGREED, TITLES)
    assert bubble.text.endswith("length. …") and len(bubble.text) <= LONGEST + 2


def test_look_ups_are_not_shown_and_refusals_are() -> None:
    looked = ToolCall("find_order", {}, ToolResult(True))
    turns = (Turn("agent", "I see.", calls=(looked, REFUSED)),)
    assert [one.text for one in whole_talk(turns, TITLES)] == [
        "I see.",
        "→ send the goods again: the desk refused",
    ]


def test_a_file_and_silence_are_shown() -> None:
    turns = (Turn("customer", "", attachments=(Attachment("a.jpg", "photo", ""),)), Turn("agent", " "))
    assert [one.text for one in whole_talk(turns, TITLES)] == ["File: a.jpg", "(no words)"]


def test_a_talk_without_an_answer_shows_what_there_is() -> None:
    assert [one.text for one in short_talk((Turn("customer", "Hello?"),), AGREED, TITLES)] == ["Hello?"]
