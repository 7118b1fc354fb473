"""A ticket is one conversation for each side of its desk."""

import pytest

from conversations import WORLD
from own_desk import AT, bot, customer, did, mapped_desk, note, person, ticket
from supportagentbench.records.problem import Problem
from supportagentbench.records.ticket import TicketEvent
from supportagentbench.shadow.ticket_talk import LONGEST_TICKET, DeskPerson, did_not_work, talks_of

DESK = mapped_desk(WORLD)


def test_each_side_has_its_own_words_and_knows_those_of_the_others() -> None:
    one = ticket(
        customer("Where is it?"),
        bot("I pass you on."),
        customer("ok"),
        note("Pay him $40."),
        person("Hello,", 1),
        did("pay_back", who="human", amount=40),
        person("you get $40.", 1),
        TicketEvent("human", "status", "solved", at=AT),
    )
    first, second = talks_of(one, DESK)
    assert (first.side, second.side) == (DeskPerson("bot", ""), DeskPerson("human", "A"))
    assert [turn.party for turn in first.transcript.turns] == ["customer", "agent", "customer", "note"]
    assert [turn.text for turn in second.transcript.turns][-1] == "Hello,\n\nyou get $40."
    assert second.turns[-1].events == (4, 6) and second.messages == 2
    assert [call.tool for call in second.transcript.turns[-1].calls] == []  # Whose act it is was not said.
    noted = second.turns[-2]
    assert "Pay him $40." in noted.beside and "solved" not in noted.beside
    assert [call.tool for call in noted.turn.calls] == ["pay_back"]


def test_what_a_result_says_of_its_call_counts() -> None:
    assert did_not_work(did("cancel", ok=False).act or did("x").act)  # type: ignore[arg-type]
    failed = ('{"error": "shipped"}', '{"ok": false}', '{"success": false, "order": 5}')
    worked = ("", "cancelled", "[1]", '{"error": null}', '{"ok": true}', "{", "[" * 5000)
    for result in (*failed, *worked):
        event = did("cancel", result)
        assert event.act and did_not_work(event.act) == (result in failed), result


@pytest.mark.parametrize(
    ("said", "agreed"),
    [
        ("Yes, please.", True),
        ("I want to cancel my order.", True),
        ("No, thanks.", False),
        ("Hm.", False),
        ("Where is it?", False),
    ],
)
def test_what_a_customer_agrees_to_is_read_from_its_words(said: str, agreed: bool) -> None:
    one = ticket(customer("Order 5 is late."), bot("Shall I cancel order 5?"), customer(said), bot("Well."))
    (talk,) = talks_of(one, DESK)
    conduct = talk.transcript.turns[2].conduct
    assert conduct and set(conduct.confirms) == ({"cancel", "annul"} if agreed else set())


def test_a_language_is_known_only_if_words_show_it() -> None:
    (talk,) = talks_of(ticket(customer("Order 5"), bot("Hello, where is the order to go?")), DESK)
    assert talk.transcript.language == "en" and not talk.is_language_sure
    (talk,) = talks_of(ticket(customer("¿Dónde está mi pedido? No sé, por favor."), bot("Hola")), DESK)
    assert talk.transcript.language == "es" and talk.is_language_sure


def test_a_ticket_that_is_too_long_is_refused() -> None:
    with pytest.raises(Problem, match="has more than 200,000 characters"):
        list(talks_of(ticket(customer("x" * LONGEST_TICKET), bot("y")), DESK))
