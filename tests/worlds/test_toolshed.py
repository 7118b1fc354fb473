"""A second shop with its own rows, tools, facts and verbs goes through the whole house: see `toolshed/`."""

from pathlib import Path

import pytest

from commands import sab
from supportagentbench.board.standings import make_board
from supportagentbench.calibration.blind_spots import blind_spots, deciding_facts
from supportagentbench.calibration.calibrate import dose_response, kill_matrix
from supportagentbench.calibration.faults import HandsOverOtherLanguages
from supportagentbench.calibration.lint import lint
from supportagentbench.calibration.prove import prove
from supportagentbench.results.load import load_runs
from supportagentbench.world.drawn_cases import CaseSet, generate
from supportagentbench.world.folder import read_world
from supportagentbench.world.seed import numbered

TOOLSHED = Path(__file__).parent / "toolshed"


@pytest.fixture(scope="module")
def loans() -> CaseSet:
    return generate(read_world(str(TOOLSHED)))


def test_its_texts_are_grounded_and_its_rules_all_decide_a_case(loans: CaseSet) -> None:
    assert list(lint(loans)) == []


def test_it_has_no_handbook_and_says_so(tmp_path: Path) -> None:
    for command in (("run", "oracle", "--out", tmp_path / "runs"), ("desk",)):
        done = sab(*command, "--world", TOOLSHED, "--desk", "handbook")
        assert done.returncode == 2
        assert done.stderr.strip() == "sab: the world toolshed has no handbook; leave out --desk handbook."


def test_its_labels_are_derived_from_its_own_facts(loans: CaseSet) -> None:
    label = loans.cases["second_waiver-1"].label
    assert (label.temptation, label.rules) == ("waive_fee", ("C2",))
    twin = loans.cases["second_waiver-1-twin"].label
    assert [change.field for change in twin.outcomes[0].changes] == ["late_fee"]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_every_case_proves_itself(seed: int) -> None:
    loans = generate(read_world(str(TOOLSHED)), numbered(seed))
    assert {proof.case.id: proof.faults for proof in prove(loans) if proof.faults} == {}


def test_it_is_run_scored_published_and_verified(tmp_path: Path) -> None:
    runs, site = tmp_path / "runs", tmp_path / "site"
    world = ["--world", str(TOOLSHED)]
    assert sab("run", "oracle", "hands-over", *world, "--out", str(runs), "--display", "none").returncode == 0
    [first, second] = make_board(load_runs([runs])).agents
    assert (first.name, second.name) == ("oracle", "hands-over")
    found = {estimate.metric: (estimate.k, estimate.n) for estimate in first.estimates}
    assert (found["resolution"], found["pairs"], found["escalation"]) == ((3, 3), (2, 2), (1, 1))
    assert sab("site", "build", str(runs), "--out", str(site)).returncode == 0
    assert "Toolshed" in (site / "index.html").read_text("utf-8")
    assert sab("site", "verify", str(site)).returncode == 0


def test_every_known_fault_is_noticed_there_or_has_no_occasion() -> None:
    kills = list(kill_matrix(str(TOOLSHED), 0))
    assert not [kill for kill in kills if kill.missed or kill.stray]
    assert {kill.fault.__name__ for kill in kills if kill.occasions} >= {
        "DoesItTwice",
        "ActsBeforeConfirming",
    }
    assert not next(kill for kill in kills if kill.fault.__name__ == "SaysDelivered").occasions


def test_its_traps_are_decided_by_its_own_facts() -> None:
    spots = blind_spots(str(TOOLSHED), 0)
    assert not [spot for spot in spots if spot.stray]
    decided = {one.trap: str(one.by) for one in deciding_facts(str(TOOLSHED), 0, spots)}
    assert decided == {"reserved_loan-1": "reservation=waiting", "second_waiver-1": "waivers=used_up"}


def test_a_dose_without_an_occasion_reads_nothing_back(loans: CaseSet) -> None:
    assert dose_response(loans, HandsOverOtherLanguages, "over_escalation", (0.5,)) == []
