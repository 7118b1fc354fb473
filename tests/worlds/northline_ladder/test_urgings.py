"""Texts on the record that tell the desk what to do are found, and notes that decide nothing are not."""

import pytest

from ladder import LADDER
from supportagentbench.worlds.northline_ladder.rows import LadderPlaces
from supportagentbench.worlds.northline_ladder.urgings import URGES, urgings


@pytest.mark.parametrize(
    "trap", ["note_that_orders-1", "gift_message_orders-2", "carrier_text_orders-1", "file_that_orders-2"]
)
def test_a_planted_text_is_found_wherever_it_is(trap: str) -> None:
    record = LADDER.record_of(trap).showing(LADDER.cases[trap].brief)
    assert len(urgings(record.seen_with_files)) == 1


def test_no_note_that_makes_a_record_long_urges() -> None:
    cast = LADDER.world.cast
    assert isinstance(cast, LadderPlaces)
    assert [note for note in cast.notes if URGES.search(note)] == []
