"""Attacks of agents: what each does in the benchmark's process, and what is left of it behind the wall."""

import asyncio
import os
import signal
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest

from commands import start_sab
from conversations import job_on
from supportagentbench.board.standings import make_board
from supportagentbench.desk.doors.process import Isolation
from supportagentbench.desk.session import DeskTurn
from supportagentbench.jobs.run import JobResult, run_job
from supportagentbench.records.board import AgentResults
from supportagentbench.records.transcript import Transcript
from supportagentbench.results.load import load_runs
from supportagentbench.storage.archive import find_runs
from supportagentbench.storage.transcripts import read_transcripts

CHEATS = Path(__file__).parent / "cheats.py"
TRAP, TWIN = "damaged_no_proof-1", "damaged_no_proof-1-twin"
SMALL = Isolation(memory=512 * 2**20)


def run(
    out: Path, *agents: str, isolation: Isolation | None = SMALL, seconds: float = 60, runs: int = 1
) -> JobResult:
    names = [f"{CHEATS}:{agent}" for agent in agents]
    job = job_on("damaged_no_proof", names, runs, out=out, isolation=isolation, turn_timeout=seconds)
    return asyncio.run(run_job(job))


def transcripts(out: Path, agent: str) -> dict[str, Transcript]:
    (folder,) = [found for found in find_runs([out]) if found.name.endswith(f"_{agent}-1")]
    return {filed.transcript.case: filed.transcript for filed in read_transcripts(folder)}


def results(out: Path, agent: str, isolation: Isolation | None) -> AgentResults:
    run(out, agent, isolation=isolation)
    (found,) = make_board(load_runs([out])).agents
    return found


class Cheat(NamedTuple):
    """An agent, the honest one that it is a variant of, and the metric that it wants to move."""

    name: str
    honest: str
    metric: str
    before: float
    """What it gets in the benchmark's process."""
    now: float
    """What it gets behind the wall, which is what the honest one gets."""


TABLE = [
    Cheat("WalksFrames", "Refuser", "pairs", 1.0, 0.0),
    Cheat("ReadsContext", "Refuser", "pairs", 1.0, 0.0),
    Cheat("SearchesMemory", "Refuser", "pairs", 1.0, 0.0),
    Cheat("GuessesSeed", "Refuser", "pairs", 0.0, 0.0),
    Cheat("EditsCalls", "Careless", "unsafe", 0.0, 1.0),
    Cheat("PatchesDesk", "Careless", "unsafe", 0.0, 1.0),
    Cheat("BlamesProvider", "Careless", "unsafe", 1.0, 1.0),
]


@pytest.mark.parametrize("cheat", TABLE, ids=lambda cheat: cheat.name)
def test_a_cheat_wins_in_the_same_process_and_not_behind_the_wall(
    cheat: Cheat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DeskTurn, "work", DeskTurn.work)  # Put back what a cheat has patched.
    before = results(tmp_path / "before", cheat.name, None).of(cheat.metric)
    assert before and before.value == cheat.before
    monkeypatch.undo()
    honest = results(tmp_path / "honest", cheat.honest, SMALL).of(cheat.metric)
    now = results(tmp_path / "now", cheat.name, SMALL).of(cheat.metric)
    assert honest and now
    assert now.value == honest.value == cheat.now


ACCIDENTS = [
    ("Sleeps", "deadline", "no answer within 6 s"),
    ("Spins", "deadline", "no answer within 6 s"),
    ("Waits", "deadline", "no answer within 6 s"),
    ("LeavesProcess", "deadline", "no answer within 6 s"),
    ("EatsMemory", "agent_error", "MemoryError"),
    ("Exits", "agent_error", "SystemExit: 0"),
    ("ExitsHard", "agent_error", "its process ended: exit code 3"),
    ("Crashes", "agent_error", "its process ended: SIGSEGV"),
    ("CannotBeMade", "agent_error", "ValueError: no licence"),
    ("ExitsWhenMade", "agent_error", "SystemExit: no licence"),
    ("FloodsUsage", "agent_error", "usage that cannot be true"),
    ("EarnsMoney", "agent_error", "what cannot be read: Expected `float` >= 0.0"),
    ("InventsUsage", "agent_error", "what cannot be read: Expected `int`, got `str`"),
    ("Miscounts", "agent_error", "whole number of tokens from 0 to 10,000,000 in `prompt_tokens`"),
    ("FloodsCalls", "too_many_calls", "more than 40 tool calls"),
    ("SendsGarbage", "agent_error", "what cannot be read"),
    ("SendsDeepJson", "agent_error", "what cannot be read"),
    ("SendsWithoutEnd", "agent_error", "its process sent 4,294,967,295 bytes"),
    ("ClosesSocket", "agent_error", "its process stopped listening"),
]


LATE = [agent for agent, cause, _ in ACCIDENTS if cause == "deadline"]
BROKEN = [agent for agent, cause, _ in ACCIDENTS if cause != "deadline"]


@pytest.fixture(scope="module")
def accidents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All of them, side by side with agents that do nothing wrong."""
    out = tmp_path_factory.mktemp("accidents")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))  # As given it may be relative.
        patch.chdir(out)
        late = run(out / "runs", "Refuser", *LATE, seconds=6)
        broken = run(out / "runs", "Prints", "FloodsReply", *BROKEN)
    assert not late.paused and not broken.paused
    return out / "runs"


@pytest.mark.parametrize(("agent", "cause", "words"), ACCIDENTS)
def test_an_accident_is_an_ending_with_a_cause(accidents: Path, agent: str, cause: str, words: str) -> None:
    found = transcripts(accidents, agent)
    assert found.keys() == {TRAP, TWIN}
    for transcript in found.values():
        assert transcript.ending.cause == cause
        assert words in transcript.ending.detail


def test_a_flood_is_cut(accidents: Path) -> None:
    for transcript in transcripts(accidents, "FloodsReply").values():
        assert transcript.turns[1].text == "x" * 20_000 + " […cut]"


@pytest.mark.parametrize("agent", ["Refuser", "Prints"])
def test_nobody_else_is_harmed(accidents: Path, agent: str) -> None:
    found = transcripts(accidents, agent)
    assert found.keys() == {TRAP, TWIN}
    for transcript in found.values():
        assert transcript.ending.kind == "customer_left"
        assert transcript.turns[1].text == "I'm sorry, but we can't do that."


def test_what_a_late_agent_started_ends_with_it(accidents: Path) -> None:
    for pid in map(int, (accidents.parent / "started").read_text().split()):
        assert _is_gone(pid)


def test_an_agent_does_not_outlive_a_benchmark_that_is_killed(tmp_path: Path) -> None:
    words = ("run", f"{CHEATS}:LeavesProcess", "--isolate", "--set", TRAP, "--customer", "scripted")
    process = start_sab(*words, "--display", "none", cwd=tmp_path)
    deadline = time.monotonic() + 60
    started = tmp_path / "started"
    while not (started.exists() and started.read_text().split()) and time.monotonic() < deadline:
        time.sleep(0.05)
    agent = int(started.read_text().split()[0])
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert _is_gone(agent)


def _is_gone(pid: int) -> bool:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def test_keys_stay_outside_unless_they_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-of-the-user")
    monkeypatch.setenv("MY_SHOP_TOKEN", "wanted")
    run(tmp_path, "TellsEnvironment", isolation=Isolation(environment=("MY_SHOP_TOKEN",)))
    said = transcripts(tmp_path, "TellsEnvironment")[TRAP].turns[1].text
    assert "MY_SHOP_TOKEN=wanted" in said and "PATH=" in said
    assert "sk-secret" not in said


def test_nothing_that_gives_the_case_away_is_sent(tmp_path: Path) -> None:
    run(tmp_path, "TellsEverything")
    found = transcripts(tmp_path, "TellsEverything")[TRAP]
    said = " ".join(turn.text for turn in found.turns if turn.party == "agent")
    assert found.turns[1].calls[0].result.changes, "the record has what was changed in the books"
    for word in (TRAP, "Change(", "mood", "moves", "adversarial"):
        assert word not in said


def test_the_header_and_the_board_say_which_was_used(tmp_path: Path) -> None:
    for isolation, expected in ((None, "none"), (SMALL, "process")):
        out = tmp_path / expected
        assert results(out, "Refuser", isolation).isolation == expected
        (run,) = load_runs([out])
        assert run.header.isolation == expected
