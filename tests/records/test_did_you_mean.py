"""A mistyped name is answered with the one that was meant, or with nothing."""

import pytest

from supportagentbench.records.did_you_mean import did_you_mean

AGENTS = ("oracle", "silent", "hands-over", "refuses", "complies")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("oracel", "oracle"), ("Oracle", "oracle"), ("complie", "complies"), ("hands_over", "hands-over")],
)
def test_a_slip_is_recognised(typed: str, meant: str) -> None:
    assert did_you_mean(typed, AGENTS) == f" Did you mean {meant}?"


@pytest.mark.parametrize("typed", ["", "gpt-5.4", "o", "nobody"])
def test_what_resembles_nothing_gets_no_suggestion(typed: str) -> None:
    assert did_you_mean(typed, AGENTS) == ""
