"""What somebody who answers a ticket may rely on, and where the counting of it ends."""

import pytest

from conversations import WORLD
from own_desk import bot, customer, did, mapped_desk, note, person, ticket
from supportagentbench.checks.grounding import amounts_in, percents_in
from supportagentbench.records.ticket import TicketEvent
from supportagentbench.shadow.ticket_sources import MOST_VALUES, TicketSources
from supportagentbench.shadow.ticket_talk import talks_of

DESK = mapped_desk(WORLD)


def sources(*events: TicketEvent) -> TicketSources:
    """Everything that the last side knows at the end."""
    *_, talk = talks_of(ticket(*events), DESK)
    heard = TicketSources(talk, DESK.header)
    for turn in talk.transcript.turns:
        heard.hear(turn)
    return heard


@pytest.mark.parametrize(
    "event",
    [
        customer("I paid 40"),
        did("find_order", '{"total": 40}'),
        did("find_order", '{"total_cents": 4000}'),
        did("find_order", "The total is $40.00."),
        did("pay_back", amount=40),
        did("pay_back", amount="40.00"),
        note("give him $40"),
        person("We can pay $40."),
    ],
)
def test_a_number_from_anywhere_may_be_an_amount(event: TicketEvent) -> None:
    assert 4000 in sources(customer("Hello"), event, bot("$40")).known(amounts_in)


@pytest.mark.parametrize("text", ["2026-04-05", "5/40/2026", "at 10:40", "40%", "R40", "40x"])
def test_a_part_of_a_date_or_a_code_is_no_amount(text: str) -> None:
    assert 4000 not in sources(customer(text), bot("ok")).known(amounts_in)
    assert 400 not in sources(did("find_order", f'{{"at": "{text}"}}'), bot("ok")).known(amounts_in)


def test_its_own_notes_are_a_source() -> None:
    assert 4000 in sources(customer("Hello"), note("give him $40"), person("ok")).known(amounts_in)


def test_its_own_words_are_no_source() -> None:
    assert 4000 not in sources(customer("Hello"), bot("It is $40."), bot("$40")).known(amounts_in)


def test_a_call_that_failed_is_no_source_for_what_was_asked_of_it() -> None:
    found = sources(customer("Hello"), did("pay_back", '{"error": "no"}', amount=40), bot("$40"))
    assert 4000 not in found.known(amounts_in)


def test_a_number_in_a_result_may_be_a_share() -> None:
    heard = sources(customer("size 35"), did("find_order", '{"discount": 0.25, "off": 10}'), bot("10%"))
    assert {25, 10} <= heard.known(percents_in) and 35 not in heard.known(percents_in)


def test_too_many_values_are_cut_and_it_says_so() -> None:
    few = sources(customer("I paid 40"), bot("ok"))
    few.known(amounts_in)
    many = sources(customer(" ".join(f"${n}.01" for n in range(2 * MOST_VALUES))), bot("ok"))
    assert len(many.known(amounts_in)) == MOST_VALUES and many.are_cut and not few.are_cut
