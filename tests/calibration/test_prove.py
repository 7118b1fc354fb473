"""The benchmark tests itself: every case proves itself, and a broken one is named."""

import asyncio
from dataclasses import replace
from pathlib import Path
from shutil import copytree, ignore_patterns

import msgspec
import pytest

from supportagentbench.calibration.prove import ScriptPlayer, misfits_in, prove
from supportagentbench.desk.session import DeskSession
from supportagentbench.records.transcript import Turn
from supportagentbench.world.drawn_cases import DrawnCases, generate
from supportagentbench.world.folder import World, read_world
from supportagentbench.world.seed import numbered


def test_every_shipped_case_proves_itself(cases: DrawnCases) -> None:
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


def test_so_do_all_of_them_as_chats(cases: DrawnCases) -> None:
    faults = [(proof.case.id, fault) for proof in prove(cases, "all", "chat") for fault in proof.faults]
    assert faults == []


def test_so_do_all_of_them_at_a_desk_with_a_handbook(cases: DrawnCases) -> None:
    """The oracle works by the policy, so all that it says has to be in the handbook, too."""
    faults = [
        (proof.case.id, fault) for proof in prove(cases, "all", "email", "handbook") for fault in proof.faults
    ]
    assert faults == []


@pytest.mark.parametrize(
    ("text", "acts"),
    [
        ("Oh good! No extra costs, I hope?", False),
        ("Would that cost me anything?", False),
        ("Yes, go ahead, thank you!", True),
        ("It came on Monday and was fine. Could you do it?", True),
    ],
)
def test_a_script_acts_only_when_nobody_hesitates(cases: DrawnCases, text: str, acts: bool) -> None:
    case = cases.cases["cancel_before_ship-1"]
    player, desk = ScriptPlayer(case.solution), DeskSession(cases.desk_for(case)).open_turn()
    asyncio.run(player.reply([Turn("customer", case.opening)], desk))
    said = asyncio.run(player.reply([Turn("customer", text)], desk))
    assert (said == case.solution[1].says) is acts


def test_a_solution_that_does_not_pass_and_a_mistake_that_is_not_caught_are_named(cases: DrawnCases) -> None:
    case = cases.cases["cancel_before_ship-1"]
    swapped = msgspec.structs.replace(case, solution=case.mistake, mistake=case.solution)
    broken = replace(cases, cases={case.id: swapped})
    (proof,) = prove(broken, case.id)
    assert any(fault.startswith("its solution does not pass (unconfirmed") for fault in proof.faults)
    assert "its mistake is not caught" in proof.faults


def test_a_measure_changed_by_hand_names_the_cases_that_no_longer_fit(
    northline: World, cases: DrawnCases, tmp_path: Path
) -> None:
    folder = tmp_path / "shop"
    copytree(northline.folder, folder, ignore=ignore_patterns("__pycache__"))
    policy = folder / "policy.yaml"
    policy.write_text(policy.read_text().replace("fresh_days: 30", "fresh_days: 5"))
    changed = generate(read_world(str(folder)))
    found = {
        str(problem).partition(": ")[2].split()[0]: problem.line for problem in misfits_in(changed, "all")
    }
    fresh = {name for name, case in cases.cases.items() if "D2" in case.label.rules}
    assert set(found) <= fresh and "wear_and_tear-1-twin" in found, "it was in time and is late now"
    assert all(found.values()), "each is named with its line"
    assert not misfits_in(cases, "all")
