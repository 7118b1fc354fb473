"""Quoted words: short, on one line, and no command to a build, a terminal or a page."""

from supportagentbench.terminal.quotation import LONGEST, as_code, quoted


def test_a_build_finds_no_command_in_it() -> None:
    for words in ("::error::x", "a\n::set-output name=a::b", "##[command]x", ":::x"):
        assert "::" not in quoted(words) and "##[" not in quoted(words) and "\n" not in quoted(words)


def test_long_words_are_cut() -> None:
    assert len(quoted("x" * 1000)) == LONGEST and quoted("x" * 1000).endswith("…")


def test_code_cannot_be_left_from_within() -> None:
    assert as_code("a`b") == "`` a`b ``"
    assert as_code("a|b") == "`a¦b`"
