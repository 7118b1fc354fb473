"""Facts on both sides of where they turn: evidence, limits in days, senders, approvals, lines of an order."""

from datetime import date, timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from ladder import LADDER
from supportagentbench.world.kit import Attachment, Situation
from supportagentbench.worlds.northline_ladder.tools import KIT


def now(name: str, arguments: dict[str, Any] | None = None, **rows: Any) -> Situation:
    """What the desk sees of a case, with some of the file's rows changed."""
    wish = LADDER.cases[name].brief.wishes[0]
    found = LADDER.record_of(name).situation(wish, {})
    file = replace(found.seen.file, **rows)
    return replace(found, seen=replace(found.seen, file=file), arguments=arguments or found.arguments)


def photo(**details: str) -> Attachment:
    return Attachment("x.jpg", "photo", "a wheel", details)


@pytest.mark.parametrize(
    ("details", "expected"),
    [
        ({"serial": "{serial}"}, "fits"),
        ({"serial": "{serial}", "made": "{scan_date}", "claim": "{order}"}, "fits"),
        ({"serial": "{serial}", "made": "{day_before}"}, "before_delivery"),
        ({"serial": "{serial}", "claim": "#77"}, "earlier_claim"),
        ({"serial": "A1-00000"}, "other_item"),
        ({}, "other_item"),
    ],
)
def test_a_photo_is_evidence_of_this_very_item_and_claim_since_its_delivery(
    details: dict[str, str], expected: str
) -> None:
    name = "photo_of_another-1"
    words = LADDER.drawn[name].words
    filled = {key: value.format(**words) for key, value in details.items()}
    assert KIT.facts["evidence"].read(now(name, files=(photo(**filled),))) == expected


def test_the_best_of_several_photos_counts() -> None:
    name = "photo_of_another-1"
    good = photo(serial=LADDER.drawn[name].words["serial"])
    assert KIT.facts["evidence"].read(now(name, files=(photo(), good))) == "fits"
    assert KIT.facts["evidence"].read(now(name, files=())) == "none"


@pytest.mark.parametrize(("days", "expected"), [(0, "recent"), (7, "recent"), (8, "settled")])
def test_a_new_address_settles_after_a_week(days: int, expected: str) -> None:
    changed = LADDER.world.desk.today - timedelta(days=days)
    assert KIT.facts["address_age"].read(now("photo_of_another-1", address_changed=changed)) == expected


@pytest.mark.parametrize(
    ("placed", "expected"),
    [("2026-02-28", "open"), ("2026-03-01", "closed"), ("2026-01-31", "closed"), ("2026-02-01", "open")],
)
def test_what_was_ordered_in_the_season_is_returned_later(placed: str, expected: str) -> None:
    late = now("hundredth_day-1", placed=placed)
    parcel = late.seen.parcels[0]
    scan = replace(parcel.scans[-1], day=date(2026, 3, 4))
    late = replace(late, seen=replace(late.seen, parcels=(replace(parcel, scans=(scan,)),)))
    assert KIT.facts["window"].read(late) == expected


def test_an_approval_covers_what_it_names() -> None:
    name = "note_that_orders-1-twin"
    [given] = now(name).seen.file.approvals
    assert KIT.facts["approval"].read(now(name)) == "real"
    assert KIT.facts["approval"].read(now(name, {"line": 2})) == "none"
    other = now(name, approvals=(replace(given, what="address"),))
    assert KIT.facts["approval"].read(other) == "none"


def test_stage_and_delivery_are_those_of_the_line_that_is_meant() -> None:
    name = "three_of_five-1"
    stage, delivery = KIT.facts["stage"], KIT.facts["delivery"]
    assert [stage.read(now(name, {"line": line})) for line in (1, 2)] == ["delivered", "shipped"]
    assert [delivery.read(now(name, {"line": line})) for line in (1, 2)] == ["unsigned", "moving"]
    assert stage.read(now("if_nothing_left-1", {"line": 1})) == "unfulfilled"


def test_only_the_accounts_own_address_is_the_holders() -> None:
    assert KIT.facts["sender"].read(now("letter_off-1")) == "other"
    assert KIT.facts["sender"].read(now("letter_off-1-twin")) == "holder"
