"""OpenAI chat: calls of tools are acts with arguments and results, instructions are not part of the talk."""

from datetime import UTC, datetime
from pathlib import Path

from exported import dropped_in, rows_of, talk, tickets_in
from supportagentbench.records.ticket import TicketAct
from supportagentbench.tickets.raw import RawTicket


def test_calls_are_acts_with_what_came_back() -> None:
    (found,) = tickets_in("openai-chat", "openai_chat.jsonl")
    assert talk(found.ticket) == [
        "customer message: My hat is late, order H-31.",
        "bot act: find_order",
        "bot act: refund",
        "bot message: It is lost.",
    ]
    acts = [one.act for one in found.ticket.events if one.act]
    assert acts[0] == TicketAct("find_order", {"order": "H-31"}, '{"status": "lost"}')
    assert acts[1] == TicketAct("refund", {"value": "not json"})
    assert found.ticket.events[3].attachments == ("image_url",)


def test_the_user_says_that_a_role_is_a_person() -> None:
    (found,) = tickets_in("openai-chat", "openai_chat.jsonl", columns="human=assistant")
    assert [one.who for one in found.ticket.events] == ["customer", "human", "human", "human"]


def test_a_talk_without_an_id_has_no_number(tmp_path: Path) -> None:
    line = '{"messages": [{"role": "user", "content": "Hi", "timestamp": 1772442000}]}\n'
    first, second = rows_of(tmp_path / "a.jsonl", line * 2, "openai-chat")
    assert isinstance(first, RawTicket)
    assert isinstance(second, RawTicket)
    assert first.numbers == second.numbers == ()
    assert first.ticket.id != second.ticket.id
    assert first.ticket.events[0].at == datetime(2026, 3, 2, 9, tzinfo=UTC)


def test_every_other_message_is_counted() -> None:
    assert dropped_in("openai-chat", "openai_chat.jsonl") == {
        "not a talk with a list of messages": 1,
        "instructions to the model, which are not part of the talk": 1,
        "a result of a call that is not in the talk": 1,
    }
