"""Verdicts: which agent to use, and why not the others, as the pages say it."""

from collections.abc import Iterator

from rich.text import Text

from supportagentbench.board.recommendation import BoardRecommendation, Decision
from supportagentbench.board.recommendation_words import (
    DECISIONS,
    beside,
    change,
    limits_words,
    which_of_two,
    which_one,
    why,
)
from supportagentbench.terminal.escape import on_one_line

STYLES: dict[Decision, str] = {
    "use": "bold green",
    "not yet": "bold yellow",
    "no": "bold red",
    "cannot tell": "bold",
}


def verdicts_view(found: BoardRecommendation) -> Text:
    """Which one, and every contender with its verdict."""
    return Text("\n").join(_lines(found))


def _lines(found: BoardRecommendation) -> Iterator[Text]:
    said = which_one(found)
    yield Text(on_one_line(f"{said.title}."), style="bold")
    yield from (Text(on_one_line(words)) for words in said.lead)
    for one in found.shown:
        yield Text.assemble(
            (f"{DECISIONS[one.decision]}: ", STYLES[one.decision]),
            on_one_line(" ".join(filter(None, (why(one), beside(one), change(one))))),
        )
    if found.contenders:
        yield Text(on_one_line(limits_words(found)), style="dim")


def pair_view(found: BoardRecommendation, first: str, second: str) -> Text:
    """Which of two agents to use."""
    return Text(on_one_line(which_of_two(found, first, second)), style="bold")
