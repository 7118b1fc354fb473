"""A run: resumable after any number of kills, the same bytes from the same seed, one writer at a time."""

import json
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from commands import sab, start_sab
from supportagentbench.concurrency.circuit_breaker import CircuitBreaker
from supportagentbench.records.agent_error import AgentError
from supportagentbench.records.transcript import Ending
from supportagentbench.runner.run import count_ending, count_error
from supportagentbench.storage.archive import read_header
from supportagentbench.storage.transcripts import read_transcripts

SLOW_AGENT = """
import asyncio
from supportagentbench.calibration.oracle import Oracle
from supportagentbench.world.folder import read_world

WORLD = read_world("northline")

class Slow(Oracle):
    def __init__(self, seed):
        super().__init__(WORLD, seed)

    async def reply(self, turns, desk):
        await asyncio.sleep(0.01)
        return await super().reply(turns, desk)

class Stuck(Slow):
    async def reply(self, turns, desk):
        await asyncio.sleep(60)
"""


def start(*words: str, cwd: Path) -> subprocess.Popen[str]:
    return start_sab(*words, "--display", "none", cwd=cwd)


def finish(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return out + err


def bodies(folder: Path) -> dict[str, str]:
    """The digest and text of every conversation, clock readings left out."""
    lines = (folder / "transcripts.jsonl").read_text().splitlines()
    found = [json.loads(line) for line in lines]
    return {line["transcript"]["case"]: json.dumps([line["digest"], line["transcript"]]) for line in found}


@pytest.fixture
def slow(tmp_path: Path) -> Path:
    (tmp_path / "slowly.py").write_text(SLOW_AGENT)
    return tmp_path


def test_killed_five_times_nothing_is_lost_or_held_twice(slow: Path) -> None:
    words = ("run", "slowly:Slow", "--out", "runs", "--concurrency", "2")
    folder = slow / "runs" / "slowly_Slow-1"
    path = folder / "transcripts.jsonl"
    kept: list[str] = []
    for _ in range(5):
        process = start(*words, cwd=slow)
        known = path.stat().st_size if path.exists() else 0
        deadline = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < deadline:
            if path.exists() and path.stat().st_size > known:
                break
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        finished = [filed.transcript.case for filed in read_transcripts(folder)]
        assert finished[: len(kept)] == kept
        kept = finished
    finish(start(*words, cwd=slow))
    finished = [filed.transcript.case for filed in read_transcripts(folder)]
    assert finished[: len(kept)] == kept
    assert sorted(finished) == sorted(read_header(folder).cases)


def test_the_same_seed_gives_the_same_bytes_in_another_process(tmp_path: Path) -> None:
    words = ("run", "random-tool", "oracle", "--out")
    finish(start(*words, "one", "--seed", "5", cwd=tmp_path))
    assert sab(*words, "two", "--seed", "5", cwd=tmp_path).returncode == 0
    for run in ("random-tool-1", "oracle-1"):
        assert bodies(tmp_path / "one" / run) == bodies(tmp_path / "two" / run)
    assert sab("run", "random-tool", "--out", "three", "--seed", "6", cwd=tmp_path).returncode == 0
    assert bodies(tmp_path / "one/random-tool-1") != bodies(tmp_path / "three/random-tool-1")


def test_two_processes_on_one_run_are_refused(slow: Path) -> None:
    words = ("run", "slowly:Stuck", "--out", "runs")
    path = slow / "runs" / "slowly_Stuck-1" / "transcripts.jsonl"
    with start(*words, cwd=slow) as first:
        deadline = time.monotonic() + 60
        while not path.exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        second = start(*words, cwd=slow)
        _, err = second.communicate(timeout=60)
        first.kill()
        first.communicate()
    assert second.returncode == 2
    assert re.search(r"is being written by another process", err)


def test_a_finished_run_is_left_alone(tmp_path: Path) -> None:
    words = ("run", "silent", "--set", "cancel_before_ship", "--out", "runs")
    assert sab(*words, cwd=tmp_path).returncode == 0
    path = tmp_path / "runs/silent-1/transcripts.jsonl"
    before = path.read_bytes()
    assert sab(*words, cwd=tmp_path).returncode == 0
    assert path.read_bytes() == before


CUSTOMER_BROKE = Ending("broke", "customer_error", "time_out: too slow", "time_out")


def test_failures_count_in_a_row_only() -> None:
    """A conversation that ends in any other way starts the count again."""
    few = [CUSTOMER_BROKE] * (CircuitBreaker.THRESHOLD - 1)

    def after(*endings: Ending) -> CircuitBreaker:
        breaker = CircuitBreaker()
        for ending in endings:
            count_ending(ending, breaker)
        return breaker

    assert not after(*few, Ending("handed_over"), *few).is_open
    assert after(*few, CUSTOMER_BROKE).is_open
    assert after(*few).kind == "the customer's model: time_out"


def test_a_customers_model_without_budget_stops_at_once_whatever_its_words() -> None:
    breaker = CircuitBreaker()
    count_ending(Ending("broke", "customer_error", "no colon here", "budget"), breaker)
    assert breaker.is_open and breaker.kind.endswith("budget")


BROKE = Ending("broke", "provider_error", "overloaded")


@pytest.mark.parametrize("between", [Ending("customer_left"), Ending("broke", "agent_error", "its own")])
def test_only_failures_in_a_row_pause_an_agent(between: Ending) -> None:
    breaker, rows = CircuitBreaker(), CircuitBreaker.THRESHOLD - 1
    for _ in range(3):
        for _ in range(rows):
            count_ending(BROKE, breaker)
        count_ending(between, breaker)
    assert not breaker.is_open, "what went well in between starts the count again"
    for _ in range(rows + 1):
        assert not breaker.is_open
        count_ending(BROKE, breaker)
    assert breaker.is_open


def test_errors_of_an_agents_code_count_in_a_row_too() -> None:
    breaker, error = CircuitBreaker(), AgentError("a-1", 1, "agent_error", "KeyError", "no", "")
    for _ in range(breaker.THRESHOLD - 1):
        count_error(Ending("broke", "agent_error", "no"), error, breaker)
    count_error(BROKE, None, breaker)  # What a provider broke off says nothing about the code.
    count_error(Ending("broke", "agent_error", "no"), error, breaker)
    assert breaker.is_open
    breaker = CircuitBreaker()
    for _ in range(breaker.THRESHOLD):
        count_error(Ending("broke", "agent_error", "no"), error, breaker)
        count_error(Ending("customer_left"), None, breaker)
    assert not breaker.is_open
