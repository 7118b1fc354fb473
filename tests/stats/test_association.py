"""Association: what was planted is found, and chance alone is found no more often than the level allows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supportagentbench.stats.association import goes_with, labels_matter, ranks_agree

LABELS = [f"label {at % 4}" for at in range(20)]


def test_labels_that_decide_are_found_and_others_are_not() -> None:
    decided = labels_matter([label == "label 0" for label in LABELS], LABELS)
    assert decided is not None and decided < 0.01
    same = labels_matter([at // 4 % 2 for at in range(20)], LABELS)
    assert same == 1.0
    assert labels_matter([1.0, 2.0], ["one", "one"]) is None
    assert labels_matter([1.0, 1.0], ["one", "other"]) is None


@given(st.permutations(range(6)))
def test_few_orders_are_counted_exactly(order: list[int]) -> None:
    found = ranks_agree(range(6), order)
    assert found is not None and found.least == 2 / 720
    assert found.p * 720 == pytest.approx(round(found.p * 720))
    assert found.p >= found.least
    turned = ranks_agree(range(6), order[::-1])
    assert turned is not None and turned.p == pytest.approx(ranks_agree(range(6)[::-1], order).p)  # type: ignore[union-attr]


def test_the_same_order_agrees_as_closely_as_can_be() -> None:
    few, many = ranks_agree(range(6), range(6)), ranks_agree(range(20), range(20))
    assert few and many
    assert (few.rho, few.p) == (1, 2 / 720)
    assert many.rho == 1 and many.p == many.least
    assert ranks_agree([1, 1, 1], [1, 2, 3]) is None


def test_a_value_that_goes_with_an_outcome_within_strata() -> None:
    strata = [f"stratum {at // 3}" for at in range(30)]
    happened = [at % 3 == 0 for at in range(30)]
    level = [10.0 * (at // 3) for at in range(30)]
    found = goes_with([one + 5 * so for one, so in zip(level, happened, strict=True)], happened, strata)
    assert found is not None
    assert found.gap == pytest.approx(5)
    assert found.strata == 10
    assert found.p < 0.01
    assert goes_with(level, [at < 3 for at in range(30)], strata) is None, "no stratum has both"


def test_chance_alone_is_rarely_found() -> None:
    random = np.random.default_rng(3)
    strata = [f"stratum {at % 10}" for at in range(30)]
    found = []
    for _ in range(100):
        x, y, hits = random.normal(size=20), random.normal(size=20), random.random(30) < 0.4
        ranked, within = ranks_agree(x, y), goes_with(random.normal(size=30), hits.tolist(), strata)
        found += [labels_matter(x, LABELS), ranked and ranked.p, within and within.p]
    assert np.mean([p is not None and p <= 0.05 for p in found]) < 0.09
