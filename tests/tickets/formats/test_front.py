"""Front: messages and internal comments by time, in a conversation or in rows of their own."""

from exported import dropped_in, talk, tickets_in
from supportagentbench.records.ticket import TicketPerson


def test_the_talk_is_what_the_desk_shows_in_its_order() -> None:
    first, second = tickets_in("front", "front.jsonl")
    assert talk(first.ticket) == [
        "customer message: Where is it?",
        "human note: Carrier says **Cork**.",
        "human message: It is in Cork.",
    ]
    assert first.ticket.events[2].attachments == ("map.gif",)
    assert talk(second.ticket) == ["customer message: Hi?"]


def test_a_handle_is_an_address_or_a_telephone_number() -> None:
    first, second = tickets_in("front", "front.jsonl")
    customer, agent = first.ticket.people
    assert (customer.name, customer.emails) == ("Mirela Stan", ("mirela@mail.example",))
    assert agent == TicketPerson("human", "Gus Orr", ("gus@parcels.example",), ids=("gus",))
    assert [one.person for one in first.ticket.events] == [0, 1, 1]
    assert (first.ticket.subject, first.ticket.status, first.ticket.tags) == (
        "Late parcel",
        "archived",
        ("wismo",),
    )
    assert second.ticket.people[0].phones == ("+353851234567",)
    assert (first.numbers, second.numbers) == (("cnv_1",), ("cnv_2",))
    assert (first.ticket.channel, second.ticket.channel) == ("email", "chat")


def test_a_draft_is_counted() -> None:
    assert dropped_in("front", "front.jsonl") == {"a draft that was never sent": 1}
