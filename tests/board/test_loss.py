"""A desk's expected loss: plain sums by hand, the laws it keeps, and how often its intervals hold."""

from math import isclose, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supportagentbench.board.loss import (
    FREEDOM,
    IMAGINED,
    DeskSettings,
    Expected,
    Kind,
    Trials,
    difference,
    handovers,
    loss,
    quantiles,
    times,
)
from supportagentbench.stats.rates import student

KINDS = [Kind("where", ("needless", "unresolved")), Kind("threat", ("missed",)), Kind("fraud", ("fraud",))]
PRICES = {"needless": 5.0, "unresolved": 10.0, "missed": 50.0, "fraud": 100.0}
DESK = DeskSettings(1000, {"where": 8, "threat": 1, "fraud": 1}, PRICES)
ONCE = quantiles()

WORK = [
    Trials(0, 2, (1, 0), 1),
    Trials(0, 2, (0, 2), 0),
    Trials(1, 2, (0,), 2),
    Trials(1, 2, (1,), 1),
    Trials(2, 2, (0,), 0),
    Trials(2, 2, (2,), 0),
]
"""Two cases a kind, each tried twice."""
FLAWLESS = [Trials(one.kind, 2, (0,) * len(one.mistakes), 2 * (one.kind == 1)) for one in WORK]


def test_the_loss_is_share_times_rate_times_price() -> None:
    # 800 routine tickets: (1/2 × 5 + 10) / 2 each; 100 threats: half of one in two missed; 100 frauds: half.
    found = loss(KINDS, WORK, DESK, ONCE)
    assert found is not None
    assert found.value == pytest.approx(800 * 6.25 + 100 * 12.5 + 100 * 50)


def test_the_interval_is_student_s_over_cases_with_a_quarter_of_another_one() -> None:
    only = DeskSettings(100, {"fraud": 1}, PRICES)
    apart = 2 * 50**2 + IMAGINED * 100**2
    half = student(1) * sqrt(100**2 * apart / (1 + IMAGINED) / 2)
    assert difference(KINDS, WORK, FLAWLESS, only, ONCE) == Expected(5000, max(-10000, 5000 - half), 10000)
    wide = difference(KINDS, WORK, FLAWLESS, DeskSettings(100, {"where": 1}, PRICES), (0.5,) * FREEDOM)
    assert wide is not None
    apart = 2 * 3.75**2 + IMAGINED * 10**2
    assert wide.high - wide.value == pytest.approx(0.5 * sqrt(100**2 * apart / (1 + IMAGINED) / 2))


def test_its_freedom_is_cases_less_kinds() -> None:
    plain = difference(KINDS, WORK * 5, FLAWLESS * 5, DESK, (1.0,) * FREEDOM)
    found = difference(KINDS, WORK * 5, FLAWLESS * 5, DESK, ONCE)
    assert plain is not None and found is not None
    assert found.high - found.value == pytest.approx(student(30 - 3) * (plain.high - plain.value))


def test_handovers_count_whether_they_were_needed_or_not() -> None:
    found = handovers(KINDS, WORK, DESK, ONCE)
    assert found is not None
    assert found.value == pytest.approx(800 * 0.25 + 100 * 0.75)
    assert found.low >= 0 and found.high <= 1000


def test_mistakes_are_counted_a_month() -> None:
    assert times(KINDS, WORK, DESK, "needless") == pytest.approx(200)
    assert times(KINDS, WORK, DESK, "unresolved") == pytest.approx(400)
    assert times(KINDS, WORK, DESK, "fraud") == pytest.approx(50)


def test_who_never_failed_may_fail_yet() -> None:
    found = loss(KINDS, FLAWLESS, DESK, ONCE)
    assert found is not None
    assert (found.value, found.low) == (0, 0)
    assert found.high > 0
    more = loss(KINDS, FLAWLESS * 10, DESK, ONCE)
    assert more is not None and 0 < more.high < found.high / 3


def test_running_a_case_again_does_not_make_it_two() -> None:
    again = [Trials(one.kind, 6, tuple(3 * hits for hits in one.mistakes), 3) for one in WORK]
    assert loss(KINDS, again, DESK, ONCE) == loss(KINDS, WORK, DESK, ONCE)


def test_a_kind_that_was_never_tried_is_not_guessed() -> None:
    partly = [Trials(one.kind, 0, (0,), 0) if one.kind == 2 else one for one in WORK]
    assert loss(KINDS, partly, DESK, ONCE) is None
    assert difference(KINDS, WORK, partly, DESK, ONCE) is None
    assert loss(KINDS, partly, DESK._replace(mix={"where": 1, "threat": 1, "fraud": 0}), ONCE) is not None


def test_an_empty_mix_has_no_answer() -> None:
    assert loss(KINDS, WORK, DESK._replace(mix={}), ONCE) is None
    assert handovers(KINDS, WORK, DESK._replace(mix={}), ONCE) is None


def test_a_difference_turns_with_its_sides_and_nobody_differs_from_itself() -> None:
    there = difference(KINDS, WORK, FLAWLESS, DESK, ONCE)
    back = difference(KINDS, FLAWLESS, WORK, DESK, ONCE)
    assert there is not None and back is not None
    assert (there.value, there.low, there.high) == (-back.value, -back.high, -back.low)
    self = difference(KINDS, WORK, WORK, DESK, ONCE)
    assert self is not None
    assert self.value == 0
    assert self.low < 0 < self.high


def test_many_comparisons_are_held_to_more() -> None:
    assert all(wide > narrow for wide, narrow in zip(quantiles(23), quantiles(), strict=True))
    assert quantiles()[FREEDOM - 1] == pytest.approx(student(FREEDOM))


numbers = st.floats(0.01, 1000)


@given(numbers, numbers, st.lists(numbers, min_size=3, max_size=3))
def test_it_scales_with_tickets_and_prices_and_only_proportions_of_the_mix_count(
    times_tickets: float, times_prices: float, parts: list[float]
) -> None:
    mix = dict(zip(("where", "threat", "fraud"), parts, strict=True))
    plain = loss(KINDS, WORK, DESK._replace(mix=mix), ONCE)
    scaled = DeskSettings(
        DESK.tickets * times_tickets,
        {kind: part * 7 for kind, part in mix.items()},
        {mistake: price * times_prices for mistake, price in PRICES.items()},
    )
    found = loss(KINDS, WORK, scaled, ONCE)
    assert plain is not None and found is not None
    for one, other in zip(plain, found, strict=True):
        assert isclose(one * times_tickets * times_prices, other, rel_tol=1e-9, abs_tol=1e-6)


@pytest.mark.parametrize("rate", [0.03, 0.1, 0.3])
@pytest.mark.parametrize("parts", [{}, {"goods": 8, "fraud": 6}, {"k0": 40}], ids=["flat", "abuse", "one"])
def test_intervals_hold_on_the_shape_of_our_set(rate: float, parts: dict[str, float]) -> None:
    """Twenty-four kinds of six cases, then 10, 3, 2 and 3 traps; cases of a kind differ, runs too."""
    draw = np.random.default_rng(1)
    kinds = [Kind(f"k{number}", ("missed",)) for number in range(24)]
    kinds += [Kind(name, (name,)) for name in ("goods", "fraud", "cancellation", "closure")]
    sizes = [6] * 24 + [10, 3, 2, 3]
    prices = dict.fromkeys(("missed", "goods", "fraud", "cancellation", "closure"), 50.0) | {"fraud": 150.0}
    desk = DeskSettings(1000, dict.fromkeys((kind.name for kind in kinds), 1.0) | parts, prices)
    held = told = 0
    for _ in range(60):
        agents, truth = [], []
        for _ in range(2):
            rates = draw.beta(4 * rate, 4 * (1 - rate), len(kinds))
            cases = [(number, rates[number]) for number, size in enumerate(sizes) for _ in range(size)]
            chances = [draw.beta(2 * p + 1e-6, 2 * (1 - p) + 1e-6) for _, p in cases]
            agents.append(
                [
                    Trials(number, 3, (int(draw.binomial(3, p)),), 0)
                    for (number, _), p in zip(cases, chances, strict=True)
                ]
            )
            total = sum(desk.mix.values())
            truth.append(
                sum(
                    1000 * desk.mix[kind.name] / total * p * prices[kind.mistakes[0]]
                    for kind, p in zip(kinds, rates, strict=True)
                )
            )
        found, gap = loss(kinds, agents[0], desk, ONCE), difference(kinds, agents[0], agents[1], desk, ONCE)
        assert found is not None and gap is not None
        held += found.low <= truth[0] <= found.high
        told += gap.low <= truth[0] - truth[1] <= gap.high
    assert held >= 56
    assert told >= 56
