"""A world that extends another has what it has not from there, and its sets are found by name."""

import shutil
from pathlib import Path

import pytest

from conversations import WORLD
from ladder import LADDER
from supportagentbench.records.problem import Problem
from supportagentbench.world.folder import read_world, sets_of, shipped_worlds, world_with


def test_what_it_has_not_it_has_from_the_world_it_extends() -> None:
    ladder = LADDER.world
    assert ladder.catalogue == WORLD.catalogue
    assert ladder.cast.last_names == WORLD.cast.last_names and ladder.desk.today == WORLD.desk.today
    assert ladder.desk.first_number != WORLD.desk.first_number
    assert ladder.place("ear.npz") == WORLD.folder / "ear.npz"


@pytest.mark.parametrize(
    ("names", "world"),
    [
        ("core", "northline"),
        ("all", "northline"),
        ("ladder", "northline_ladder"),
        ("claims,ladder", "northline_ladder"),
        ("letter_off", "northline_ladder"),
        ("letter_off-1-twin", "northline_ladder"),
        ("damaged_no_proof-1", "northline"),
        ("nothing_of_the_kind", "northline"),
    ],
)
def test_a_set_a_case_type_or_a_case_finds_its_world(names: str, world: str) -> None:
    assert world_with(names, "northline") == world


@pytest.mark.parametrize("names", ["core,ladder", "damaged_no_proof,letter_off"])
def test_two_worlds_are_never_pooled(names: str) -> None:
    with pytest.raises(Problem, match="never pooled"):
        world_with(names, "northline")


def test_a_set_that_the_desk_does_not_name_is_refused_with_its_line(tmp_path: Path) -> None:
    folder = tmp_path / "northline_ladder"
    shutil.copytree(LADDER.world.folder, folder, ignore=shutil.ignore_patterns("cases", "__pycache__"))
    (folder / "cases").mkdir()
    family = LADDER.world.folder / "cases" / "letter_off.yaml"
    text = family.read_text("utf-8").replace("set: ladder", "set: lader")
    (folder / "cases" / "letter_off.yaml").write_text(text, "utf-8")
    with pytest.raises(Problem, match="no set 'lader'") as caught:
        read_world(str(folder))
    assert caught.value.line == 4


def test_every_shipped_world_says_which_sets_its_cases_are_in() -> None:
    found = {world: sets_of(world) for world in shipped_worlds()}
    assert found == {"northline": "all", "northline_ladder": "ladder,claims"}
