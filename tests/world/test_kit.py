"""A kit is checked as a whole before anything is read with it."""

from dataclasses import replace
from datetime import date
from typing import Any

import msgspec
import pytest

from supportagentbench.records.vocabulary import Verb
from supportagentbench.world.kit import Seat, spoken
from supportagentbench.world.situation import FactReader, Situation, said
from supportagentbench.worlds.northline.tools import KIT

VERB = KIT.verbs[0]


def with_verb(**fields: Any) -> tuple[Verb, ...]:
    return (msgspec.structs.replace(VERB, **fields), *KIT.verbs[1:])


def test_the_shipped_kit_fits_together() -> None:
    assert list(KIT.faults()) == []


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"verbs": KIT.verbs[1:]}, "cancel_order needs both a function in `writes` and a verb in `verbs`"),
        ({"writes": KIT.writes[1:]}, "cancel_order needs both"),
        ({"verbs": with_verb(harm="envy")}, "does the harm 'envy', which `harms` does not have"),
        ({"worth": 0}, "the harm goods scales with the value of goods, but `worth` is not set"),
        ({"verbs": with_verb(kin=("sing",))}, "is kin to 'sing', which is not a write"),
        (
            {"verbs": with_verb(doing="cancel {moon}")},
            "has the placeholder {moon}, which `words` does not have",
        ),
        ({"told": {"sing": "Sang"}}, "a sentence for 'sing', which is not a tool of this kit"),
        (
            {"told": {"track_parcel": "Tracked {parcel}"}},
            "the placeholder {parcel}, which it lacks",
        ),
        (
            {"facts": {"mood": FactReader(("low",), "crystal_ball", str)}},
            "'crystal_ball', which is not a look-up",
        ),
    ],
)
def test_a_part_that_does_not_fit_is_named(fields: dict[str, Any], words: str) -> None:
    assert any(words in fault for fault in replace(KIT, **fields).faults())


def test_every_desk_has_the_acts_of_the_ticket_and_a_price_for_a_false_closure() -> None:
    bare = replace(KIT, writes=(), verbs=(), harms=())
    words = bare.vocabulary("Nowhere")
    assert bare.acts == ("hand_over", "close_ticket")
    assert tuple(verb.act for verb in words.verbs) == bare.acts
    assert [harm.name for harm in words.harms] == ["closure"]


def test_the_kind_of_request_is_a_fact_of_every_desk() -> None:
    now = Situation(date(2026, 6, 29), None, None, "cancel")
    assert KIT.readers["request"].read(now) == "cancel"
    assert KIT.readers["request"].values == tuple(KIT.requests)


def test_a_fact_that_only_words_give_has_its_first_value_until_they_are_said() -> None:
    threat = said("threat", "none", "harm")
    now = Situation(date(2026, 6, 29), None, None, "cancel")
    assert threat.read(now) == "none"
    assert threat.read(msgspec.structs.replace(now, disclosed={"threat": "harm"})) == "harm"


def test_a_seat_draws_the_same_for_one_purpose_whatever_else_is_drawn() -> None:
    seat = Seat("shop/0/pause/1", 1101, "Ann", "Lee")
    first = [seat.stream("plan").random() for _ in range(2)]
    assert first[0] == first[1] != seat.stream("day").random()
    assert seat.day(date(2026, 6, 29), (3, 3), "any") == date(2026, 6, 26)
    assert seat.day(date(2026, 6, 29), (-2, -2), "any") == date(2026, 7, 1)
    assert seat.email.startswith("ann.lee@example.") and seat.name == "Ann Lee"


def test_a_day_is_spoken_as_people_write_it() -> None:
    assert spoken(date(2026, 6, 7)) == "June 7"
