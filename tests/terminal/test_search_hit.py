"""Hits of a search on a terminal: where, what, and nothing that a terminal would obey."""

from boards import printed, read_aloud
from supportagentbench.results.search import Hit
from supportagentbench.terminal.search_hit import search_hit_line


def hit(line: str, start: int, end: int) -> Hit:
    return Hit("gpt", 2, "tracking-1", 3, "agent", "said", line, start, end)


def test_a_hit_says_where_it_is_and_shows_what_stands_around_it() -> None:
    line = "before " * 20 + "FOUND" + " after" * 20
    text = read_aloud(search_hit_line(hit(line, 140, 145)), 300)
    assert text.startswith("tracking-1 gpt run 2 turn 3 agent: …")
    assert "before FOUND after" in text and text.rstrip().endswith("…")
    assert len(text) < 200


def test_only_the_words_that_were_found_stand_out() -> None:
    assert "\x1b[1;33mFOUND\x1b[0m" in printed(search_hit_line(hit("[red]x[/] FOUND", 10, 15)))


def test_words_are_printed_as_they_are() -> None:
    text = read_aloud(search_hit_line(hit("[red]a[/]\x1b[31m\rb", 0, 5)))
    assert "[red]a[/]\\u001b[31m\\rb" in text
