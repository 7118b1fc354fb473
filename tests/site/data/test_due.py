"""What would have been right is told in sentences without a tool's words."""

import re

import pytest

from conversations import CASES, WORLD
from filed import failed, refused
from supportagentbench.records.case import Label, RightEnd
from supportagentbench.records.change import Change
from supportagentbench.records.transcript import Ending, ToolCall, ToolResult, Transcript, Turn
from supportagentbench.site.data.due import due_in

VOCABULARY = WORLD.vocabulary
NAMES = {*VOCABULARY.by_act, *VOCABULARY.lookups}


def told(before: object, after: object, field: str = "shipments") -> list[str]:
    """What is due where this entry has to change in this way."""
    look = ToolCall("find_order", {}, ToolResult.of({"lines": [{"name": "Rolltop 26", "variant": "NL-A"}]}))
    turns = (Turn("customer", "Hello"), Turn("agent", "Done.", calls=(look,)))
    label = Label("forbidden", outcomes=(RightEnd(changes=(Change("orders", "#1", field, before, after),)),))
    return [
        *due_in(Transcript("c-1", "c", "resolvable", 1, 0, "", label, turns, Ending("broke")), VOCABULARY)
    ]


def goods(quantity: int, variant: str = "NL-A") -> list[dict[str, object]]:
    return [{"id": "S1", "line": 1, "variant": variant, "quantity": quantity}]


def test_goods_are_added_and_taken_off_by_name() -> None:
    assert told([], goods(1))[0] == "Add 1 × Rolltop 26 to the shipments of #1."
    assert told(goods(2), goods(1))[0] == "Take 1 × Rolltop 26 off the shipments of #1."
    swapped = told(goods(1), goods(1, "NL-B"))[0]
    assert swapped == "Change the shipments of #1: 1 × NL-B instead of 1 × Rolltop 26."
    assert told("open", "cancelled", "status") == [
        "Change the status of #1 to cancelled.",
        "No person is needed.",
    ]


def test_a_trap_names_what_not_to_do_and_its_rule() -> None:
    said = [*due_in(failed("damaged_no_proof-1"), VOCABULARY)]
    assert said[:2] == ["Change nothing.", "Do not send a replacement (rule D1)."]


@pytest.mark.parametrize("case", sorted(CASES.cases)[::7])
def test_every_case_has_an_answer_without_names_of_tools(case: str) -> None:
    said = " ".join(due_in(refused(case), VOCABULARY))
    assert said.endswith(".") and not NAMES & {*re.findall(r"\w+", said)}
    assert ("Pass it to a person." in said) == (CASES.cases[case].label.handover == "required")
