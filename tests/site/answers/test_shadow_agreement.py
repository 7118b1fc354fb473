"""Shadow agreement: an agent beside the people, and two people as the measure for both."""

from shadow_weeks import AGREED, SENT_RIGHTLY, ticket, tried, week
from supportagentbench.records.shadow import ShadowTicket
from supportagentbench.site.answers.shadow_agreement import agreement, like_tickets
from supportagentbench.site.data.shadow_data import ShadowData


def tickets(count: int, *people: str) -> list[ShadowTicket]:
    """Every person does the same on all of a kind: the first sends, the others do not."""
    return [
        ticket(
            number,
            SENT_RIGHTLY if number % len(people) == 0 else AGREED,
            tried(AGREED, "same"),
            person=people[number % len(people)],
        )
        for number in range(count)
    ]


def test_two_people_who_never_do_the_same_agree_less_than_chance() -> None:
    found = agreement(ShadowData(week(tickets(12, "Ana", "Bo"))))
    assert found.people and found.people.same == "0%" and found.people.kappa == "−1.00"
    assert found.people.opened.size == 12 and found.note == ""


def test_the_agent_is_measured_on_the_same_pairs_of_tickets() -> None:
    """It never sends: on its own ticket it is like Bo, on one of another it is like whoever answered that."""
    found = agreement(ShadowData(week(tickets(12, "Ana", "Bo"))))
    [_, agent] = found.rows
    assert agent.same_ticket and agent.same_ticket.same == "50%"
    assert agent.like_tickets and agent.like_tickets.same == "50%"


def test_one_person_alone_cannot_be_compared() -> None:
    found = agreement(ShadowData(week(tickets(12, "Ana"))))
    assert found.people is None and "cannot be computed: it takes 10 tickets" in found.note
    assert [row.like_tickets for row in found.rows] == [None]


def test_an_export_that_names_nobody_is_said() -> None:
    found = agreement(ShadowData(week(tickets(12, ""))))
    assert found.note.endswith("the export does not say who answered.")


def test_tickets_of_other_kinds_are_not_compared() -> None:
    ana = ticket(1, AGREED, request="damage", person="Ana")
    bo = ticket(2, AGREED, request="return", person="Bo")
    cy = ticket(3, AGREED, request="damage", person="Cy")
    found = like_tickets([ana, bo, cy])
    assert [one.ticket for one in found.tickets] == ["t-1", "t-3"] and found.others == ((1,), (0,))
