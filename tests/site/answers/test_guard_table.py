"""A check is told as a rule of its own, on one line, and nobody can read an order in it."""

import pytest

from reports import agent_stats_of, reference_data
from supportagentbench.site.answers.exhibit import shortened
from supportagentbench.site.answers.guard_table import guard_table


@pytest.mark.parametrize(
    ("sentence", "part", "is_condition"),
    [
        ("Damage is replaced only against a photo that shows it, or on file.", None, False),
        (
            "Damage is replaced only against a photo that shows it, on this ticket.",
            "Damage is replaced only against a photo that shows it",
            False,
        ),
        ("Wrong item, and there is no photo: send nothing.", "Wrong item, and there is no photo", True),
        ("Used goods stay used, always.", None, False),
        ("An address is odd when its recipient is another person (friend, cousin), or far.", None, False),
    ],
)
def test_a_rule_is_cut_where_its_first_part_ends(sentence: str, part: str | None, is_condition: bool) -> None:
    assert shortened(sentence) == (part or sentence.rstrip("."), is_condition)


def test_every_check_forbids_or_states_and_names_its_rule() -> None:
    table = guard_table(agent_stats_of(reference_data(), "complies"))
    rows = [row for row in (*table.rows, *table.more) if row.is_on_tools]
    assert rows
    for row in rows:
        assert not row.words.startswith(("Block", "Send", "Cancel", "Hand over")), row.words
        assert "(rule" in row.words or row.words.startswith("No"), row.words
    assert any(row.words.endswith(": do not send the goods again (rule C5)") for row in rows)
    assert any("(rule D1)" in row.words and "only against a photo" in row.words for row in rows)
