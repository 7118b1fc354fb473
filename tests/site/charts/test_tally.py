"""Tally: the parts of a bar touch, fill it, and are as long as their numbers."""

from hypothesis import given
from hypothesis import strategies as st

from supportagentbench.site.charts.tally import WIDTH, Tally, TallyCount, TallyLook
from supportagentbench.site.data.opened_set import OpenedSet

LOOKS: tuple[TallyLook, ...] = ("plain", "harm", "cool")


def tally_of(*sizes: int) -> Tally:
    sets = [OpenedSet("s", "", tuple(map(str, range(size)))) for size in sizes]
    return Tally(
        "a", tuple(TallyCount(look, look.title(), one) for look, one in zip(LOOKS, sets, strict=False))
    )


@given(st.lists(st.integers(0, 50), min_size=1, max_size=3))
def test_the_parts_touch_and_fill_the_bar(sizes: list[int]) -> None:
    row = tally_of(*sizes)
    end = 0
    for part in row.parts:
        assert part.x == end
        end = part.x + part.width
    assert end == (WIDTH if any(sizes) else 0)
    assert len(row.parts) == sum(size > 0 for size in sizes)


def test_the_bar_is_said_in_words() -> None:
    assert tally_of(2, 0, 1).said == "2 plain, 1 cool"
