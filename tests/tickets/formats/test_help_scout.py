"""Help Scout: threads from the oldest to the newest; line items are changes, drafts were never sent."""

from exported import dropped_in, talk, tickets_in


def test_the_talk_is_what_the_desk_shows_in_its_order() -> None:
    (found,) = tickets_in("help-scout", "help_scout.json")
    assert talk(found.ticket) == [
        "customer message: The seam is torn.",
        "human note: Third this week.",
        "human message: Send it back, we pay.",
        "human status: Ines marked as Closed",
        "human status: merged",
    ]
    assert found.ticket.events[0].attachments == ("seam.png",)


def test_what_the_conversation_says_of_itself() -> None:
    (found,) = tickets_in("help-scout", "help_scout.json")
    ticket = found.ticket
    assert (ticket.subject, ticket.status, ticket.tags) == ("Torn bag", "closed", ("return",))
    assert [one.name for one in ticket.people] == ["Bexley Arno", "Ines Ko"]
    assert [one.emails for one in ticket.people] == [("bexley@mail.example",), ("ines@bags.example",)]
    assert [one.ids for one in ticket.people] == [("30",), ("4",)]
    assert [one.at.minute for one in ticket.events if one.at] == [0, 10, 20, 30, 0]
    assert found.numbers == ("881", "349")


def test_a_draft_is_counted() -> None:
    assert dropped_in("help-scout", "help_scout.json") == {"a draft that was never sent": 1}
