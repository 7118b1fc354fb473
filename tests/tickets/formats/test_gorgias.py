"""Gorgias: messages in a ticket or in rows of their own; actions are acts with arguments and a status."""

from exported import dropped_in, talk, tickets_in
from supportagentbench.records.ticket import TicketAct, TicketPerson


def test_the_talk_is_what_the_desk_shows_in_its_order() -> None:
    first, second = tickets_in("gorgias", "gorgias.jsonl")
    assert talk(first.ticket) == [
        "customer message: The mug leaks.",
        "system message: We got your message.",
        "human note: Known batch.",
        "human message: Refunded.",
        "human act: shopifyFullRefundOrder",
    ]
    assert first.ticket.events[4].act == TicketAct(
        "shopifyFullRefundOrder", {"order_id": 20418, "restock": False}, "success", True
    )
    assert talk(second.ticket) == ["customer message: When does it ship?", "human message: It ships today."]
    assert second.ticket.channel == "chat"


def test_the_user_says_who_is_a_bot() -> None:
    _, second = tickets_in("gorgias", "gorgias.jsonl", columns="bot=ai agent")
    assert talk(second.ticket)[1] == "bot message: It ships today."


def test_what_the_ticket_says_of_itself() -> None:
    first, _ = tickets_in("gorgias", "gorgias.jsonl")
    ticket = first.ticket
    assert (ticket.subject, ticket.tags, ticket.satisfaction) == ("Refund for mug", ("refund",), "5")
    customer, agent = ticket.people
    assert customer == TicketPerson("customer", "Odalys Brink", ("odalys@mail.example",), ids=("51",))
    assert agent == TicketPerson("human", "Teo Marsh", ("teo@mugs.example",), ids=("7",))
    assert [one.person for one in ticket.events] == [0, None, 1, 1, 1]
    assert first.numbers == ("901",)


def test_a_message_that_a_page_repeats_is_counted() -> None:
    assert dropped_in("gorgias", "gorgias.jsonl") == {"a message that another row repeats": 1}
