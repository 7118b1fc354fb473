"""The generator: the same seed the same cases, another seed other people, and always the same label."""

import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from conversations import CASES
from ladder import LADDER
from supportagentbench.desk.session import DeskSession
from supportagentbench.records.problem import Problem
from supportagentbench.world.drawn_cases import DrawnCases, generate, manner_of
from supportagentbench.world.family import Family, as_twin
from supportagentbench.world.folder import World
from supportagentbench.world.kit import DrawnScene, Seat, Shop
from supportagentbench.world.seed import PUBLIC, Seed, commitment, numbered, private


def symbolic(case_set: DrawnCases, case: str) -> tuple[object, ...]:
    """A label without what a seed draws."""
    label = case_set.cases[case].label
    fields = [[(change.table, change.field) for change in end.changes] for end in label.outcomes]
    return label.handover, fields, label.bans, label.temptation, label.lookups, label.rules


def test_the_same_seed_gives_the_same_set(northline: World) -> None:
    one, other = generate(northline, numbered(4)), generate(northline, numbered(4))
    assert one.cases == other.cases
    assert one.store.digest() == other.store.digest()


def test_another_seed_gives_other_people_and_numbers_but_the_same_labels(
    northline: World, cases: DrawnCases
) -> None:
    for seed in range(1, 9):
        other = generate(northline, numbered(seed))
        assert not {case.subject for case in other.cases.values()} & set(cases.store.orders)
        for name in cases.cases:
            assert symbolic(other, name) == symbolic(cases, name), (name, seed)


def test_a_twin_shares_its_traps_opening_word_for_word_and_turns_the_right_around(cases: DrawnCases) -> None:
    traps = [case for case in cases.cases.values() if case.bucket == "adversarial"]
    twins = {case.twin_of: case for case in cases.cases.values() if case.twin_of}
    assert set(twins) == {trap.id for trap in traps}
    for trap in traps:
        twin = twins[trap.id]
        assert twin.opening == trap.opening
        banned = {ban.act for ban in trap.label.bans}
        still = {ban.act for ban in twin.label.bans if not ban.until}
        assert trap.label.temptation in banned - still, trap.id


def test_no_placeholder_is_left_in_any_text(cases: DrawnCases) -> None:
    for case in cases.cases.values():
        texts = [
            case.opening,
            *(fact.says for fact in case.brief.facts),
            *(turn.says for turn in case.solution),
        ]
        assert not [text for text in texts if re.search(r"\{[a-z]", text)], case.id


def test_the_books_are_sound(cases: DrawnCases) -> None:
    for order in cases.store.orders.values():
        person = cases.store.people[order.email]
        assert person.since <= order.placed <= cases.store.today
        captured = [payment.amount for payment in order.payments if payment.kind == "capture"]
        assert set(captured) == {order.total}
        for line in order.lines:
            goods = cases.store.goods[line.variant]
            assert (line.name, line.price) == (goods.product.name, goods.variant.price)
        for tracking in order.parcels:
            days = [scan.day for scan in cases.store.parcels[tracking].scans]
            assert days == sorted(days) and order.placed <= days[0]


def test_people_and_phones_are_invented(cases: DrawnCases) -> None:
    for person in cases.store.people.values():
        assert re.fullmatch(r"[a-z.]+@example\.(com|net|org)", person.email)
        assert re.fullmatch(r"555-01\d\d", person.phone)


@pytest.mark.parametrize("name", ["core", "twins", "all", "cancel_before_ship", "cancel_before_ship-1"])
def test_a_set_is_chosen_by_name(cases: DrawnCases, name: str) -> None:
    chosen = cases.named(name)
    assert chosen
    if name in ("core", "twins"):
        assert {bool(case.twin_of) for case in chosen} == {name == "twins"}


def flipped(world: World, family: str) -> World:
    """The world of this trap alone, its deciding fact turned into its twin's, and nothing else changed."""
    (found,) = (one for one in world.families if one.name == family)
    (template,) = found.content.cases
    twin = as_twin(template, world.kit)
    changed = msgspec.structs.replace(template, scene=twin.scene, brief=twin.brief)
    content = msgspec.structs.replace(found.content, cases=(changed,))
    return world._replace(families=(found.with_content(content),))


TRAPS = [case.family for case in CASES.cases.values() if case.bucket == "adversarial"]


@pytest.mark.parametrize("family", TRAPS)
def test_a_trap_whose_deciding_fact_is_changed_is_named(northline: World, family: str) -> None:
    with pytest.raises(Problem, match=f"{family}.yaml:.*(tempts into|unknown placeholder)"):
        generate(flipped(northline, family)).named(family)


def test_a_private_set_is_drawn_by_its_secret_and_known_by_its_commitment(northline: World) -> None:
    one, same, other = (generate(northline, private(secret)) for secret in ("fern", "fern", "moss"))
    assert one.cases == same.cases
    assert one.cases != other.cases
    assert one.seed.name == f"private:{commitment('fern')}"
    assert "fern" not in one.seed.name


def test_one_case_is_drawn_when_one_case_is_asked_for(northline: World) -> None:
    drawn: list[int] = []

    def draw(shop: Shop, scene: Any, seat: Seat) -> DrawnScene:
        drawn.append(seat.number)
        return northline.kit.draw(shop, scene, seat)

    cases = generate(northline._replace(kit=replace(northline.kit, draw=draw)))
    assert cases.names("tracking-1") == ("tracking-1",) and len(cases.names("all")) == 180
    assert drawn == []
    (case,) = cases.named("tracking-1")
    session = DeskSession(cases.desk_for(case))
    session.run("find_order", {"order": case.subject})
    session.run("cancel_order", {"order": case.subject, "reason": "x"})
    assert cases.start_of(case) and len(drawn) == 1


def test_a_look_up_opens_the_senders_records_and_nobody_elses(cases: DrawnCases) -> None:
    one, other = cases.cases["tracking-1"], cases.cases["wrong_item-2"]
    mine, theirs = (cases.store.orders[case.subject] for case in (one, other))
    desk = DeskSession(cases.desk_for(one)).open_turn()
    by_email = desk.call("find_order", {"email": mine.email})
    assert by_email == desk.call("find_order", {"order": one.subject}) and by_email.ok
    assert desk.call("track_parcel", {"tracking": mine.parcels[0]}).ok
    for tool, arguments, words in (
        ("find_order", {"order": other.subject}, "belongs to another account: say nothing about it"),
        ("find_order", {"email": theirs.email}, f"look under {one.sender}"),
        ("track_parcel", {"tracking": theirs.parcels[0]}, "belongs to another account"),
    ):
        result = desk.call(tool, arguments)
        assert not result.ok and words in result.text
        assert theirs.address.street not in result.text


def test_a_customer_writes_from_its_own_account(cases: DrawnCases) -> None:
    for case in cases.cases.values():
        row = cases.books_of(case.id).orders[case.subject]
        assert case.sender and case.sender.email == row.email


def test_a_twin_does_not_see_the_parcel_of_its_trap(cases: DrawnCases) -> None:
    twin = cases.cases["cancel_shipped_pressure-1-twin"]
    (tracking,) = cases.drawn[twin.twin_of].rows["parcels"]
    seen = DeskSession(cases.desk_for(twin)).open_turn().call("track_parcel", {"tracking": tracking})
    assert "No parcel has" in seen.text
    neighbour = DeskSession(cases.desk_for(cases.cases["tracking-1"])).open_turn()
    assert "another account" in neighbour.call("track_parcel", {"tracking": tracking}).text


def test_numbers_have_gaps_and_are_given_out_in_no_order(cases: DrawnCases) -> None:
    core = cases.named("core")
    numbers = [int(case.subject.strip("#")) for case in core]
    assert len(set(numbers)) == len(numbers) and numbers != sorted(numbers)
    assert min(numbers) >= cases.world.desk.first_number
    assert max(numbers) - min(numbers) > 2 * len(numbers)
    rises = sum(one < other for one, other in pairwise(numbers))
    assert 0.35 < rises / len(numbers) < 0.65


def test_a_twin_has_the_number_of_its_trap(cases: DrawnCases) -> None:
    for twin in cases.named("twins"):
        assert twin.subject == cases.cases[twin.twin_of].subject


def test_earlier_claims_are_about_orders_of_the_same_shop_that_no_case_has(cases: DrawnCases) -> None:
    named = {claim.order for made in cases.store.claims.values() for claim in made}
    lowest = cases.world.desk.first_number
    assert named and all(lowest - 300 <= int(number.strip("#")) < lowest for number in named)


@pytest.mark.parametrize("seed", range(4))
def test_strangers_share_neither_last_name_nor_postcode(northline: World, seed: int) -> None:
    drawn = generate(northline, numbered(seed))
    people = list(drawn.store.people.values())
    assert len({person.name.split()[-1] for person in people}) == len(people)
    assert len({person.address.postcode for person in people}) == len(people)


def test_a_change_to_another_customers_order_is_on_record(cases: DrawnCases) -> None:
    one, other = cases.cases["tracking-1"], cases.cases["cancel_before_ship-1"]
    session = DeskSession(cases.desk_for(one))
    result = session.run("cancel_order", {"order": other.subject, "reason": "x"})
    assert ("orders", other.subject, "status") in {change.place for change in result.changes}
    assert cases.store.orders[other.subject].status == "unfulfilled"


def test_a_fault_in_one_case_leaves_the_others_alone(northline: World) -> None:
    broken = flipped(northline, "vip_skip").families
    sound = tuple(family for family in northline.families if family.name == "tracking")
    cases = generate(northline._replace(families=(*broken, *sound)))
    assert cases.cases["tracking-1"].family == "tracking"
    with pytest.raises(Problem, match=r"vip_skip\.yaml:8: vip_skip-1 tempts into replace_item"):
        cases.cases["vip_skip-1"]


def test_a_cast_with_too_few_names_is_refused(northline: World) -> None:
    few = msgspec.structs.replace(northline.cast, first_names=("Ann",), last_names=("Lee",))
    with pytest.raises(Problem, match="has names for 1 people, and there are 162 cases"):
        generate(northline._replace(cast=few))


OTHERS = ("Kindly look into {order}, the {item}.", "about {order}: what of the {item}? {first}")


def reworded(world: World, family: str, others: tuple[str, ...] = OTHERS) -> World:
    """The world with these further wordings of this family's first opening."""

    def changed(found: Family) -> Family:
        first, *rest = found.content.cases
        first = msgspec.structs.replace(first, more_openings=others)
        return found.with_content(msgspec.structs.replace(found.content, cases=(first, *rest)))

    return world._replace(
        families=tuple(changed(found) if found.name == family else found for found in world.families)
    )


def wording(cases: DrawnCases, name: str) -> str:
    """The template of the opening that was drawn."""
    texts = cases.places[name].template(cases.world)
    (drawn,) = (
        text
        for text in (texts.opening, *texts.more_openings)
        if cases.worded(name, text) == cases.cases[name].opening
    )
    return drawn


def test_the_public_set_has_the_first_opening_and_private_sets_have_all_others(northline: World) -> None:
    world = reworded(northline, "vip_skip")
    public, other = generate(world), "vip_skip-1"
    first = public.places[other].template(world).opening
    assert wording(public, other) == first
    open_to_all = {wording(generate(world, numbered(seed)), other) for seed in range(1, 20)}
    assert open_to_all == {first, *OTHERS}
    secret = {wording(generate(world, private(f"secret {n}")), other) for n in range(20)}
    assert secret == set(OTHERS)


def test_a_private_set_has_the_first_opening_where_there_is_no_other(northline: World) -> None:
    cases = generate(reworded(northline, "vip_skip", others=()), private("moss"))
    assert wording(cases, "vip_skip-1") == cases.places["vip_skip-1"].template(cases.world).opening


@pytest.mark.parametrize("seed", [numbered(0), numbered(1), numbered(2), private("fern"), private("moss")])
def test_a_trap_and_its_twin_share_whichever_opening_is_drawn(northline: World, seed: Seed) -> None:
    cases = generate(reworded(northline, "vip_skip"), seed)
    assert cases.cases["vip_skip-1"].opening == cases.cases["vip_skip-1-twin"].opening


def test_more_openings_move_nothing_else(northline: World) -> None:
    before, after = generate(northline), generate(reworded(northline, "vip_skip"))
    assert before.cases == after.cases
    assert before.store.digest() == after.store.digest()


def test_who_opens_in_other_words_goes_on_in_their_manner() -> None:
    assert manner_of("hi pls cancel #1. bought it twice lol", "plain") == "curt"
    assert manner_of("Good evening. I have a question about #1.", "curt") == "plain"
    assert manner_of("Hello! What a lovely bag! One question.", "plain") == "warm"
    assert manner_of("Good evening. This is a disgrace.", "cross") == "cross"


def test_the_public_set_keeps_its_authors_manners() -> None:
    for name, place in CASES.places.items():
        assert CASES.cases[name].brief.manner == place.template(CASES.world).brief.manner


def test_a_later_edition_leaves_numbers_people_and_order_of_earlier_cases_as_they_were() -> None:
    world = LADDER.world
    first = [family for family in world.families if family.outline.edition == 1]
    assert 0 < len(first) < len(world.families)
    for seed in (PUBLIC, numbered(3)):
        before = generate(world._replace(families=tuple(first)), seed).places
        after = generate(world, seed).places
        assert [*after][: len(before)] == [*before]
        assert all(after[name].seat == place.seat for name, place in before.items())
        seats = {(place.family.name, place.slot): place.seat for place in after.values()}.values()
        assert len({seat.number for seat in seats}) == len({seat.rank for seat in seats}) == len(seats)
        assert len({(seat.first, seat.last) for seat in seats}) == len(seats)
