"""`sab.toml`: what it may set, and what is said about what it may not."""

import time
from pathlib import Path

import pytest

from supportagentbench.desk.doors.limits import MEMORY
from supportagentbench.records.problem import Problem
from supportagentbench.storage.config import MOST_MEMORY, Config, read_config


def test_without_a_file_nothing_is_set(tmp_path: Path) -> None:
    assert read_config(tmp_path / "sab.toml") == Config()


def test_what_it_sets_is_named_as_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "sab.toml"
    path.write_text('[run]\nagents = ["bot.py"]\nturn-timeout = 5\nisolate = false\n[gate]\nrules = []')
    config = read_config(path)
    assert config.run.given() == {"agents": ("bot.py",), "turn_timeout": 5.0, "isolate": False}
    assert config.run.told(config.run.given()) == 'agents=["bot.py"], isolate=false, turn-timeout=5.0'
    assert config.run.told(("isolate", "set")) == "isolate=false"
    assert config.gate == {"rules": []}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (
            "[run]\nrun = 3",
            "Object contains unknown field `run` - at `run`; [run] may have agents, set, runs",
        ),
        ("[ran]\nruns = 3", "Object contains unknown field `ran`; [run] may have"),
        ('[run]\nruns = "many"', "Expected `int | null`, got `str` - at `run.runs`"),
        ("[run]\nruns = 0", "Expected `int` >= 1 - at `run.runs`"),
        ("[run", "is not well-formed TOML: "),
        ('[run]\nkeep-env = ["OPENAI_API_KEY"]', "add --keep-env OPENAI_API_KEY"),
        ("[run]\nsandbox-network = true", "`sandbox-network` has to be typed"),
        ("[run]\nmemory = 0", "has to be typed"),
        ("[run]\nmemory = 64", "add --memory 64"),
    ],
)
def test_what_it_may_not_set_is_named(content: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "sab.toml"
    path.write_text(content)
    with pytest.raises(Problem) as caught:
        read_config(path)
    assert f"{path}: " in str(caught.value) and words in str(caught.value)


def test_a_file_allows_as_much_memory_as_no_file() -> None:
    assert MOST_MEMORY * 2**30 == MEMORY


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("a." * 400_000 + "a = 1", "more than 200 dots"),
        ("\n[run]\nseed = " + "9" * 9_000, "a number has too many digits"),
    ],
)
def test_a_file_that_takes_long_to_read_is_refused_at_once(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "sab.toml"
    path.write_text(content)
    began = time.process_time()
    with pytest.raises(Problem, match=said):
        read_config(path)
    assert time.process_time() - began < 5
