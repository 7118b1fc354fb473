"""Parts of sentences: counts, shares and bounds."""

from supportagentbench.records.board import Estimate, Interval
from supportagentbench.site.answers.prose.words import bound, listed, of
from supportagentbench.stats.rates import at_least, at_most


def share(k: int, n: int, low: float = 0, high: float = 1) -> Estimate:
    ends = Interval(low, high)
    return Estimate(
        "escalation", k / n, k / n, n, (k / n,), k, ends, ends, at_least=at_least(k, n), at_most=at_most(k, n)
    )


def test_zero_observed_does_not_mean_zero() -> None:
    assert bound(share(0, 54, 0, 0.17)) == (
        "still possible: up to 5% on these tickets, run again, up to 17% on new ones"
    )
    assert bound(share(72, 72, 0.81, 1)) == (
        "still possible: as little as 96% on these tickets, run again, as little as 81% on new ones"
    )
    assert "on new cases" in bound(share(3, 54))


def test_a_count_has_its_noun_and_its_share() -> None:
    assert of(share(262, 360), "solvable tickets") == "262 of 360 solvable tickets (73%)"
    assert listed(["a", "b", "c"]) == "a, b and c"
