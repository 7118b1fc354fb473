"""Which case types the tickets of an import are."""

from msgspec.structs import replace

from conversations import WORLD
from supportagentbench.shadow.desk_map import TicketFacts
from supportagentbench.shadow.ticket_cases import TicketCases
from supportagentbench.shadow.ticket_mix import ImportMix, mix_of_import
from week_in_june import example_keys, own, week


def types_of(number: str, **changed: TicketFacts) -> set[str]:
    """The kinds of one ticket; `facts`: other ones than the map has."""
    found = mixed(number, **changed)
    return {one.name for part in found.parts for one in part.types}


def mixed(number: str, **changed: TicketFacts) -> ImportMix:
    ticket, desk_map = own(number), week().desk_map
    if "facts" in changed:
        desk_map = replace(desk_map, tickets={ticket.id: changed["facts"]})
    return mix_of_import(TicketCases(WORLD, [ticket], desk_map), [ticket])


def test_a_ticket_is_of_the_type_that_asks_for_the_same_under_the_same_rules() -> None:
    assert types_of("50413") == {"cancel_before_ship"}
    assert types_of("50414") == {"cancellation"}, "shipped already: traps are counted by what is at stake"
    assert types_of("50433") == {"unsupported_request"} and types_of("50432") == {"duplicate_charge"}
    assert types_of("50430") == {"refund_outside_policy"}


def test_a_rule_that_decides_alone_needs_no_equal_request() -> None:
    assert types_of("50435") == {"abusive_threatening"}, "no case with a threat asks for a lost parcel"


def test_its_language_chooses_among_types_that_are_alike() -> None:
    assert "wismo_non_english" in types_of("50412") and "wismo_unfulfilled" not in types_of("50412")
    assert "wismo_non_english" not in types_of("50411")


def test_without_facts_it_is_of_every_type_that_asks_for_the_same() -> None:
    found = types_of("50413", facts=TicketFacts())
    assert {"cancel_before_ship", "cancellation", "abusive_threatening"} <= found
    assert "tracking" not in found


def test_shares_add_up_and_kinds_without_a_ticket_do_not_occur() -> None:
    with example_keys():
        tickets = [own(str(number)) for number in range(50411, 50441)]
    found = mix_of_import(week(), tickets)
    mix = found.mix()
    assert found.counted == 27 and found.without.total() == 3
    assert mix.title == "Your tickets (27 of 30)"
    assert abs(sum(mix.raised.values()) - 100) < 1e-9 and abs(sum(mix.shares.values()) - 100) < 1e-9
    assert mix.raised["bundle_rec"] == 0
    assert "the map does not say what question, press asks for" in found.without


def test_several_types_share_a_ticket_equally() -> None:
    found = mixed("50420")
    (part,) = found.parts
    assert part.tickets == 1 and {one.name for one in part.types} == {"wrong_item"}
    shared = mixed("50411").mix().raised
    assert len({share for share in shared.values() if share}) == 1
