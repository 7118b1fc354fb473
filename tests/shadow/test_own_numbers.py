"""A map names tickets, orders and days as the desk does; in an import they have surrogates."""

from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace

from supportagentbench.records.problem import Problem
from supportagentbench.shadow.desk_map import DeskMap, TicketFacts
from supportagentbench.shadow.own_numbers import in_terms_of_import, ticket_named
from supportagentbench.tickets.import_folder import read_header, read_import
from week_in_june import example, example_keys, keys_of, own

FACTS = TicketFacts(
    request="address",
    subject="#7130",
    arguments={"line": 1, "variant": "NL-GRT-SLT-10", "recipient": "Jory Penhallow", "postcode": "NR2 3TB"},
    facts={"stage": "unfulfilled"},
    details={
        "placed": "2026-06-14",
        "items": [{"product": "Fjord Carry-On 38"}],
        "tracking": "NL118203377GB",
    },
)


def translated(found: DeskMap) -> TicketFacts:
    header, tickets = read_header(example() / "tickets"), [*read_import(example() / "tickets")]
    with example_keys():
        (facts,) = in_terms_of_import(found, header, tickets).tickets.values()
    return facts


def test_numbers_names_and_days_are_those_of_the_import() -> None:
    facts, ticket = translated(DeskMap(tickets={"50415": FACTS})), own("50415")
    told = " ".join(event.text for event in ticket.events)
    assert facts.subject in told and facts.subject != "#7130"
    assert str(facts.arguments["recipient"]) in told and "Jory" not in str(facts)
    days = {event.at.date() for event in ticket.events if event.at}
    assert (min(days) - date.fromisoformat(facts.details["placed"])).days == 1
    assert len(facts.details["tracking"]) == 13 and "118203377" not in facts.details["tracking"]
    assert facts.arguments["postcode"] != "NR2 3TB"


def test_what_is_of_the_world_stays() -> None:
    facts = translated(DeskMap(tickets={"50415": FACTS}))
    assert (facts.arguments["line"], facts.arguments["variant"]) == (1, "NL-GRT-SLT-10")
    assert facts.details["items"] == [{"product": "Fjord Carry-On 38"}] and facts.facts == FACTS.facts


def test_ids_of_the_import_are_taken_as_they_are() -> None:
    name = own("50415").id
    assert translated(DeskMap(tickets={name: FACTS, "1": FACTS})) == FACTS


def test_a_map_of_other_tickets_is_refused_and_one_that_has_more_is_not() -> None:
    with pytest.raises(Problem, match="none of the 1 tickets of the map"):
        translated(DeskMap(tickets={"1": FACTS}))
    assert translated(DeskMap(tickets={"1": FACTS, "50415": FACTS})).subject != "#7130"


def test_without_the_key_nobody_finds_the_desks_own_numbers(tmp_path: Path) -> None:
    header, tickets = read_header(example() / "tickets"), [*read_import(example() / "tickets")]
    found = DeskMap(tickets={"50415": FACTS})
    with keys_of(tmp_path), pytest.raises(Problem, match="is not in your configuration"):
        in_terms_of_import(found, header, tickets)
    with pytest.raises(Problem, match="does not say which key"):
        in_terms_of_import(found, replace(header, key_name="../../etc/passwd"), tickets)


def test_a_ticket_is_found_by_its_id_and_by_its_own_number() -> None:
    header, tickets = read_header(example() / "tickets"), [*read_import(example() / "tickets")]
    one = own("50424")
    assert ticket_named(one.id, header, tickets) == one
    with example_keys(), pytest.raises(Problem, match="no ticket of the import is called '99'"):
        ticket_named("99", header, tickets)
