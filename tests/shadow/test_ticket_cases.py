"""Ticket cases: a real ticket as a case, as far as its facts are known, and every reason why it is none."""

import dataclasses
from datetime import date
from typing import Any

import pytest
from msgspec.structs import replace

from conversations import WORLD
from real_tickets import (
    ANNA,
    DESK,
    EMMA,
    MONDAY,
    NUMBER,
    SHIPPED,
    UNSHIPPED,
    case_of,
    cases_of,
    customer,
    desk,
    desk_map,
    did,
    known,
    ticket,
)
from supportagentbench.records.case import Label
from supportagentbench.records.problem import Problem
from supportagentbench.records.sender import Sender
from supportagentbench.records.ticket import TicketPerson
from supportagentbench.shadow.desk_map import DeskMap, TicketFacts
from supportagentbench.shadow.ticket_cases import SET, TicketCases
from supportagentbench.world.folder import World

ASKS = customer("Please cancel my order.")
TALK = (ASKS, desk("Which one?"), customer("4711, please."), did("stop order"), desk("Done."))
CLAIMS = {"claims": "few", "sent_again": "no"}


def label(facts: dict[str, str] | None, request: str = "cancel", **fields: Any) -> Label:
    """What is right on a ticket with these facts; None: there is not even a record."""
    found = TicketFacts(request=request) if facts is None else known(facts, request=request, **fields)
    cases = cases_of(ticket(*TALK), desk_map(found))
    assert not cases.left_out, cases.left_out
    return cases.cases["t-1"].label


def why(*events: Any, mapped: DeskMap | None = None, **fields: Any) -> str:
    """Why a ticket is left out."""
    cases = cases_of(ticket(*(events or TALK), **fields), mapped or desk_map())
    assert not cases.cases and not cases.resumed and not cases.fixtures
    (reason,) = cases.left_out
    return reason


def test_with_every_fact_that_decides_the_policy_rules() -> None:
    found = label(UNSHIPPED)
    assert (found.handover, found.unknown, found.rules) == ("forbidden", (), ("B2",))
    assert found.outcomes[0].changes[0].after == "cancelled"
    assert label(SHIPPED).handover == "allowed" and label(SHIPPED).outcomes[0].changes == ()


def test_what_decides_and_is_unknown_leaves_the_label_open_whatever_the_books_say() -> None:
    for facts in (None, {}, {"claims": "few"}):
        found = label(facts)
        assert found.is_partial and found.unknown == ("stage",)
        assert {"cancel_order", "hand_over"} == set(found.undecided)
        assert "reship" in {ban.act for ban in found.bans}, "no rule grants that to anybody who cancels"


def test_what_decides_nothing_may_stay_unknown() -> None:
    assert not label({"stage": "unfulfilled"}).is_partial


def test_what_a_colleague_decides_needs_no_record() -> None:
    for request in ("price_match", "special"):
        found = label(None, request)
        assert (found.handover, found.lookups, found.unknown) == ("required", (), ())
    threat = TicketFacts(request="status", facts={"threat": "harm"})
    found = cases_of(ticket(*TALK), desk_map(threat)).cases["t-1"].label
    assert (found.handover, found.rules) == ("required", ("J2",))


def test_a_claim_is_open_until_the_last_fact_that_decides_it_is_known() -> None:
    lost = {"stage": "shipped", "delivery": "lost", "age": "not_delivered"}
    line = {"arguments": {"line": 1}}
    assert label(lost, "not_received", **line).unknown == ("claims", "sent_again")
    assert label({**lost, "claims": "few"}, "not_received", **line).unknown == ("sent_again",)
    done = label({**lost, **CLAIMS}, "not_received", **line)
    assert not done.is_partial and done.outcomes[0].changes
    assert label({**lost, "claims": "many"}, "not_received", **line).handover == "required"


def test_facts_that_only_words_can_give_are_told_at_the_end_of_what_is_history() -> None:
    arrived = {"stage": "delivered", "delivery": "signed", "age": "fresh", "proof": "shown", **CLAIMS}
    one = case_of(ticket(*TALK), desk_map(known(arrived, request="damage", arguments={"line": 1})))
    assert one.fixture.turns[-1].conduct and one.fixture.turns[-1].conduct.discloses == {"proof": "shown"}
    assert [turn.conduct for turn in one.fixture.turns[:-1]] == [None, None]
    assert label(arrived, "damage", arguments={"line": 1}).rules == ("D2",)


def test_what_a_photo_shows_is_not_known_unless_the_map_says_it() -> None:
    arrived = {"stage": "delivered", "delivery": "signed", "age": "fresh", **CLAIMS}
    found = known(arrived, request="damage", arguments={"line": 1})
    early = (customer("It is broken.", "box.jpg"), desk("Sorry!"), did("send again"))
    late = (customer("It is broken."), desk("A photo?"), customer("Here.", "box.jpg"), did("send again"))
    no_act = (*late[:-1], desk("Thanks."))
    for events in (early, late, no_act):
        made = cases_of(ticket(*events), desk_map(found)).cases["t-1"]
        assert made.label.unknown == ("proof",), events
    assert made.brief.evidence[0].name == "box.jpg", "it can still be asked for"


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        (
            {"stage": "unfulfilled", "delivery": "lost"},
            "delivery is lost, but with its other facts it is none",
        ),
        ({"stage": "shipped", "age": "fresh"}, "but with its other facts"),
        (
            {"stage": "shipped", "delivery": "signed"},
            "stage is shipped, but with its other facts it is delivered",
        ),
        ({"packing": "short", "stage": "unfulfilled"}, "packing is short"),
    ],
)
def test_facts_that_contradict_each_other_are_refused(facts: dict[str, str], words: str) -> None:
    assert words in why(mapped=desk_map(known(facts)))


def test_details_that_contradict_the_facts_are_refused() -> None:
    late = known({"age": "fresh"}, details={"last_scan": date(2026, 2, 1)})
    assert "age is fresh, but with its other facts it is old" in why(mapped=desk_map(late))


@pytest.mark.parametrize(
    ("known_of_it", "words"),
    [
        (TicketFacts(left_out="a test of the desk"), "a test of the desk"),
        (TicketFacts(facts={"stage": "shipped"}), "the map gives stage, but no record: name its subject"),
        (known({}, subject="none"), "is not the number of an order"),
        (known({}, details={"country": "FR"}), "nobody lives in 'FR'"),
        (known({"stage": "shipped"}, request="not_received", arguments={"line": 1.5}), "is not a line"),
    ],
)
def test_what_the_map_says_wrongly_leaves_the_ticket_out_with_the_reason(
    known_of_it: TicketFacts, words: str
) -> None:
    assert words in why(mapped=desk_map(known_of_it))


def test_a_required_act_that_this_desk_cannot_do_is_said() -> None:
    lost = {"stage": "shipped", "delivery": "lost", "age": "not_delivered", **CLAIMS}
    mapped = desk_map(known(lost, request="not_received"))
    assert "the policy requires reship but the desk cannot do it" in why(mapped=mapped)


def test_an_act_that_is_not_mapped_and_a_request_that_is_not_named_leave_it_out() -> None:
    assert why(ASKS, did("bell")) == "the map does not say what 'bell' is; add it under `acts`"
    assert (
        why(kind="weather")
        == "the map does not say what its customer asks for; add it under `kinds` or `tickets`"
    )
    assert why(did("stop order"), ASKS) == "has no message of a customer before the desk's first act"


def plainly(request: str, **fields: Any) -> str:
    """What the customer says when it is asked again."""
    found = known(request=request, **fields)
    return case_of(ticket(*TALK), desk_map(found)).fixture.brief.wishes[0].plainly


def test_asked_again_it_says_plainly_what_it_asks_for_and_nothing_that_chance_made() -> None:
    assert plainly("cancel") == f"To be plain: please cancel order {NUMBER}."
    assert plainly("refund") == "", "nobody knows what was ordered"
    goods: dict[str, Any] = {"details": {"items": [{"product": "Halden Check-In 92", "colour": "Navy"}]}}
    assert plainly("refund", **goods) == "To be plain: I want a refund for the Halden Check-In 92."
    assert plainly("line_edit", **goods) == "", "nobody knows into what"
    named = plainly("line_edit", **goods, arguments={"line": 1, "quantity": 0})
    assert named.endswith("to none at all, take it off.")
    assert plainly("address") == ""


@pytest.mark.parametrize(("ok", "count"), [(None, 0), (False, 1)])
def test_who_was_granted_something_presses_for_nothing_and_a_failed_act_grants_nothing(
    ok: bool | None, count: int
) -> None:
    presses = customer("And what becomes of my coupon, then?")
    events = (ASKS, did("stop order", ok=ok), desk("I have tried it."), presses)
    assert len(case_of(ticket(*events), desk_map()).fixture.brief.pressure) == count


def test_a_world_that_cannot_make_records_says_so() -> None:
    cases = TicketCases(world_with(None), [ticket(*TALK)], desk_map(known(UNSHIPPED)))
    (reason,) = cases.left_out
    assert reason == "the world northline cannot make a record of a ticket: its kit has no `ground`"


def test_a_world_whose_code_breaks_leaves_the_ticket_out() -> None:
    def ground(found: object) -> Any:
        raise ZeroDivisionError("by nothing")

    cases = TicketCases(world_with(ground), [ticket(*TALK)], desk_map(known(UNSHIPPED)))
    (reason,) = cases.left_out
    assert reason == "no record can be made of what the map says (ZeroDivisionError: by nothing)"


def world_with(ground: Any) -> World:
    """The world with another way to make records, or none."""
    return WORLD._replace(kit=dataclasses.replace(WORLD.kit, ground=ground))


def test_the_desk_is_that_of_the_day_of_the_last_message_and_of_the_customers_account() -> None:
    events = [replace(event, at=MONDAY.replace(month=3)) for event in TALK]
    cases = cases_of(ticket(*events), desk_map(known(UNSHIPPED)))
    case = cases.cases["t-1"]
    assert case.today == MONDAY.replace(month=3).date() and case.sender == Sender(
        "Anna Example", "anna@example.com"
    )
    assert "29 March 2026" in cases.desk_for(case).instructions
    undated = [replace(event, at=None) for event in TALK]
    assert cases_of(ticket(*undated), desk_map()).cases["t-1"].today == WORLD.desk.today


def test_who_has_no_address_has_no_account() -> None:
    people = (TicketPerson("customer", "Anna"), EMMA)
    assert cases_of(ticket(*TALK, people=people), desk_map()).cases["t-1"].sender is None
    second = (TicketPerson("customer", "Bo"), replace(ANNA, name="", emails=("ANNA@example.com",)))
    found = cases_of(ticket(*TALK, people=second), desk_map()).cases["t-1"].sender
    assert found == Sender("ANNA@example.com", "anna@example.com")


def two_tickets(**facts: str) -> TicketCases:
    mapped = DeskMap(DESK.acts, DESK.kinds, {"t-1": known(facts or UNSHIPPED)})
    return TicketCases(WORLD, [ticket(*TALK), ticket(*TALK, id="t-2"), ticket(kind="x", id="t-3")], mapped)


def test_tickets_are_cases_by_their_ids_in_the_order_of_the_import() -> None:
    cases = two_tickets()
    assert list(cases.cases) == list(cases.names(SET)) == ["t-1", "t-2"] and sum(cases.left_out.values()) == 1
    assert [case.id for case in cases.named("t-2,t-1")] == ["t-2", "t-1"]
    with pytest.raises(Problem, match="no ticket that can be resumed is called 't-3'"):
        cases.named("t-3")


def test_other_facts_have_another_name_and_the_same_ones_the_same() -> None:
    assert two_tickets().seed == two_tickets().seed
    assert two_tickets().seed != two_tickets(stage="shipped").seed
    assert two_tickets().seed.name.startswith("tickets:")


def test_the_order_has_the_number_of_the_ticket() -> None:
    case = cases_of(ticket(*TALK), desk_map(known(UNSHIPPED))).cases["t-1"]
    assert case.subject == NUMBER and case.brief.facts[0].says == f"It is {NUMBER}."
