"""Words of others on a terminal: shown as they are, and obeyed by nobody."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supportagentbench.terminal.escape import LONGEST, as_code, on_one_line, quoted, visible


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "\\u001b[31mred\\u001b[0m"),
        ("\x9b2J", "\\u009b2J"),
        ("over\rwritten\b\a", "over\\rwritten\\b\\u0007"),
        ("\u202eesrever", "\\u202eesrever"),
        ("[bold red]plain[/] :smile:", "[bold red]plain[/] :smile:"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("naïve — 名前 👩‍🚀", "naïve — 名前 👩‍🚀"),
    ],
)
def test_what_a_terminal_would_obey_is_spelt_out(said: str, shown: str) -> None:
    assert visible(said) == shown


@given(st.text())
def test_nothing_that_controls_a_terminal_is_left(words: str) -> None:
    left = {char for char in visible(words) if unicodedata.category(char) == "Cc"}
    assert left <= {"\n", "\t"}
    assert not {char for char in visible(words) if unicodedata.bidirectional(char) in BIDI}
    assert "\n" not in on_one_line(words) and "\t" not in on_one_line(words)


BIDI = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


@given(st.text(st.characters(categories=["L", "N", "P", "S", "Zs"])))
def test_ordinary_words_stay_as_they_are(words: str) -> None:
    assert visible(words) == on_one_line(words) == words


def test_a_build_finds_no_command_in_it() -> None:
    for words in ("::error::x", "a\n::set-output name=a::b", "##[command]x", ":::x"):
        assert "::" not in quoted(words) and "##[" not in quoted(words) and "\n" not in quoted(words)


def test_long_words_are_cut() -> None:
    assert len(quoted("x" * 1000)) == LONGEST and quoted("x" * 1000).endswith("…")


def test_code_cannot_be_left_from_within() -> None:
    assert as_code("a`b") == "`` a`b ``"
    assert as_code("a|b") == "`a¦b`"
