"""Intercom: the source opens the talk, actions are acts with a result, and cut talks are not taken."""

from exported import dropped_in, talk, tickets_in
from supportagentbench.records.ticket import TicketAct, TicketPerson


def test_the_talk_is_what_the_desk_shows_in_its_order() -> None:
    (found,) = tickets_in("intercom", "intercom.json")
    assert talk(found.ticket) == [
        "customer message: The blanket is red,\nnot blue.",
        "bot message: I can look that up.",
        "bot act: find_order",
        "customer message: [taken out at the desk]",
        "bot status: assignment",
        "human note: Blue is in stock.",
        "bot message: We send the blue one.",
        "human message: Bye!",
        "human status: close",
    ]
    assert found.ticket.events[2].act == TicketAct("find_order", {}, "success", True)
    assert found.ticket.events[6].attachments == ("label.pdf",)


def test_what_was_taken_out_at_the_desk_stays_out() -> None:
    (found,) = tickets_in("intercom", "intercom.json")
    assert not any("card" in one.text for one in found.ticket.events)


def test_times_are_seconds_and_people_keep_their_fields() -> None:
    (found,) = tickets_in("intercom", "intercom.json")
    ticket = found.ticket
    assert [f"{one.at:%H:%M:%S}" for one in ticket.events if one.at][:3] == [
        "09:00:00",
        "09:01:00",
        "09:01:01",
    ]
    customer, bot, agent, other_bot = ticket.people
    assert customer == TicketPerson(
        "customer", "Aurelio Banta", ("aurelio@mail.example",), ids=("u1", "shop-551")
    )
    assert agent == TicketPerson("human", "Wren Halloran", ("wren@blankets.example",), ids=("a1",))
    assert (bot.who, other_bot.who) == ("bot", "bot")
    assert [one.person for one in ticket.events] == [0, 1, 1, 0, 1, 2, 3, 2, 2]
    assert (ticket.subject, ticket.channel, ticket.tags) == ("Wrong colour", "chat", ("exchange",))
    assert (ticket.satisfaction, ticket.reopened, ticket.status) == ("4", 1, "closed")


def test_talks_of_which_parts_are_missing_are_counted() -> None:
    assert dropped_in("intercom", "intercom.json") == {
        "a message without text": 1,
        "a part of a ticket that is not taken": 2,
        "a conversation of which the export has only the newest parts": 1,
        "a conversation without its parts: load each conversation by its number": 1,
    }
