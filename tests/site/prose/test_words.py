"""Parts of sentences: counts, shares and bounds."""

from supportagentbench.records.board import Estimate, Interval
from supportagentbench.site.prose.words import bound, listed, of


def share(k: int, n: int) -> Estimate:
    return Estimate("escalation", k / n, k / n, n, (k / n,), k, Interval(0, 1), Interval(0, 1))


def test_zero_observed_does_not_mean_zero() -> None:
    assert bound(share(0, 54)) == "the true rate may still be as high as 5.4%"
    assert bound(share(72, 72)) == "the true rate may still be as low as 95.9%"
    assert "on new cases" in bound(share(3, 54))


def test_a_count_has_its_noun_and_its_share() -> None:
    assert of(share(262, 360), "solvable tickets") == "262 of 360 solvable tickets (73%)"
    assert listed(["a", "b", "c"]) == "a, b and c"
