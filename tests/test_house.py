"""The house rules themselves: what `make check` refuses, and what it lets through."""

import runpy
from pathlib import Path
from typing import Any

import pytest

HOUSE: dict[str, Any] = runpy.run_path(str(Path(__file__).parent.parent / "bench" / "house.py"))


@pytest.mark.parametrize(
    "text",
    [
        "less is good",
        "made anew",
        "agents_on_duty",
        "the two cannot be told apart",
        "the same command goes on where it stopped",
        "a conversation that\n    # is held again",
        "one row a conversation",
    ],
)
def test_an_old_fashioned_phrase_is_found(text: str) -> None:
    assert list(HOUSE["phrases_in"](text))


@pytest.mark.parametrize(
    "text", ["half was held out", "lower is better", "one row per conversation", "a renewal", "rest_one"]
)
def test_plain_english_passes(text: str) -> None:
    assert not list(HOUSE["phrases_in"](text))


def test_two_classes_of_one_name_are_found_with_their_places(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("class Line: ...\nclass Other: ...\n")
    (tmp_path / "two.py").write_text("\n\nclass Line: ...\n")
    found = HOUSE["shared_names"](tmp_path)
    assert found == {"Line": [f"{tmp_path / 'one.py'}:1", f"{tmp_path / 'two.py'}:3"]}
