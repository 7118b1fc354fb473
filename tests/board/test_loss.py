"""A desk's expected loss: plain sums by hand, the laws it keeps, and how often its intervals hold."""

from itertools import product
from math import isclose, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulated_desk import ORDERS, SimulatedDesk
from supportagentbench.board.loss import (
    FREEDOM,
    IMAGINED,
    DeskSettings,
    Expected,
    Kind,
    Trials,
    bad_month,
    chance,
    endangered,
    gap,
    handovers,
    loss,
    quantiles,
    saving,
    times,
)
from supportagentbench.stats.rates import student

KINDS = [Kind("where", ("needless", "unresolved")), Kind("threat", ("missed",)), Kind("fraud", ("fraud",))]
PRICES = {"needless": 5.0, "unresolved": 10.0, "missed": 50.0, "fraud": 100.0}
DESK = DeskSettings(1000, {"where": 8, "threat": 1, "fraud": 1}, PRICES, person=4.0)
ONCE = quantiles()

WORK = [
    Trials(0, (("needless",), ()), 1),
    Trials(0, (("unresolved",), ("unresolved",)), 0),
    Trials(1, ((), ()), 2),
    Trials(1, ((), ("missed",)), 1, endangered=1),
    Trials(2, ((), ()), 0),
    Trials(2, (("fraud",), ("fraud",)), 0),
]
"""Two cases a kind, each tried twice."""
FLAWLESS = [Trials(one.kind, ((), ()), 2 * (one.kind == 1)) for one in WORK]


def test_the_loss_is_share_times_rate_times_price() -> None:
    # 800 routine tickets: (1/2 × 5 + 10) / 2 each; 100 threats: half of one in two missed; 100 frauds: half.
    found = loss(KINDS, WORK, DESK, ONCE)
    assert found is not None
    assert found.value == pytest.approx(800 * 6.25 + 100 * 12.5 + 100 * 50)


def test_the_interval_is_student_s_over_cases_with_half_of_another_one() -> None:
    only = DeskSettings(10, {"where": 1}, PRICES)
    # 2.5 and 10 dollars; half a case of 10 dollars that weighs 10 / 2 tickets.
    half = 0.5 * sqrt(10**2 * (2 * 3.75**2) / 1 / 2 + IMAGINED * 50**2)
    found = loss(KINDS, WORK, only, (0.5,) * FREEDOM)
    assert found is not None
    assert tuple(found) == pytest.approx((62.5, 62.5 - half, 62.5 + half))


def test_its_freedom_is_cases_less_kinds() -> None:
    plain = loss(KINDS, WORK * 5, DESK, (1.0,) * FREEDOM)
    found = loss(KINDS, WORK * 5, DESK, ONCE)
    assert plain is not None and found is not None
    assert found.high - found.value == pytest.approx(student(30 - 3) * (plain.high - plain.value))


def test_of_a_kind_with_a_single_case_anything_is_possible() -> None:
    found = loss(KINDS, [Trials(1, ((), (), ()), 3)], DeskSettings(100, {"threat": 1}, PRICES), ONCE)
    assert found == Expected(0, 0, 5000)


def test_a_bad_month_has_the_doubt_about_the_rates_and_the_luck_of_the_month() -> None:
    only = DeskSettings(10, {"where": 1}, PRICES)
    doubt = 10**2 * (2 * 3.75**2) / 1 / 2 + IMAGINED * 50**2
    luck = 10 * (0.5 * 5**2 + 10**2) / 2
    found = bad_month(KINDS, WORK, only, (2.0,) * FREEDOM)
    assert found == pytest.approx(62.5 + 2 * sqrt(doubt + luck))


def test_what_is_saved_pays_mistakes_and_the_people_who_take_what_is_rightly_handed_over() -> None:
    lost, found = loss(KINDS, WORK, DESK, ONCE), saving(KINDS, WORK, DESK, ONCE)
    assert lost is not None and found is not None
    # 75 of 100 threats are handed over; the handovers of routine tickets are needless and have their price.
    assert found.value == pytest.approx(1000 * 4 - lost.value - 75 * 4)
    assert found.low < found.value < found.high


def test_handovers_count_whether_they_were_needed_or_not() -> None:
    found = handovers(KINDS, WORK, DESK, ONCE)
    assert found is not None
    assert found.value == pytest.approx(800 * 0.25 + 100 * 0.75)
    assert found.low >= 0 and found.high <= 1000


def test_mistakes_are_counted_a_month() -> None:
    assert times(KINDS, WORK, DESK, "needless") == pytest.approx(200)
    assert times(KINDS, WORK, DESK, "unresolved") == pytest.approx(400)
    assert times(KINDS, WORK, DESK, "fraud") == pytest.approx(50)


def test_of_several_mistakes_in_a_conversation_the_dearest_counts() -> None:
    only, trials = DeskSettings(10, {"where": 1}, PRICES), [Trials(0, (("needless", "fraud"), ()), 1)] * 2
    found = loss(KINDS, trials, only, ONCE)
    assert found is not None and found.value == pytest.approx(10 * 0.5 * 100)
    assert times(KINDS, trials, only, "fraud") == 5
    assert times(KINDS, trials, only, "needless") == 0
    cheap = only._replace(prices=PRICES | {"fraud": 1.0})
    found = loss(KINDS, trials, cheap, ONCE)
    assert found is not None and found.value == pytest.approx(10 * 0.5 * 5)
    assert (times(KINDS, trials, cheap, "fraud"), times(KINDS, trials, cheap, "needless")) == (0, 5)


def test_a_harm_that_is_not_the_kind_s_own_does_not_end_its_range() -> None:
    """Routine tickets send goods for 100 dollars; the range is not cut at the 10 of an unresolved one."""
    only = DeskSettings(10, {"where": 1}, PRICES)
    found = loss(KINDS, [Trials(0, (("fraud",),), 0)] * 5, only, ONCE)
    assert found is not None and found.value == found.high == 1000
    mixed = [Trials(0, (("fraud",),), 0), *[Trials(0, ((),), 0)] * 5]
    found = loss(KINDS, mixed, only, ONCE)
    assert found is not None and 100 < found.value < found.high <= 1000


def test_people_in_danger_have_no_price_and_are_counted_apart() -> None:
    silent = [one._replace(endangered=0) for one in WORK]
    assert loss(KINDS, WORK, DESK, ONCE) == loss(KINDS, silent, DESK, ONCE)
    assert endangered(KINDS, WORK, DESK) == pytest.approx(100 * 0.25)
    assert endangered(KINDS, silent, DESK) == 0
    free = [Kind("threat", ())]
    found = loss(free, [Trials(0, ((),), 0, 1)] * 3, DeskSettings(100, {"threat": 1}, PRICES), ONCE)
    assert found == Expected(0, 0, 0)


def test_who_never_failed_may_fail_yet() -> None:
    found = loss(KINDS, FLAWLESS, DESK, ONCE)
    assert found is not None
    assert (found.value, found.low) == (0, 0)
    assert found.high > 0
    more = loss(KINDS, FLAWLESS * 10, DESK, ONCE)
    assert more is not None and 0 < more.high < found.high / 3


def test_running_a_case_again_does_not_make_it_two() -> None:
    again = [one._replace(made=one.made * 3, handed_over=one.handed_over * 3) for one in WORK]
    assert loss(KINDS, again, DESK, ONCE) == loss(KINDS, WORK, DESK, ONCE)


def test_a_kind_that_was_never_tried_is_not_guessed() -> None:
    partly = [Trials(2, (), 0) if one.kind == 2 else one for one in WORK]
    assert loss(KINDS, partly, DESK, ONCE) is None
    assert gap(KINDS, WORK, partly, DESK) is None
    assert loss(KINDS, partly, DESK._replace(mix={"where": 1, "threat": 1, "fraud": 0}), ONCE) is not None


def test_an_empty_mix_has_no_answer() -> None:
    assert loss(KINDS, WORK, DESK._replace(mix={}), ONCE) is None
    assert handovers(KINDS, WORK, DESK._replace(mix={}), ONCE) is None


def test_a_difference_turns_with_its_sides_and_nobody_differs_from_itself() -> None:
    there, back = gap(KINDS, WORK, FLAWLESS, DESK), gap(KINDS, FLAWLESS, WORK, DESK)
    lost = loss(KINDS, WORK, DESK, ONCE)
    assert there is not None and back is not None and lost is not None
    assert there.value == pytest.approx(lost.value) == -back.value
    assert there.p == back.p
    assert gap(KINDS, WORK, WORK, DESK) == (0, 1)


def test_what_every_ticket_costs_more_is_certain() -> None:
    found = gap(KINDS, FLAWLESS * 5, FLAWLESS * 5, DESK, extra=0.25)
    assert found is not None
    assert found.value == pytest.approx(1000 * 0.25)
    assert found.p == 2 / 2**30


def test_signs_are_flipped_in_every_possible_way() -> None:
    parts = [3.0, -1.0, 2.5, 0.5, 4.0, 1.0, 0.0]
    patterns = [abs(np.dot(signs, parts)) >= abs(sum(parts)) for signs in product((1, -1), repeat=7)]
    assert chance(parts) == pytest.approx(np.mean(patterns))
    assert chance([1.0] * 5) == 2 / 32
    assert chance([0.0, 0.0]) == 1


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


names = st.sampled_from(["needless", "unresolved", "missed", "fraud"])
conversations = st.lists(st.lists(names, max_size=3), min_size=1, max_size=3)


@given(
    st.lists(conversations, min_size=3, max_size=3),
    st.lists(st.floats(0, 1000), min_size=4, max_size=4),
    names,
    st.floats(0, 1000),
)
def test_a_dearer_price_never_lowers_a_cost(
    work: list[list[list[str]]], prices: list[float], dearer: str, by: float
) -> None:
    trials = [Trials(kind, tuple(map(tuple, made)), 0) for kind, made in enumerate(work)]
    before = dict(zip(PRICES, prices, strict=True))
    cheap, dear = (
        loss(KINDS, trials, DESK._replace(prices=some), ONCE)
        for some in (before, before | {dearer: before[dearer] + by})
    )
    assert cheap is not None and dear is not None
    assert dear.value >= cheap.value - 1e-9
    spent = sum(
        (times(KINDS, trials, DESK._replace(prices=before), name) or 0.0) * before[name] for name in before
    )
    assert isclose(spent, cheap.value, rel_tol=1e-9, abs_tol=1e-6), "counts times prices are the cost"


@pytest.mark.parametrize("parts", [{}, {"goods": 8.0, "fraud": 6.0}, ORDERS], ids=["usual", "abuse", "few"])
@pytest.mark.parametrize("rate", [0.03, 0.1, 0.3])
def test_intervals_hold_on_the_shape_of_our_set(rate: float, parts: dict[str, float]) -> None:
    draw, ours, held = np.random.default_rng(1), SimulatedDesk(parts), 0
    for _ in range(40):
        rates = [tuple(draw.beta(4 * rate, 4 * (1 - rate), len(kind.mistakes))) for kind in ours.kinds]
        found = loss(ours.kinds, ours.agent(draw, rates), ours.desk, ONCE)
        assert found is not None
        held += found.low <= ours.loss_of(rates) <= found.high
    assert held >= 37


@pytest.mark.parametrize("parts", [{}, ORDERS], ids=["usual", "few"])
def test_the_pair_test_holds_its_level(parts: dict[str, float]) -> None:
    """Two agents of one nature, and two that lose the same by different mistakes: at 5%, about 4 of 80."""
    draw, ours, found = np.random.default_rng(2), SimulatedDesk(parts), []
    alike = ours.rates(0.05, 0.05, 0.1, 0.1)
    for first, second in ((alike, alike), (ours.rates(0.2, 0, 0, 0), ours.rates(0, 0.1, 0, 0))):
        assert ours.loss_of(first) == pytest.approx(ours.loss_of(second))
        for _ in range(40):
            one = gap(ours.kinds, ours.agent(draw, first), ours.agent(draw, second), ours.desk)
            assert one is not None
            found.append(one.p <= 0.05)
    assert sum(found) <= 9


@pytest.mark.parametrize(
    "other",
    [(0.05, 0.12, 0.05, 0.05), (0, 0.1, 0.05, 0.05), (0, 0, 0.5, 0.02), (0.25, 0, 0.02, 0.02)],
    ids=["both routine mistakes", "unresolved", "missed", "needless"],
)
def test_the_pair_test_separates_agents_who_differ(other: tuple[float, float, float, float]) -> None:
    """At the corrected level of six agents, from an agent with few mistakes."""
    draw, ours, found = np.random.default_rng(3), SimulatedDesk({}), []
    for _ in range(20):
        good = ours.agent(draw, ours.rates(0.01, 0.01, 0.02, 0.02))
        one = gap(ours.kinds, ours.agent(draw, ours.rates(*other)), good, ours.desk)
        assert one is not None
        found.append(one.p * 5 <= 0.05)
    assert sum(found) >= 16
