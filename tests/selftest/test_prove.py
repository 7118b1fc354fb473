"""The benchmark tests itself: every case proves itself, and a broken one is named."""

from dataclasses import replace

import msgspec
import pytest

from supportagentbench.selftest import prove
from supportagentbench.world.folder import World
from supportagentbench.world.generate import CaseSet, generate
from supportagentbench.world.seed import numbered


def test_every_shipped_case_proves_itself(cases: CaseSet) -> None:
    faults = [(proof.case.id, fault) for proof in prove(cases) for fault in proof.faults]
    assert faults == []


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_so_do_the_cases_of_other_seeds(northline: World, seed: int) -> None:
    faults = [
        (proof.case.id, fault)
        for proof in prove(generate(northline, numbered(seed)))
        for fault in proof.faults
    ]
    assert faults == []


def test_a_solution_that_does_not_pass_and_a_mistake_that_is_not_caught_are_named(cases: CaseSet) -> None:
    case = cases.cases["cancel_before_ship-1"]
    swapped = msgspec.structs.replace(case, solution=case.mistake, mistake=case.solution)
    broken = replace(cases, cases={case.id: swapped})
    (proof,) = prove(broken, case.id)
    assert any(fault.startswith("its solution does not pass (unconfirmed") for fault in proof.faults)
    assert "its mistake is not caught" in proof.faults
