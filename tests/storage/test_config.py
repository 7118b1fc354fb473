"""`sab.toml`: what it may set, and what is said about what it may not."""

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
        ('[run]\nkeep-env = ["OPENAI_API_KEY"]', "unknown field `keep-env`"),
        (
            '[run]\nkeep-env = ["OPENAI_API_KEY"]',
            "--keep-env, --sandbox-network and --memory of more than 2 have",
        ),
        ("[run]\nsandbox-network = true", "unknown field `sandbox-network`"),
        ("[run]\nmemory = 0", "Expected `float` > 0.0 - at `run.memory`"),
        ("[run]\nmemory = 64", "Expected `float` <= 2.0 - at `run.memory`"),
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
