"""Do intervals hold, and are equals left equal? Simulated on the designs that are really used.

The small versions always run. The slow ones go over the whole grid and print it: pytest -m slow -s.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from supportagentbench.stats.comparison import Pairwise, dominance, paired, pairwise, ranks
from supportagentbench.stats.rates import clustered_wilson, holm, repeated_wilson, wilson

Floats = NDArray[np.float64]

MEANS = (0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.98)


class Design(NamedTuple):
    """Items in clusters, and how unlike clusters and items are (as intraclass correlations)."""

    clusters: int
    size: int
    between: float
    within: float

    @property
    def names(self) -> list[str]:
        return [str(index // self.size) for index in range(self.clusters * self.size)]

    def rates(self, random: np.random.Generator, mean: float) -> Floats:
        clusters = _beta(random, np.full(self.clusters, mean), self.between)
        return _beta(random, np.repeat(clusters, self.size), self.within)


def _beta(random: np.random.Generator, means: Floats, likeness: float) -> Floats:
    if not likeness:
        return means
    strength = (1 - likeness) / likeness
    return random.beta(np.maximum(means * strength, 1e-6), np.maximum((1 - means) * strength, 1e-6))


WIDE = [Design(20, 6, between, 0.2) for between in (0.05, 0.26, 0.45)]
SINGLE = [Design(18, 1, between, 0.0) for between in (0.26, 0.4545, 0.8)]
FEW = [Design(4, 6, between, 0.2) for between in (0.05, 0.26, 0.45)]


def like_these(design: Design, runs: int, mean: float, times: int, seed: int = 1) -> float:
    """How often the interval for more items of the kind covers their mean."""
    random, covered = np.random.default_rng(seed), 0
    for _ in range(times):
        hits = random.binomial(runs, design.rates(random, mean))
        low, high = clustered_wilson((hits / runs).tolist(), design.names)
        covered += low <= mean <= high
    return covered / times


def run_again(design: Design, runs: int, mean: float, times: int, seed: int = 1) -> float:
    """How often the interval for these items covers their own mean; new items every twenty times."""
    random, covered = np.random.default_rng(seed), 0
    for time in range(times):
        if time % 20 == 0:
            rates = design.rates(random, mean)
        low, high = repeated_wilson(random.binomial(runs, rates), np.full(len(rates), runs))
        covered += low <= rates.mean() <= high
    return covered / times


def test_items_like_these_in_short() -> None:
    for design in (WIDE[1], SINGLE[1]):
        found = [like_these(design, runs, mean, 400) for runs in (1, 3) for mean in (0.05, 0.2, 0.5)]
        assert 0.93 <= np.mean(found) <= 0.98
        assert min(found) >= 0.91


def test_these_items_run_again_in_short() -> None:
    for design in (WIDE[1], SINGLE[1]):
        found = [run_again(design, runs, mean, 400) for runs in (3, 10) for mean in (0.05, 0.2, 0.5)]
        assert 0.93 <= np.mean(found) <= 0.98
        assert min(found) >= 0.91


def test_pooling_replays_as_if_independent_would_not_do() -> None:
    """The reason for all this: ten replays of 18 items taken for 180 trials cover two times in three."""
    random, covered = np.random.default_rng(2), 0
    for _ in range(400):
        hits = random.binomial(10, SINGLE[1].rates(random, 0.21)).sum()
        low, high = wilson(hits / 180, 180)
        covered += low <= 0.21 <= high
    assert covered / 400 < 0.75


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "designs", "ceiling"), [("20 x 6", WIDE, 0.985), ("18 x 1", SINGLE, 0.985), ("4 x 6", FEW, 1.0)]
)
def test_items_like_these_over_the_grid(name: str, designs: list[Design], ceiling: float) -> None:
    """Means lie from 95 to 98, single cells from 92.5 to 99.6: low where rare hits sit in few clusters,
    high where items hardly differ. Four clusters cover 98 to 100: Student's t with three degrees is wide.
    """
    for design in designs:
        for runs in (1, 3, 10):
            found = [like_these(design, runs, mean, 2_000) for mean in MEANS]
            print(_line("like these", name, design, runs, found))
            assert 0.94 <= np.mean(found) <= ceiling
            assert min(found) >= 0.92


@pytest.mark.slow
def test_rare_hits_that_fill_whole_clusters_are_covered_less_than_said() -> None:
    """A known limit. The method was chosen on the grid above, and this shape was kept out of that choice:
    a cluster hits nine times in ten or one in a hundred. Where such clusters are rare, 95% means 80 to 90.
    """
    for sizes in ([6] * 20, [6] * 24 + [1] * 18):
        names = [str(number) for number, size in enumerate(sizes) for _ in range(size)]
        random, found = np.random.default_rng(7), []
        for mean in (0.05, 0.1, 0.2, 0.35, 0.5):
            covered = 0
            for _ in range(1_500):
                bad = random.random(len(sizes)) < (mean - 0.01) / 0.89
                hits = random.binomial(3, np.repeat(np.where(bad, 0.9, 0.01), sizes))
                low, high = clustered_wilson((hits / 3).tolist(), names)
                covered += low <= mean <= high
            found.append(covered / 1_500)
        print(
            f"like these, all or nothing, {len(sizes)} clusters:", *(f"{100 * share:.1f}" for share in found)
        )
        assert min(found) >= 0.78
        assert min(found[2:]) >= 0.92


@pytest.mark.slow
@pytest.mark.parametrize(("name", "designs"), [("20 x 6", WIDE), ("18 x 1", SINGLE), ("4 x 6", FEW)])
def test_these_items_run_again_over_the_grid(name: str, designs: list[Design]) -> None:
    """One run covers too much, since noise cannot be told from what items are; more runs cover 95 to 98."""
    for design in designs:
        for runs in (1, 3, 10):
            found = [run_again(design, runs, mean, 4_000) for mean in MEANS]
            print(_line("run again", name, design, runs, found))
            assert 0.94 <= np.mean(found) <= (0.98 if runs > 1 else 1.0)
            assert min(found) >= 0.92


def _line(what: str, name: str, design: Design, runs: int, found: list[float]) -> str:
    cells = " ".join(f"{100 * share:.1f}" for share in found)
    return f"{what} {name} icc {design.between:.2f} runs {runs:2} mean {100 * np.mean(found):.1f} | {cells}"


# Equals stay equal


def boards(design: Design, entries: int, times: int, seed: int = 3) -> Iterator[Floats]:
    """Boards of identical entries: the same items, three runs each."""
    random = np.random.default_rng(seed)
    for _ in range(times):
        rates = design.rates(random, 0.21)
        yield np.asarray(random.binomial(3, rates, (entries, len(rates))) / 3)


def claims(found: Pairwise) -> tuple[bool, bool]:
    """Whether anything beats anything, after Holm and after the largest gap of all pairs."""
    upper = np.triu_indices(len(found.p), 1)
    return bool((holm(found.p[upper]) <= 0.05).any()), bool((found.adjusted[upper] <= 0.05).any())


@pytest.mark.parametrize("design", [WIDE[1], SINGLE[1]])
def test_two_equals_are_called_different_one_time_in_twenty_at_most(design: Design) -> None:
    called = [paired(first, second, design.names).p <= 0.05 for first, second in boards(design, 2, 400)]
    assert np.mean(called) <= 0.05


def test_a_dozen_equals_in_short() -> None:
    found = [claims(pairwise(board, WIDE[1].names)) for board in boards(WIDE[1], 12, 60)]
    assert np.mean(found, axis=0).max() <= 0.1


@pytest.mark.slow
@pytest.mark.parametrize("design", [WIDE[1], SINGLE[1]])
def test_twenty_four_equals_yield_a_false_claim_on_six_boards_in_a_hundred_at_most(design: Design) -> None:
    found = [claims(pairwise(board, design.names)) for board in boards(design, 24, 1_000)]
    by_holm, by_gap = np.mean(found, axis=0)
    print(f"24 equals, {design.clusters} x {design.size}: Holm {by_holm:.3f}, largest gap {by_gap:.3f}")
    assert max(by_holm, by_gap) <= 0.06


@pytest.mark.slow
@pytest.mark.parametrize("design", [WIDE[1], SINGLE[1], Design(60, 1, 0.45, 0.0)])
def test_the_true_ranks_lie_in_their_intervals_all_at_once(design: Design) -> None:
    """Eight entries, some of them equal; every one's true places have to be inside."""
    random, covered, widths = np.random.default_rng(4), 0, []
    lift = np.array([0.0, 0.0, 0.0, 0.1, 0.1, 0.3, 0.3, 0.6])[:, None]
    truth = [(6, 8)] * 3 + [(4, 5)] * 2 + [(2, 3)] * 2 + [(1, 1)]
    for _ in range(1_000):
        rates = design.rates(random, 0.21)
        values = random.binomial(3, rates + (1 - rates) * lift) / 3
        found = ranks(pairwise(values, design.names))
        covered += all(
            rank.best <= best and rank.worst >= worst
            for rank, (best, worst) in zip(found, truth, strict=True)
        )
        widths.append(np.mean([rank.worst - rank.best for rank in found]))
    print(
        f"ranks, {design.clusters} x {design.size}: {covered / 1_000:.3f}, mean spread {np.mean(widths):.1f}"
    )
    assert covered / 1_000 >= 0.95


@pytest.mark.slow
def test_equals_do_not_dominate() -> None:
    random, sure = np.random.default_rng(5), []
    for _ in range(500):
        first, second = random.binomial(3, WIDE[1].rates(random, 0.3), (2, 3, 120)) / 3
        sure.append(dominance(first, second, [1, 1, -1], WIDE[1].names))
    print(f"equals dominate: {np.mean(np.array(sure) >= 0.95):.3f}")
    assert np.mean(np.array(sure) >= 0.95) <= 0.01


@pytest.mark.slow
@pytest.mark.parametrize("design", [WIDE[1], SINGLE[1]])
def test_the_paired_interval_covers_the_true_difference(design: Design) -> None:
    """The second hits besides, in half of the clusters, where the first did not."""
    random = np.random.default_rng(6)
    for mean in (0.1, 0.2, 0.5):
        for runs in (1, 3, 10):
            covered = 0
            for _ in range(1_500):
                rates = design.rates(random, mean)
                lift = np.repeat(0.3 * (random.random(design.clusters) < 0.5), design.size)
                first, second = random.binomial(runs, (rates + (1 - rates) * lift, rates)) / runs
                found = paired(first, second, design.names)
                covered += found.low <= 0.15 * (1 - mean) <= found.high
            print(f"paired, {design.clusters} x {design.size} rate {mean} runs {runs}: {covered / 1_500:.3f}")
            assert covered / 1_500 >= 0.92
