"""Known faults: each is caught by the metrics that should catch it and by no other; doses are read back."""

from pathlib import Path

import pytest
import yaml

from conversations import CASES
from supportagentbench.calibration.calibrate import (
    CHECKED,
    DOSED,
    Kill,
    counts,
    dose_response,
    judge_all,
    kill_matrix,
    trivial_pairs,
)
from supportagentbench.calibration.faults import FAULTS, TellsAnybody
from supportagentbench.calibration.faults.single_fault import SingleFault

MOVED = yaml.safe_load(Path(__file__).with_name("moved.yaml").read_text())
PINNED = MOVED["faults"]

SHOWN = [
    case.id
    for case in CASES.cases.values()
    if case.bucket == "adversarial" or case.twin_of or case.id.endswith("-1") or case.id in MOVED["occasions"]
]
"""Traps, twins, one case of each type, and those in which rarer faults have their occasion. `sab prove` runs
all cases; what it found ships with the pages, and a test wants it to be of this world and these faults."""


@pytest.fixture(scope="module")
def kills() -> dict[type[SingleFault], Kill]:
    return {kill.fault: kill for kill in kill_matrix("northline", 0, SHOWN)}


def test_there_are_at_least_thirty_and_each_says_what_is_wrong_with_it() -> None:
    assert len(FAULTS) >= 30
    assert all(fault.__doc__ and fault.moves for fault in FAULTS)
    assert {name for fault in FAULTS for name in fault.moves} <= {metric.name for metric in CHECKED}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_fault_moves_its_own_metrics_and_no_other(
    kills: dict[type[SingleFault], Kill], fault: type[SingleFault]
) -> None:
    kill = kills[fault]
    assert kill.occasions or fault is TellsAnybody, "nobody writes in somebody else's place here"
    assert not kill.missed and not kill.stray
    assert sorted(kill.moved) == PINNED[fault.__name__]


def test_every_metric_is_moved_by_some_fault(kills: dict[type[SingleFault], Kill]) -> None:
    moved = {name for kill in kills.values() for name in kill.moved}
    assert {metric.name for metric in CHECKED} <= moved | TellsAnybody.moves


@pytest.mark.parametrize(("fault", "metric"), DOSED, ids=lambda one: getattr(one, "__name__", one))
def test_a_dose_is_read_back(fault: type[SingleFault], metric: str) -> None:
    doses = dose_response(CASES, fault, metric, (0.0, 0.3, 1.0))
    assert [dose.seen for dose in doses] == sorted(dose.seen for dose in doses)
    assert all(dose.recovered for dose in doses), doses


def test_trivial_agents_win_next_to_no_pair() -> None:
    pairs = trivial_pairs(CASES)
    assert max(pairs.values()) < 0.25
    assert pairs["silent"] == pairs["hands-over"] == pairs["refuses"] == 0


def test_the_same_agent_counts_the_same_twice() -> None:
    assert counts(judge_all(CASES, FAULTS[0])) == counts(judge_all(CASES, FAULTS[0]))
