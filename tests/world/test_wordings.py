"""Wordings: what is compiled only when it is needed can be compiled."""

from pathlib import Path
from shutil import copytree

import pytest

from supportagentbench.records.problem import Problem
from supportagentbench.world.folder import find_world, read_world, shipped_worlds
from supportagentbench.world.wordings import refuse_no_pattern


@pytest.mark.parametrize("name", shipped_worlds())
def test_every_shipped_wording_is_a_pattern(name: str) -> None:
    refuse_no_pattern(read_world(name).vocabulary)


def test_a_wording_that_is_no_pattern_is_named_before_any_conversation(tmp_path: Path) -> None:
    shop = Path(copytree(find_world("northline"), tmp_path / "shop"))
    path = shop / "wordings.yaml"
    head = "acts:\n  cancel_order:\n    en: |\n"
    path.write_text(path.read_text().replace(head, f"{head}      [a\n", 1))
    with pytest.raises(Problem, match="regular expression") as caught:
        read_world(str(shop))
    assert caught.value.place == path
