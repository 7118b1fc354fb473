"""A clipping is bounded whatever it is made of, and counts what it leaves out."""

from hypothesis import given
from hypothesis import strategies as st

from supportagentbench.records.secrets import keep_secret
from supportagentbench.terminal.clipping import LONGEST_TEXT, MOST_PARTS, MOST_TEXT, Clipping

MORE = len(" [… 99,999,999 more characters]")


def test_what_fits_is_shown_as_it_is_and_nothing_is_noted() -> None:
    clipping = Clipping()
    assert clipping.text("a" * LONGEST_TEXT) == "a" * LONGEST_TEXT
    assert clipping.parts((1, 2)) == (1, 2)
    assert clipping.note == ""


def test_a_long_text_is_cut_and_says_how_much() -> None:
    clipping = Clipping()
    assert clipping.text("a" * (LONGEST_TEXT + 1)) == "a" * LONGEST_TEXT + " [… 1 more character]"
    assert clipping.text("b" * (LONGEST_TEXT + 1_500)).endswith("b [… 1,500 more characters]")
    assert clipping.note == "1,501 characters"


@given(st.lists(st.integers(0, 3 * LONGEST_TEXT), max_size=40))
def test_all_texts_together_are_bounded_and_every_character_is_counted(sizes: list[int]) -> None:
    clipping = Clipping()
    shown = [clipping.text("x" * size) for size in sizes]
    kept = sum(text.count("x") for text in shown)
    assert kept <= MOST_TEXT and all(len(text) <= LONGEST_TEXT + MORE for text in shown)
    cut = sum(sizes) - kept
    assert clipping.note == (f"{cut:,} character{'' if cut == 1 else 's'}" if cut else "")


def test_parts_are_bounded_over_all_lists() -> None:
    clipping = Clipping()
    assert len(clipping.parts(range(MOST_PARTS - 1))) == MOST_PARTS - 1
    assert list(clipping.parts(range(3))) == [0]
    assert not clipping.parts("more")
    assert clipping.note == "6 messages, calls and findings"


def test_no_cut_leaves_half_a_secret() -> None:
    keep_secret("sk-0123456789")
    shown = Clipping().text("a" * (LONGEST_TEXT - 5) + "sk-0123456789" + "b" * 100)
    assert "sk-" not in shown and "[key]" in shown
