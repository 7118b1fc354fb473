"""ATIF: steps become messages and acts; thoughts and instructions are not part of a ticket."""

from exported import dropped_in, rows_in, talk, tickets_in
from supportagentbench.records.ticket import TicketAct


def test_steps_are_messages_and_acts_with_what_was_observed() -> None:
    (found,) = tickets_in("atif", "atif.json")
    assert talk(found.ticket) == [
        "customer message: Cancel H-32.",
        "bot message: One moment.",
        "bot act: cancel",
        "bot message: It is cancelled.",
    ]
    assert found.ticket.events[2].act == TicketAct("cancel", {"order": "H-32"}, "done")
    assert found.numbers == ("s-77",)
    assert [one.at.second for one in found.ticket.events if one.at] == [0, 2, 2, 4]
    assert "secret thoughts" not in str(rows_in("atif", "atif.json"))


def test_every_other_step_is_counted() -> None:
    assert dropped_in("atif", "atif.json") == {
        "instructions to the model, which are not part of the talk": 1,
        "a result of a call that is not in the talk": 1,
    }
