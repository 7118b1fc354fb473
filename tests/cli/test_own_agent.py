"""The loop of somebody who builds an agent: run it, break it, change it, and never get an old answer."""

from pathlib import Path

import pytest

from commands import Done, sab
from supportagentbench.storage.archive import read_errors, read_header

GOOD = """
class MyAgent:
    def __init__(self, seed):
        pass

    async def reply(self, turns, desk):
        print("thinking aloud")
        return "Hello."
"""
BAD = GOOD.replace('return "Hello."', 'raise LookupError(f"no order in {len(turns)} turns")')


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "my_shop.py").write_text(GOOD)
    return tmp_path


def run(shop: Path, *words: str) -> Done:
    return sab("run", "my_shop.py:MyAgent", "--set", "tracking", "-j", "1", *words, cwd=shop)


def test_a_changed_agent_is_not_shown_with_its_old_results(shop: Path) -> None:
    assert run(shop).returncode == 0
    assert run(shop).returncode == 0
    (shop / "my_shop.py").write_text(GOOD.replace("Hello", "Hi"))
    again = run(shop)
    assert again.returncode == 2
    assert "another version of my_shop.py:MyAgent: my_shop.py changed." in again.stderr
    fresh = run(shop, "--fresh")
    assert fresh.returncode == 0 and "aside/my_shop.py_MyAgent-1.1: an earlier run" in fresh.stderr
    assert (shop / "runs/aside/my_shop.py_MyAgent-1.1/transcripts.jsonl").exists()
    mixed = sab("board", "runs", "runs/aside", cwd=shop)
    assert mixed.returncode == 2 and "two versions are not counted together" in mixed.stderr


def test_two_versions_side_by_side_by_name(shop: Path) -> None:
    run(shop, "--name", "v1")
    (shop / "my_shop.py").write_text(GOOD.replace("Hello", "Hi"))
    assert run(shop, "--name", "v2").returncode == 0
    assert read_header(shop / "runs/v2-1").version.given == "my_shop.py:MyAgent"
    assert sab("compare", "v1", "v2", "runs", cwd=shop).returncode == 0
    same = sab("compare", "v1", "v1", "runs", cwd=shop)
    assert same.returncode == 2 and "v1 would be compared with itself" in same.stderr


@pytest.mark.parametrize("name", ["oracle", "openai:gpt-5", "a\nb"])
def test_no_agent_takes_the_name_of_another(shop: Path, name: str) -> None:
    done = run(shop, "--name", name)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert not (shop / "runs").exists()


@pytest.mark.parametrize("isolate", [(), ("--isolate",)])
def test_an_agent_that_crashes_is_shown_stopped_counted_and_no_success(
    shop: Path, isolate: tuple[str, ...]
) -> None:
    (shop / "my_shop.py").write_text(BAD)
    done = run(shop, *isolate)
    assert done.returncode == 5
    first = "broke in tracking-1, run 1 (agent_error): LookupError: no order in 1 turns"
    assert done.stderr.count(first) == 1 and 'File "my_shop.py", line 8, in reply' in done.stderr
    assert "5 conversations in a row broke with the same error in its code (LookupError)" in done.stderr
    assert "errors=5" in done.stderr and "neither word nor rank" in " ".join(done.stderr.split())
    errors = read_errors(shop / "runs/my_shop.py_MyAgent-1")
    assert [error.case for error in errors] == [f"tracking-{number}" for number in range(1, 6)]
    assert all('File "my_shop.py", line 8, in reply' in error.traceback for error in errors)


def test_what_an_agent_prints_is_not_our_output(shop: Path) -> None:
    done = run(shop, "--display", "json")
    assert "thinking aloud" in done.stderr
    assert all(line.startswith("{") for line in done.stdout.splitlines()) and done.stdout


def test_an_agent_that_fails_now_and_then_runs_to_the_end_and_is_no_success(shop: Path) -> None:
    now_and_then = GOOD.replace('return "Hello."', 'return "Hello." if len(turns) == 1 else None')
    alternating = now_and_then.replace("pass", "self.seed = seed").replace("len(turns) == 1", "self.seed % 2")
    (shop / "my_shop.py").write_text(alternating)
    done = run(shop)
    stored = read_errors(shop / "runs/my_shop.py_MyAgent-1")
    assert done.returncode == 5 and 0 < len(stored) < 6
    assert "6 conversations" in done.stderr and "missing" not in done.stderr


@pytest.mark.parametrize("line", ["import time; time.sleep(60)", "while True: len(turns)"])
def test_an_agent_that_blocks_for_ever_is_ended_by_its_deadline(shop: Path, line: str) -> None:
    (shop / "my_shop.py").write_text(GOOD.replace('return "Hello."', line))
    done = run(shop, "--turn-timeout", "0.2")
    assert done.returncode == 5 and "5 deadline" in done.stderr
    error = read_errors(shop / "runs/my_shop.py_MyAgent-1")[0]
    assert error.cause == "deadline" and "line 8, in reply" in error.traceback


@pytest.mark.parametrize("line", ["raise SystemExit(0)", "1 / 0", "def (", "raise KeyError"])
def test_a_file_that_cannot_be_loaded_is_one_sentence(shop: Path, line: str) -> None:
    (shop / "my_shop.py").write_text(line)
    done = run(shop)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert "the agent 'my_shop.py:MyAgent' cannot be loaded" in done.stderr
