"""An excerpt is bounded whatever it is made of, and counts what it leaves out."""

from hypothesis import given
from hypothesis import strategies as st

from supportagentbench.records.secrets import keep_secret
from supportagentbench.terminal.excerpt import LONGEST_TEXT, MOST_PARTS, MOST_TEXT, Excerpt

MORE = len(" [… 99,999,999 more characters]")


def test_what_fits_is_shown_as_it_is_and_nothing_is_noted() -> None:
    excerpt = Excerpt()
    assert excerpt.text("a" * LONGEST_TEXT) == "a" * LONGEST_TEXT
    assert excerpt.parts((1, 2)) == (1, 2)
    assert excerpt.note == ""


def test_a_long_text_is_cut_and_says_how_much() -> None:
    excerpt = Excerpt()
    assert excerpt.text("a" * (LONGEST_TEXT + 1)) == "a" * LONGEST_TEXT + " [… 1 more character]"
    assert excerpt.text("b" * (LONGEST_TEXT + 1_500)).endswith("b [… 1,500 more characters]")
    assert excerpt.note == "1,501 characters"


@given(st.lists(st.integers(0, 3 * LONGEST_TEXT), max_size=40))
def test_all_texts_together_are_bounded_and_every_character_is_counted(sizes: list[int]) -> None:
    excerpt = Excerpt()
    shown = [excerpt.text("x" * size) for size in sizes]
    kept = sum(text.count("x") for text in shown)
    assert kept <= MOST_TEXT and all(len(text) <= LONGEST_TEXT + MORE for text in shown)
    cut = sum(sizes) - kept
    assert excerpt.note == (f"{cut:,} character{'' if cut == 1 else 's'}" if cut else "")


def test_parts_are_bounded_over_all_lists() -> None:
    excerpt = Excerpt()
    assert len(excerpt.parts(range(MOST_PARTS - 1))) == MOST_PARTS - 1
    assert list(excerpt.parts(range(3))) == [0]
    assert not excerpt.parts("more")
    assert excerpt.note == "6 messages, calls and findings"


def test_no_cut_leaves_half_a_secret() -> None:
    keep_secret("sk-0123456789")
    shown = Excerpt().text("a" * (LONGEST_TEXT - 5) + "sk-0123456789" + "b" * 100)
    assert "sk-" not in shown and "[key]" in shown
