"""Wordings: what is compiled only when it is needed can be compiled."""

from pathlib import Path
from shutil import copytree

import pytest

from supportagentbench.records.problem import Problem
from supportagentbench.world.folder import find_world, read_world, shipped_worlds
from supportagentbench.world.wordings import refuse_unsafe_wordings


@pytest.mark.parametrize("name", shipped_worlds())
def test_every_shipped_wording_may_be_used(name: str) -> None:
    refuse_unsafe_wordings(read_world(name).vocabulary)


@pytest.mark.parametrize("wording", ["[a", "(x+x+)+y", "<gap>.*.*.*"])
def test_a_wording_that_may_not_be_used_is_named_at_once(tmp_path: Path, wording: str) -> None:
    shop = Path(copytree(find_world("northline"), tmp_path / "shop"))
    path = shop / "wordings.yaml"
    head = "acts:\n  cancel_order:\n    en: |\n"
    path.write_text(path.read_text().replace(head, f"{head}      {wording}\n", 1))
    with pytest.raises(Problem, match="cannot be used") as caught:
        read_world(str(shop))
    assert caught.value.place == path
    assert caught.value.line
    assert path.read_text().splitlines()[caught.value.line - 1].strip() == wording
