"""Words of others on a terminal: shown as they are, and obeyed by nobody."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supportagentbench.terminal.escape import on_one_line, visible


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
