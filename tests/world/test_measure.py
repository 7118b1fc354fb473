"""A number of the policy is written down once: texts print it, facts read it, labels follow it."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import msgspec
import pytest

from supportagentbench.records.case import Label
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record
from supportagentbench.world.drawn_cases import DrawnCases
from supportagentbench.world.folder import World
from supportagentbench.world.label import OpenRecord, derive_label
from supportagentbench.world.measure import placeholders_in, printed
from supportagentbench.world.policy import Policy, policy_from, read_policy_document
from supportagentbench.world.situation import Situation
from supportagentbench.worlds.northline.tools import KIT


class Few(Record):
    """Two measures of a shop nobody knows."""

    days: int = 2
    towns: dict[str, str] = msgspec.field(default_factory=lambda: {"A": "Aarau", "B": "Bern", "C": "Chur"})


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("{days} days", "2 days"),
        ("{days:en} days, {days:En} days", "two days, Two days"),
        ("{days:de_dat} Tagen, {days:pl_gen} dni, {days:ja}日", "zwei Tagen, dwóch dni, 二日"),
        ("to {towns:and}", "to Aarau, Bern and Chur"),
        ("nicht {towns:or}", "nicht Aarau, Bern or Chur"),
        ("{order} and {day+3} are not measures", "{order} and {day+3} are not measures"),
    ],
)
def test_a_measure_is_printed_in_the_form_that_is_asked_for(text: str, shown: str) -> None:
    assert printed(text, Few()) == shown


def test_a_number_without_a_word_is_printed_in_digits() -> None:
    assert printed("{days:pl} dni, {days:en} days", Few(days=45)) == "45 dni, 45 days"
    assert printed("{days:en} days", Few(days=30)) == "thirty days"


def test_a_list_of_one_needs_no_joint() -> None:
    assert printed("{towns:or}", Few(towns={"A": "Aarau"})) == "Aarau"


@pytest.mark.parametrize("text", ["{days:xx}", "{days:and}", "{towns}", "{towns:en}"])
def test_a_form_that_a_measure_has_not_is_refused(text: str) -> None:
    with pytest.raises(Problem, match="cannot be printed"):
        printed(text, Few())


def test_placeholders_are_found_by_name() -> None:
    assert placeholders_in("{days:en} of {order}, not {Days} or { days }") == {"days", "order"}


def with_measures(world: World, **changed: Any) -> Policy:
    """The policy after somebody changed a measure by hand, and nothing else."""
    content = read_policy_document(world.folder / "policy.yaml", KIT)
    measures = msgspec.structs.replace(content.measures, **changed)
    return policy_from(msgspec.structs.replace(content, measures=measures), KIT)


def labels(cases: DrawnCases, policy: Policy) -> dict[str, Label]:
    found = {}
    for name, case in cases.cases.items():
        record = OpenRecord(policy, cases.tools, cases.books_of(name), case.subject)
        found[name] = derive_label(record, case.brief, case.label.temptation)
    return found


def moved(cases: DrawnCases, **changed: Any) -> set[str]:
    """The cases whose label is another one once a measure is changed; what has to be looked up aside."""
    now = labels(cases, with_measures(cases.world, **changed))

    def same(one: Label, other: Label) -> bool:
        return msgspec.structs.replace(one, lookups=()) == msgspec.structs.replace(other, lookups=())

    return {name for name, case in cases.cases.items() if not same(now[name], case.label)}


def situations(cases: DrawnCases, **wanted: str) -> Iterator[tuple[str, Situation]]:
    """The situations of all cases in which a fact has this value."""
    for case in cases.cases.values():
        for wish in case.brief.wishes:
            full = case.brief.disclosed_in_full()
            now = cases.record_of(case.id).situation(wish, full)
            if all(KIT.readers[name].read(now) == value for name, value in wanted.items()):
                yield case.id, now


def days_since_delivery(now: Situation) -> int:
    last: date = max(parcel.scans[-1].day for parcel in now.seen.parcels)
    return (now.today - last).days


RETURNS = ("return", "refund", "exchange")


def test_fewer_days_to_return_move_the_labels_beyond_them_and_no_other(cases: DrawnCases) -> None:
    beyond = {
        name
        for name, now in situations(cases, age="open")
        if now.request in RETURNS and days_since_delivery(now) > 40
    }
    told = {name for name, case in cases.cases.items() if "E1" in case.label.rules}
    assert beyond
    assert moved(cases, return_days=40) == beyond | told, "E1 tells the number itself"
    assert beyond & told, "a return that was in time is too late now"


def test_more_days_for_damage_move_the_late_ones_only(cases: DrawnCases) -> None:
    late = {name for name, now in situations(cases, age="open") if now.request == "damage"}
    assert late and moved(cases, fresh_days=90) == late


def test_a_stricter_count_of_claims_moves_those_who_have_as_many(cases: DrawnCases) -> None:
    claims = ("damage", "wrong_item", "missing_item", "not_received")
    reached = {
        name
        for name, now in situations(cases, claims="few")
        if now.request in claims and len(now.seen.file.claims_last_12_months) >= 1
    }
    assert reached and moved(cases, many_claims=1) == reached


def test_a_shorter_wait_moves_the_parcels_that_reach_it(cases: DrawnCases) -> None:
    waiting = {
        name
        for name, now in situations(cases, delivery="moving")
        if now.request == "not_received" and days_since_delivery(now) >= 2
    }
    assert waiting and moved(cases, stalled_days=2) == waiting


def test_processing_days_move_what_is_told_and_nothing_else(cases: DrawnCases) -> None:
    told = {name for name, case in cases.cases.items() if "B1" in case.label.rules}
    assert moved(cases, processing_most=3) == told


def test_an_unserved_country_moves_the_redirects_to_it(cases: DrawnCases) -> None:
    there = {
        name
        for name, now in situations(cases, redirect="own")
        if now.request == "address" and now.arguments.get("country") == "GB"
    }
    assert there and moved(cases, served={"US": "the United States", "CA": "Canada"}) == there


def test_a_measure_that_no_case_reaches_moves_nothing(cases: DrawnCases) -> None:
    assert moved(cases, return_days=100) == set()


def word(cases: DrawnCases, fact: str, name: str, days: int = 0, claims: int = 0, captures: int = 1) -> str:
    """What a fact says of a case when its last scan, its claims or its payments are set to the boundary."""
    now = cases.record_of(name).situation(cases.cases[name].brief.wishes[0], {})
    last = now.today - timedelta(days=days)
    parcels = tuple(
        msgspec.structs.replace(
            parcel, scans=(*parcel.scans[:-1], msgspec.structs.replace(parcel.scans[-1], day=last))
        )
        for parcel in now.seen.parcels
    )
    earlier = cases.record_of("serial_claimant-1").seen.file.claims_last_12_months
    made = tuple(msgspec.structs.replace(one, made=last) for one in earlier[:claims])
    file = msgspec.structs.replace(
        now.seen.file, claims_last_12_months=made, payments=now.seen.file.payments[:1] * captures
    )
    seen = msgspec.structs.replace(now.seen, parcels=parcels, file=file)
    return KIT.facts[fact].read(msgspec.structs.replace(now, seen=seen))


DELIVERED, MOVING = "damaged_item-1", "tracking-1"


@pytest.mark.parametrize(
    ("fact", "case", "within", "beyond"),
    [
        ("age", DELIVERED, ({"days": 30}, "fresh"), ({"days": 31}, "open")),
        ("age", DELIVERED, ({"days": 100}, "open"), ({"days": 101}, "old")),
        ("delivery", MOVING, ({"days": 6}, "moving"), ({"days": 7}, "stalled")),
        ("claims", DELIVERED, ({"claims": 2}, "few"), ({"claims": 3}, "many")),
        ("claims", DELIVERED, ({"claims": 3, "days": 366}, "few"), ({"claims": 3, "days": 365}, "many")),
        ("charges", DELIVERED, ({"captures": 1}, "single"), ({"captures": 2}, "taken_twice")),
    ],
)
def test_a_measure_divides_where_it_says(
    cases: DrawnCases,
    fact: str,
    case: str,
    within: tuple[dict[str, int], str],
    beyond: tuple[dict[str, int], str],
) -> None:
    for given, expected in (within, beyond):
        assert word(cases, fact, case, **given) == expected


@pytest.mark.parametrize(("country", "expected"), [("GB", "own"), ("IE", "abroad")])
def test_a_country_is_served_or_abroad(cases: DrawnCases, country: str, expected: str) -> None:
    name, now = next(situations(cases, request="address", redirect="own"))
    moved_to = msgspec.structs.replace(now, arguments={**now.arguments, "country": country})
    assert KIT.facts["redirect"].read(moved_to) == expected, name


def test_a_day_is_printed_as_people_write_it() -> None:
    class Season(Record):
        ends: date

    assert printed("until {ends}.", Season(date(2026, 6, 30))) == "until June 30."
