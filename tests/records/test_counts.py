"""Counts in English agree with their nouns."""

from supportagentbench.records.counts import counted


def test_one_is_singular_and_all_else_is_plural() -> None:
    assert [counted(number, "run") for number in (0, 1, 2)] == ["0 runs", "1 run", "2 runs"]
    assert counted(1, "family", "families") == "1 family"
    assert counted(2, "family", "families") == "2 families"
    assert counted(12_960, "conversation") == "12,960 conversations"
