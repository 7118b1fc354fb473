"""Openings that a seed did not draw are read as carefully as those it drew."""

import msgspec
import pytest

from supportagentbench.calibration import lint as linter
from supportagentbench.calibration.openings import openings
from supportagentbench.world.drawn_cases import DrawnCases, generate
from supportagentbench.world.folder import World

CASE = "vip_skip-1"


def with_opening(world: World, text: str) -> DrawnCases:
    """The public set of one family with one more wording."""
    (family,) = (one for one in world.families if one.name == "vip_skip")
    template = msgspec.structs.replace(family.content.cases[0], more_openings=(text,))
    content = msgspec.structs.replace(family.content, cases=(template,))
    return generate(world._replace(families=(family.with_content(content),)))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Where is the {moon} of {order}?", "unknown placeholder {moon}"),
        ("Where is #99, the {item}?", "#99 is no order number of its record"),
    ],
)
def test_an_opening_that_does_not_fit_its_record_is_found(northline: World, text: str, words: str) -> None:
    found = list(openings(with_opening(northline, text)))
    assert {place for place, _ in found} == {CASE, f"{CASE}-twin"}
    assert all(words in complaint for _, complaint in found)


def test_an_opening_that_fits_is_not_complained_of(northline: World) -> None:
    assert list(openings(with_opening(northline, "What about the {item} in {colour}, {order}?"))) == []


def test_another_opening_is_as_long_as_a_message_and_unlike_the_first(northline: World) -> None:
    short = with_opening(northline, "{order}?")
    assert (CASE, "its opening has 1 words") in linter.reading_level(short)
    first = short.places[CASE].template(northline).opening
    copied = with_opening(northline, first.replace(",", ";") + "\nThanks.")
    assert list(linter.near_duplicates(copied)) == [
        (CASE, f"its opening is nearly the same as that of {CASE}")
    ]
