"""An incident is kept as a case that holds, with a twin if one does."""

from pathlib import Path

import pytest

from conversations import WORLD
from supportagentbench.calibration.prove import prove
from supportagentbench.jobs import incident as job
from supportagentbench.jobs.incident import KeptCase, keep_case
from supportagentbench.jobs.spec import TicketSpec
from supportagentbench.jobs.tickets import incident_of
from supportagentbench.records.problem import Problem
from supportagentbench.world.drawn_cases import generate
from supportagentbench.world.family import family_of, read_family
from supportagentbench.world.folder import with_family
from supportagentbench.world.seed import numbered
from week_in_june import example, example_keys, incident


@pytest.fixture(autouse=True)
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job, "SEEDS", range(3))


def kept(number: str, out: Path, folder: str = "tickets") -> KeptCase:
    return keep_case(incident(number, folder), out)


@pytest.mark.parametrize(
    ("number", "folder", "twin"),
    [
        ("50424", "tickets", "delivery=unsigned"),
        ("50430", "tickets", "age=open"),
        ("chat-90131", "agent", "proof=shown"),
    ],
)
def test_the_file_is_a_case_type_that_can_be_proved_and_so_can_its_twin(
    tmp_path: Path, number: str, folder: str, twin: str
) -> None:
    made = kept(number, tmp_path, folder)
    family = read_family(made.path, WORLD.policy)
    cases = generate(with_family(WORLD, family_of(made.path, family)), numbered(40))
    proofs = {proof.case.id: proof.faults for proof in prove(cases, made.path.stem)}
    assert proofs == {f"{made.path.stem}-1": (), f"{made.path.stem}-1-twin": ()}
    assert made.twin == twin
    opposite = [cases.cases[name].label.handover for name in proofs]
    changes = [any(end.changes for end in cases.cases[name].label.outcomes) for name in proofs]
    assert opposite[0] != opposite[1] or changes == [False, True]


def test_what_has_no_twin_says_why_and_stands_alone(tmp_path: Path) -> None:
    made = kept("50435", tmp_path)
    assert not made.twin and "own words" in made.why_alone
    assert read_family(made.path, WORLD.policy).cases[0].twin is None


def test_other_cases_keep_their_numbers_and_people(tmp_path: Path) -> None:
    made = kept("50435", tmp_path)
    cases = generate(with_family(WORLD, family_of(made.path, made.family)))
    before = generate(WORLD)
    assert cases.cases["tracking-2"] == before.cases["tracking-2"]


def test_it_has_the_canary_of_its_world_and_reads_like_one_of_its_files(tmp_path: Path) -> None:
    text = kept("50424", tmp_path).path.read_text()
    assert text.startswith("# canary: ") and "\nbucket: adversarial\n" in text
    assert "opening: Order {order}." in text and text.index("cases:") > text.index("edition:")


def test_a_case_that_the_policy_decides_otherwise_is_not_written(tmp_path: Path) -> None:
    """Nobody knows how many claims the customer made, and a drawn case has a number of them."""
    known = (example() / "map.yaml").read_text()
    unknown = tmp_path / "map.yaml"
    unknown.write_text(
        known.replace("delivery: signed, age: fresh, claims: few,", "delivery: signed, age: fresh,")
    )
    with example_keys():
        found = incident_of(WORLD, TicketSpec(example() / "tickets", unknown, incident="50424"))
    with pytest.raises(Problem, match="no case was written: the policy decides it by C5"):
        keep_case(found, tmp_path / "out")
    assert not (tmp_path / "out").exists()
