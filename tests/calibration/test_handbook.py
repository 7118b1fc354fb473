"""The handbook is held to the policy: each fault that it could have is found."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest

from supportagentbench.calibration.handbook import handbook
from supportagentbench.world.drawn_cases import DrawnCases
from supportagentbench.world.handbook import read_handbook

Edit = Callable[[Path], None]


def complaints(cases: DrawnCases, tmp_path: Path, edit: Edit) -> list[str]:
    """What is said about the shipped handbook after this edit."""
    copytree(cases.world.folder / "handbook", tmp_path / "handbook")
    edit(tmp_path / "handbook")
    found = read_handbook(tmp_path, cases.world.policy)
    world = cases.world._replace(handbook=found)
    return [f"{place}: {words}" for place, words in handbook(replace(cases, world=world))]


def put(name: str, old: str, new: str) -> Edit:
    def edit(folder: Path) -> None:
        text = (folder / name).read_text()
        assert old in text
        (folder / name).write_text(text.replace(old, new))

    return edit


def only_ten(folder: Path) -> None:
    for path in sorted(folder.glob("[0-9]*.md"))[10:]:
        path.unlink()


def test_the_shipped_one_is_sound(cases: DrawnCases) -> None:
    assert list(handbook(cases)) == []


def test_a_world_without_one_has_nothing_to_check(cases: DrawnCases) -> None:
    assert list(handbook(replace(cases, world=cases.world._replace(handbook=None)))) == []


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (put("24-used.md", "covers: [E2]\n", ""), "rule E2: is stated in no section"),
        (put("18-damage.md", "{fresh_days}", "many"), "rule D2: has {fresh_days}, which no section"),
        (put("18-damage.md", "{fresh_days}", "30"), "handbook/18-damage.md: has '30'; print a measure"),
        (put("17-stores.md", "a handful", "twelve"), "handbook/17-stores.md: has 'twelve'"),
        (put("17-stores.md", "elsewhere: true", "elsewhere: true\ncovers: [E1]"), "can state no rule"),
        (put("24-used.md", "How do you know?", "By E2, how do you know?"), "names rule E2"),
        (put("24-used.md", "# canary: ", "# "), "carries no canary line"),
        (put("24-used.md", "How do you know?", "How? " * 200), "has a passage of"),
        (
            put(
                "24-used.md", "How do you know?", "Used goods that came back to the warehouse are sent back."
            ),
            "has the policy's own words: 'used goods that came back to the warehouse are sent'",
        ),
        (only_ten, "the handbook: has 10 sections; it should have 20 to 35"),
        (only_ten, "words; it should have 6,000 to 10,000"),
    ],
)
def test_each_fault_is_found(cases: DrawnCases, tmp_path: Path, edit: Edit, said: str) -> None:
    assert said in "\n".join(complaints(cases, tmp_path, edit))
