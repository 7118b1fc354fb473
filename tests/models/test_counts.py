"""Counts as providers report them: read if they have one meaning, unknown if they cannot be right."""

from typing import Any

import pytest

from supportagentbench.models.counts import MOST_DOLLARS, MOST_TOKENS, NoCount, details, read_usage, tokens
from supportagentbench.records.usage import Usage


def counted(sent: dict[str, Any]) -> Usage:
    return Usage("", input=tokens(sent.get("in")), output=tokens(sent.get("out")))


@pytest.mark.parametrize(("sent", "read"), [(12, 12), (12.0, 12), ("12", 12), (0, 0), (MOST_TOKENS,) * 2])
def test_a_number_is_a_number_in_other_clothes_too(sent: object, read: int) -> None:
    assert tokens(sent) == read


@pytest.mark.parametrize(
    "sent",
    [None, -1, 12.5, "nan", "-1", "", "1e3", True, [], {}, float("inf"), float("nan"), MOST_TOKENS + 1],
)
def test_what_cannot_be_right_is_no_count(sent: object) -> None:
    with pytest.raises(NoCount):
        tokens(sent)


def test_a_count_that_may_be_missing_has_a_default() -> None:
    assert tokens(None, missing=0) == 0
    with pytest.raises(NoCount):
        tokens(-1, missing=0)


@pytest.mark.parametrize("sent", [None, "x", 7, []])
def test_details_of_another_shape_are_left_out(sent: object) -> None:
    assert details(sent) == {}


@pytest.mark.parametrize(
    ("cost", "read"),
    [(0.5, 0.5), ("0.5", 0.5), (0, 0.0), (None, None), (-1, None), ("nan", None), (True, None), ([], None)],
)
def test_a_cost_is_a_sum_of_dollars_or_unknown(cost: object, read: float | None) -> None:
    found = read_usage("m", {"in": 1, "out": 1, "cost": cost}, counted)
    assert (found.cost, found.cost_by) == (read, "" if read is None else "provider")
    assert read_usage("m", {"in": 1, "out": 1, "cost": MOST_DOLLARS * 2}, counted).cost is None


def test_unknown_counts_quote_what_was_sent_without_keys() -> None:
    found = read_usage("m", {"in": -5, "note": "sk-test-0123456789"}, counted)
    assert found.unread == '{"in":-5,"note":"[key]"}'
    assert (found.model, found.input, found.cost) == ("m", 0, None)


def test_a_prompt_without_a_single_token_was_not_counted() -> None:
    assert read_usage("m", {"in": 0, "out": 0}, counted).unread
    assert len(read_usage("m", "x" * 9_000, counted).unread) < 200
