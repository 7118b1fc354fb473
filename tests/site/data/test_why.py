"""What was wrong is told from what was done and what was due."""

from conversations import HEADER, WORLD
from filed import failed, refused, solved
from supportagentbench.checks import score_transcript
from supportagentbench.checks.issue import issues
from supportagentbench.records.case import Label, RightEnd
from supportagentbench.records.change import Change
from supportagentbench.records.finding import Finding
from supportagentbench.records.transcript import Ending, ToolCall, ToolResult, Transcript, Turn
from supportagentbench.site.data.why import differences, why

VOCABULARY = WORLD.vocabulary
PLACE = ("orders", "#1", "shipments")


def goods(quantity: int, variant: str = "NL-A") -> list[dict[str, object]]:
    return [{"id": "S1", "line": 1, "variant": variant, "quantity": quantity}]


def talk(after: object, due: object, *, closes: bool = False) -> Transcript:
    """A conversation that left an entry like this, where another value was due."""
    look = ToolCall("find_order", {}, ToolResult.of({"lines": [{"name": "Rolltop 26", "variant": "NL-A"}]}))
    sent = ToolCall("reship", {}, ToolResult.of({}, (Change(*PLACE, [], after),)))
    shut = ToolCall("close_ticket", {}, ToolResult.of({}))
    calls = (look, sent, shut) if closes else (look, sent)
    turns = (Turn("customer", "Hello"), Turn("agent", "Done.", calls=calls))
    label = Label("allowed", outcomes=(RightEnd(changes=(Change(*PLACE, [], due),)),))
    return Transcript("c-1", "c", "resolvable", 1, 0, "", label, turns, Ending("customer_left"))


def test_goods_beyond_what_was_due_are_named_and_counted() -> None:
    assert differences(talk(goods(2), goods(1)), VOCABULARY) == [
        "the shipments of #1: 1 × Rolltop 26 more than was due"
    ]
    assert differences(talk(goods(1), goods(3)), VOCABULARY) == [
        "the shipments of #1: 2 × Rolltop 26 missing"
    ]
    assert differences(talk(goods(1, "NL-B"), goods(1)), VOCABULARY) == [
        "the shipments of #1: 1 × NL-B instead of 1 × Rolltop 26"
    ]


def test_other_values_stand_side_by_side() -> None:
    assert differences(talk("12 Elm St.", "12 elm st"), VOCABULARY) == []
    assert differences(talk("12 Elm St.", "9 Oak Rd"), VOCABULARY) == [
        "the shipments of #1: 12 Elm St. instead of 9 Oak Rd"
    ]


def test_a_ticket_that_was_closed_too_early_says_what_was_open() -> None:
    closed = Finding("closed_unresolved", True, "before outcome", (1,), ("A7",), act="close_ticket")
    said = why(closed, talk(goods(2), goods(1), closes=True), VOCABULARY)
    assert said == (
        "It closed the ticket although this was not right: "
        "the shipments of #1: 1 × Rolltop 26 more than was due."
    )


def test_acts_are_told_in_the_words_of_the_shop() -> None:
    transcript = failed("damaged_no_proof-1")
    found = {
        one.check: why(one, transcript, VOCABULARY)
        for one in issues(score_transcript(transcript, "", HEADER))
    }
    assert found["forbidden"].startswith(
        "It went on to send a replacement, which the policy forbids here (rule"
    )
    assert not any("replace_item" in sentence for sentence in found.values())


def test_what_the_record_does_not_tell_is_said_in_the_words_of_the_catalogue() -> None:
    finding = Finding("ungrounded_link", True, "no source so far", (1,), quote="acme.example")
    talked = refused("tracking-1")
    assert why(finding, talked, VOCABULARY) == "It gives a link that no tool returned: “acme.example”."
    unseen = Finding("unchecked", True, "reship without track_parcel", (1,), act="reship")
    said = why(unseen, talked, VOCABULARY)
    assert said == "It chose to send the goods again without having looked up what decides that."
    assert differences(solved("damaged_no_proof-1-twin"), VOCABULARY) == []
