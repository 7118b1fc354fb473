"""Correction: unbiased under planted reading errors, with intervals that hold, and refusals."""

import numpy as np
import pytest

from supportagentbench.stats.correction import CorrectionStratum, powered, rogan_gladen

EVERYONE = [(0.95, 0.97, 0.8), (0.75, 0.9, 0.7), (0.5, 0.8, 0.8), (0.98, 0.99, 0.6)]
"""True rate, and how many of the true yeses and noes the reader finds."""


def test_the_worked_example() -> None:
    """Raw 95% of 360, sensitivity 97/100, specificity 40/50: 97.4%, and twice as unsure as it looks."""
    found = rogan_gladen((342, 360), (97, 100), (40, 50))
    assert found is not None
    assert found.rate == pytest.approx(0.974, abs=1e-3)
    assert found.high - found.low > 0.06
    assert found.low <= found.rate <= found.high


@pytest.mark.parametrize(("truth", "sensitivity", "specificity"), EVERYONE)
def test_the_corrected_interval_covers_the_truth(
    truth: float, sensitivity: float, specificity: float
) -> None:
    random = np.random.default_rng(1)
    covered = tried = 0
    for _ in range(1_500):
        read = random.binomial(360, truth * sensitivity + (1 - truth) * (1 - specificity))
        found = rogan_gladen(
            (read, 360), (random.binomial(100, sensitivity), 100), (random.binomial(50, specificity), 50)
        )
        if found is not None:
            tried += 1
            covered += found.low <= truth <= found.high
    assert tried > 1_400
    assert covered / tried >= 0.93


def test_too_few_labels_or_too_blind_a_reader_is_refused() -> None:
    assert rogan_gladen((300, 360), (29, 29), (40, 50)) is None
    assert rogan_gladen((300, 360), (60, 100), (29, 50)) is None
    assert rogan_gladen((300, 360), (60, 100), (31, 50)) is not None
    assert powered([CorrectionStratum([1.0] * 100, [1.0] * 29, [1.0] * 29)]) is None


def strata(random: np.random.Generator, labels: int, skill: float) -> tuple[list[CorrectionStratum], float]:
    """Two strata of 200 and 600 items with other rates; the reader is wrong in more noes than yeses."""
    found = []
    for items, rate in ((200, 0.6), (600, 0.95)):
        truth = (random.random(items) < rate).astype(float)
        right = np.where(truth == 1, skill, skill - 0.2)
        read = np.where(random.random(items) < right, truth, 1 - truth)
        found.append(CorrectionStratum(read[labels:], read[:labels], truth[:labels]))
    return found, (200 * 0.6 + 600 * 0.95) / 800


@pytest.mark.parametrize("skill", [0.98, 0.85, 0.7])
def test_labels_put_any_reader_right(skill: float) -> None:
    random = np.random.default_rng(2)
    estimates, covered = [], 0
    for _ in range(800):
        parts, truth = strata(random, 60, skill)
        found = powered(parts)
        assert found is not None
        estimates.append(found.rate)
        covered += found.low <= truth <= found.high
    assert np.mean(estimates) == pytest.approx(truth, abs=0.005)
    assert covered / 800 >= 0.93


def test_a_good_reader_is_worth_labels_and_a_blind_one_costs_none() -> None:
    def mean_width(skill: float, blind: bool) -> float:
        random, widths = np.random.default_rng(3), []
        for _ in range(200):
            parts, _ = strata(random, 60, skill)
            if blind:
                parts = [part._replace(read=np.ones(5), labelled_read=np.ones(60)) for part in parts]
            found = powered(parts)
            assert found is not None
            widths.append(found.high - found.low)
        return float(np.mean(widths))

    assert mean_width(0.98, blind=False) < 0.75 * mean_width(0.98, blind=True)
    assert mean_width(0.55, blind=False) < 1.05 * mean_width(0.55, blind=True)


def test_a_reader_without_error_among_the_labels_is_not_held_for_faultless() -> None:
    found = powered(
        [CorrectionStratum([1.0] * 90 + [0.0] * 10, [1.0] * 27 + [0.0] * 3, [1.0] * 27 + [0.0] * 3)]
    )
    assert found is not None
    sampling = 2 * 1.96 * np.sqrt(0.9 * 0.1 / 130)
    assert found.high - found.low > sampling


def test_the_rater_has_the_weight_that_makes_the_variance_smallest() -> None:
    """Power-tuned: cov(labels, answers) / var(answers), divided by 1 + labels / unlabelled items."""
    labels = np.array([1.0, 0.0] * 20)
    known = np.array([1.0, 0.0] * 16 + [0.0, 1.0] * 4)
    read = np.array([1.0] * 70 + [0.0] * 10)
    weight = 0.6 / (1 + 40 / 80)
    found = powered([CorrectionStratum(read, known, labels)])
    assert found is not None
    assert found.rate == pytest.approx(weight * read.mean() + (labels - weight * known).mean())
