"""A traceback for the agent's author: from its own code on, short, and without keys."""

from pathlib import Path

import pytest

from supportagentbench.desk.trace import LONGEST_TRACE, described, trace_of


def raised(error: BaseException) -> BaseException:
    try:
        raise error
    except BaseException as caught:
        return caught


def test_it_shows_the_line_and_the_error() -> None:
    text = trace_of(raised(ValueError("no licence")))
    assert "raise error" in text and text.endswith("ValueError: no licence")


def test_keys_are_masked_by_value_and_by_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_DATABASE_PASSWORD", "correct horse")
    error = raised(ValueError("correct horse at sk-proj-0123456789 with Bearer abcdef"))
    for text in (trace_of(error), described(error)):
        assert "horse" not in text and "0123456789" not in text and "abcdef" not in text
        assert "[key]" in text


def test_paths_are_shown_from_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert described(FileNotFoundError(f"{tmp_path}/prices.csv")) == "FileNotFoundError: prices.csv"


def test_a_long_one_is_cut_in_the_middle() -> None:
    text = trace_of(raised(ValueError("x" * 100_000)))
    assert len(text) < LONGEST_TRACE + 20 and "[…cut]" in text and text.startswith("Traceback")


def test_an_error_that_cannot_be_printed_is_named_all_the_same() -> None:
    class Unprintable(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no words")

    assert described(Unprintable()) == "Unprintable"
    assert "Unprintable" in trace_of(raised(Unprintable()))
