"""Words of a running job: what costs something is not nothing, and what is unknown is not zero."""

import pytest

from supportagentbench.live.view import AgentProgress, CountOf, View
from supportagentbench.live.words import dollars, spent_words
from supportagentbench.terminal.live_table import plain_line


@pytest.mark.parametrize(
    ("amount", "words"),
    [(0, "$0.00"), (1e-9, "<$0.01"), (0.0099, "<$0.01"), (0.01, "$0.01"), (1234.5, "$1,234.50")],
)
def test_an_amount_is_never_rounded_to_nothing(amount: float, words: str) -> None:
    assert dollars(amount) == words


def view(spent: float, cost: float | None) -> View:
    count = CountOf()
    row = AgentProgress("m", 1, 2, 1, 0, "running", count, count, count, cost, 900)
    return View(0.0, "", 1, 2, 0, 1, 0, spent, (row,), ())


@pytest.mark.parametrize(
    ("spent", "cost", "words", "plain"),
    [
        (0.0, 0.0, "$0.00", "spent=0.00 "),
        (0.0, None, "unknown", "spent=unknown "),
        (1.5, None, "at least $1.50", "spent=1.50 "),
        (1.5, 1.5, "$1.50", "spent=1.50 "),
    ],
)
def test_spending_that_is_not_known_is_not_zero(
    spent: float, cost: float | None, words: str, plain: str
) -> None:
    assert spent_words(view(spent, cost)) == words
    assert plain in plain_line(view(spent, cost))
