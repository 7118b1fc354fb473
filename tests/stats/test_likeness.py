"""Likeness: what simulated trials have in common is found again."""

import numpy as np
import pytest

from supportagentbench.stats.likeness import Likeness, TriedItem, both_hits, likeness
from supportagentbench.stats.power import CaseDesign, simulated_hits

USUAL = Likeness(0.2, 0.1, 0.1, 0.5)


def tried(truth: Likeness, design: CaseDesign, seed: int) -> list[list[TriedItem]]:
    """Two agents of one simulation."""
    agents = simulated_hits(design, (0.2, 0.35), truth, 1, seed)
    of_type = np.repeat(np.arange(len(design.sizes)), design.sizes)
    return [
        [
            TriedItem(str(of_type[case]), str(case), str(draw), float(hits[0, case, draw]), design.runs)
            for case in range(len(of_type))
            for draw in range(design.draws)
        ]
        for hits in agents
    ]


@pytest.mark.parametrize(
    "truth", [Likeness(0.3, 0.1, 0.2, 0.5), Likeness(0, 0, 0.5, 1.0), Likeness(0.5, 0, 0, 0.1)]
)
def test_what_trials_have_in_common_is_found_again(truth: Likeness) -> None:
    found = [likeness(tried(truth, CaseDesign((3,) * 40, 3, 3), seed), USUAL) for seed in range(12)]
    assert np.mean(found, axis=0) == pytest.approx(truth, abs=0.08)


def test_what_one_draw_of_one_case_each_cannot_tell_is_as_usual() -> None:
    truth = Likeness(0.6, 0.0, 0.0, 1.0)
    found = likeness(tried(truth, CaseDesign((1,) * 200, 1, 3), 1), USUAL)
    assert sum(found[:3]) == pytest.approx(0.6, abs=0.15)
    assert found.case_type == pytest.approx(sum(found[:3]) / 2)
    assert likeness([], USUAL) == pytest.approx(USUAL)


def test_pairs_of_hits_follow_the_correlation() -> None:
    assert both_hits(0.3, 0.2, 0.0) == pytest.approx(0.06)
    assert both_hits(0.5, 0.5, 0.5) == pytest.approx(1 / 3)
    assert both_hits(0.2, 0.7, 0.999999) == pytest.approx(0.2)
