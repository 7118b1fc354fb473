"""Reuse: a command says what it plays, since when the rest is there, and what it cannot know of it."""

import time
from datetime import datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from commands import sab
from conversations import HEADER, job_on
from filed import failed, solved
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.jobs.from_python import run
from supportagentbench.jobs.reuse import Reuse, start_over
from supportagentbench.jobs.run import run_job
from supportagentbench.records.agent_version import AgentVersion
from supportagentbench.records.transcript import Ending, Transcript
from supportagentbench.runner.play import Played
from supportagentbench.runner.run import OpenRun
from supportagentbench.storage.archive import find_runs

WHEN = datetime(2026, 11, 19, 22, 17).timestamp()
DAY = "19 November 2026, 22:17"


@pytest.mark.parametrize(
    ("reuse", "sentence"),
    [
        (Reuse(0, 8, 0, Path("runs")), ""),
        (
            Reuse(8, 0, WHEN, Path("runs")),
            "0 played; 8 conversations of 19 November 2026, 22:17, are in runs.",
        ),
        (
            Reuse(1, 61, WHEN, Path("runs")),
            f"1 conversation of {DAY}, is in runs; 61 left to play.",
        ),
        (
            Reuse(8, 0, WHEN, Path("runs"), ("my-service",)),
            f"0 played; 8 conversations of {DAY}, are in runs. Whether my-service changed "
            "since then cannot be seen; to run it again, add --fresh (fresh=True in Python).",
        ),
    ],
)
def test_what_it_says(reuse: Reuse, sentence: str) -> None:
    assert reuse.sentence == sentence


def test_a_job_says_what_is_left_of_it(tmp_path: Path) -> None:
    said: list[str] = []
    for runs in (1, 2, 2):
        drive(run_job(job_on("tracking-1,tracking-2", ["oracle"], runs, out=tmp_path), say=said.append))
    left, none = said
    assert left.startswith("2 conversations of ") and left.endswith("; 2 left to play.")
    assert none.startswith("0 played; 4 conversations of ")


def test_terminal_and_python_say_it_and_no_line_claims_a_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ("run", "oracle", "--set", "tracking-1", "-o", "runs", "--display", "plain")
    first, again = (sab(*command, cwd=tmp_path).stderr for _ in range(2))
    assert "done=1/1" in first and "0 played" not in first
    assert "done=" not in again and "sab: 0 played; 1 conversation of " in again
    capsys.readouterr()
    run(["oracle"], "tracking-1", out=tmp_path / "runs")
    assert "sab: 0 played; 1 conversation of " in capsys.readouterr().err


TRAP, TWIN = "damaged_no_proof-1", "damaged_no_proof-1-twin"
BEFORE = replace(HEADER, cases=(TRAP, TWIN), version=AgentVersion({"agent.yaml": "1"}))
AFTER = replace(BEFORE, version=AgentVersion({"agent.yaml": "2"}))
OUTAGE = Ending("broke", "provider_error", "503")


def stored(out: Path, filed: Transcript | None = None, attempt: Transcript | None = None) -> None:
    """A run with a conversation, or with one that was interrupted."""
    run = OpenRun(out, BEFORE, None)
    with run.opened:
        if filed:
            run.store(Played(filed, 2.0, 1.0, (), None))
        if attempt:
            run.in_flight.note(attempt, time.time())


def test_a_run_in_which_nothing_counts_starts_over_with_another_version(tmp_path: Path) -> None:
    stored(tmp_path, replace(solved(TWIN), ending=OUTAGE, turns=solved(TWIN).turns[:1]))
    (sentence,) = start_over(tmp_path, [AFTER])
    assert sentence.startswith("test has changed (agent.yaml changed); nothing counted")
    assert find_runs([tmp_path / "aside"])
    assert not (tmp_path / "test-1").exists()


def test_one_with_anything_that_counts_stays(tmp_path: Path) -> None:
    stored(tmp_path / "reply", solved(TWIN))
    stored(tmp_path / "act", replace(failed(TRAP), ending=OUTAGE))
    stored(tmp_path / "cut", attempt=replace(failed(TRAP), ending=OUTAGE))
    for out in (tmp_path / "reply", tmp_path / "act", tmp_path / "cut"):
        assert not [*start_over(out, [AFTER])] and (out / "test-1").exists()


def test_the_same_version_goes_on_where_it_is(tmp_path: Path) -> None:
    stored(tmp_path, replace(solved(TWIN), ending=OUTAGE, turns=solved(TWIN).turns[:1]))
    assert not [*start_over(tmp_path, [BEFORE])] and (tmp_path / "test-1").exists()
