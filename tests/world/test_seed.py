"""Seeds as they are typed: numbers and ranges, each once."""

import pytest

from supportagentbench.records.problem import Problem
from supportagentbench.world.seed import numbered_seeds


@pytest.mark.parametrize(
    ("words", "names"),
    [("0", "0"), ("0,1,5", "0 1 5"), ("0-3", "0 1 2 3"), ("7, 2-3,2", "7 2 3")],
)
def test_lists_and_ranges_name_each_seed_once(words: str, names: str) -> None:
    assert [seed.name for seed in numbered_seeds(words)] == names.split()


@pytest.mark.parametrize("words", ["", "x", "1.5", "-1", "3-1", "0,,1", "0-100", "٣", "9" * 40])
def test_anything_else_is_refused(words: str) -> None:
    with pytest.raises(Problem, match="not numbers or ranges"):
        numbered_seeds(words)


def test_too_many_draws_are_refused() -> None:
    with pytest.raises(Problem, match="at most 100"):
        numbered_seeds("0-99,100-199")
