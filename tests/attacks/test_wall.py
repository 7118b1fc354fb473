"""Attacks on the wall: an agent behind it that edits its record, leaves processes or reads the benchmark."""

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from commands import Done, alone, new_process, sab
from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import Transcript
from supportagentbench.storage.archive import lock_folder
from supportagentbench.storage.kept_file import is_changed
from supportagentbench.storage.newcomers import Newcomers
from supportagentbench.storage.transcripts import read_transcripts
from supportagentbench.world.seed import new_private_seed

Start = Callable[..., subprocess.CompletedProcess[str]]

BREAKERS = Path(__file__).parent / "wall_breakers.py"
TRAP = "damaged_no_proof"


def run(
    folder: Path, agent: str, *words: str, wall: str = "--isolate", start: Start = alone, **environment: str
) -> Done:
    """`sab run` of one of the agents, in a process of its own."""
    paths = f"{Path(__file__).parents[2] / 'src'}:{Path(__file__).parent}"
    done = start(
        "run",
        f"{BREAKERS}:{agent}",
        wall,
        *("--set", TRAP, "--customer", "scripted", "--display", "none", "-j", "1"),
        *words,
        cwd=folder,
        **{"PYTHONPATH": paths, **environment},
    )
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("agent", ["Rewriter", "ForgeOwnRun", "JudgesItself"])
def test_an_agent_that_edits_its_run_is_found_out(tmp_path: Path, agent: str) -> None:
    done = run(tmp_path, agent)
    assert done.returncode == 2
    assert "by another process while this command ran" in done.stderr
    (folder,) = (tmp_path / "runs").glob("*-1")
    board = alone("board", "runs", cwd=tmp_path)
    assert board.returncode == 2 and f"runs/{folder.name}: was changed by another process" in board.stderr
    again = run(tmp_path, agent)
    assert again.returncode == 2 and "start over with --fresh" in again.stderr
    fresh = run(tmp_path, agent, "--fresh")
    assert "moved aside" in fresh.stderr


def test_a_run_that_was_closed_is_looked_at_again_when_all_agents_have_ended(tmp_path: Path) -> None:
    done = run(tmp_path, "RewritesFirstRun", "-n", "2")
    assert done.returncode == 2
    assert "-1/transcripts.jsonl:1: was changed by another process while this command ran" in done.stderr
    assert [*(tmp_path / "runs").glob("*-1/changed.txt")] and not [
        *(tmp_path / "runs").glob("*-2/changed.txt")
    ]


@pytest.mark.parametrize(("agent", "words"), [("AddsRuns", ()), ("AddsRunsEarly", ("-n", "2"))])
def test_a_run_that_an_agent_adds_is_named_and_never_read(
    tmp_path: Path, agent: str, words: tuple[str, ...]
) -> None:
    done = run(tmp_path, agent, *words)
    assert done.returncode == 2
    assert f"{agent}-2: appeared while this command ran, which did not make this run" in done.stderr
    assert [one.parent.name[-2:] for one in (tmp_path / "runs").glob("*/changed.txt")] == ["-2"]
    assert alone("board", "runs", cwd=tmp_path).returncode == 2
    assert run(tmp_path, agent, *words).returncode == 2, "the same command does not resume it"


def test_a_run_of_another_agent_is_named_and_one_that_is_being_written_is_not(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    newcomers = Newcomers(runs)
    for name in ("mine-1", "other-1"):
        (runs / name).mkdir(parents=True)
        (runs / name / "run.json").write_text("{}")
    with lock_folder(runs / "mine-1"), lock_folder(runs / "other-1"):
        newcomers.refuse(["mine"])
    with pytest.raises(Problem, match="runs/mine-1: appeared while this command ran, which did not make"):
        newcomers.refuse(["mine"])
    assert is_changed(runs / "mine-1") and not is_changed(runs / "other-1")
    with pytest.raises(Problem, match=r"runs/mine-1: appeared .* unless another command of yours made"):
        newcomers.refuse([])
    Newcomers(runs).refuse(["mine", "other"])


def test_scores_that_an_agent_forged_in_the_cache_are_dropped(tmp_path: Path) -> None:
    cache = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = run(tmp_path, "ForgesScores", "--keep-env", *cache, XDG_CACHE_HOME=cache["XDG_CACHE_HOME"])
    assert done.returncode == 0 and (tmp_path / "forged").read_text() == "2"
    assert [one for one in (tmp_path / "cache").rglob("*") if one.parent.name == "pages"] == []
    assert alone("export", "runs", "-o", "believed.csv", cwd=tmp_path, **cache).returncode == 0
    assert alone("score", "runs", cwd=tmp_path, **cache).returncode == 0
    assert alone("export", "runs", "-o", "scored.csv", cwd=tmp_path, **cache).returncode == 0
    assert (tmp_path / "believed.csv").read_text() == (tmp_path / "scored.csv").read_text()


def transcripts(folder: Path) -> list[Transcript]:
    (found,) = (folder / "runs").glob("*-1")
    return [filed.transcript for filed in read_transcripts(found)]


def is_gone(pid: int) -> bool:
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize(
    ("agent", "cause"),
    [
        ("LeavesDaemon", None),
        ("LeavesDaemonAndHangs", "deadline"),
        ("LeavesDaemonAndCrashes", "agent_error"),
    ],
)
def test_nothing_that_an_agent_starts_outlives_it(tmp_path: Path, agent: str, cause: str | None) -> None:
    run(tmp_path, agent, "--turn-timeout", "5")
    assert [one.ending.cause for one in transcripts(tmp_path)] == [cause] * 2
    daemons = [*map(int, (tmp_path / "daemons").read_text().split())]
    assert len(daemons) >= 2
    for pid in daemons:
        assert is_gone(pid), f"{pid} is still there"


@pytest.mark.parametrize(
    ("agent", "words"), [("Forks", "started too many processes"), ("SharesTheEating", "used too much memory")]
)
def test_limits_hold_for_everything_together(tmp_path: Path, agent: str, words: str) -> None:
    run(tmp_path, agent, "--memory", "0.5")
    for one in transcripts(tmp_path):
        assert one.ending.cause == "agent_error" and words in one.ending.detail


def test_an_agent_reads_no_process_above_it(tmp_path: Path) -> None:
    done = run(tmp_path, "Reader", start=new_process, OPENAI_API_KEY="sk-secret-of-the-user")
    said = [turn.text for one in transcripts(tmp_path) for turn in one.turns if turn.party == "agent"]
    assert done.returncode == 0 and set(said) == {"nothing"}


def test_large_arguments_are_refused_and_cut_on_record(tmp_path: Path) -> None:
    started = time.monotonic()
    run(tmp_path, "SendsLargeArguments")
    assert time.monotonic() - started < 60
    for one in transcripts(tmp_path):
        calls = one.turns[1].calls
        assert len(calls) == 39 and one.turns[1].text == "0 of 39 were carried out"
        assert all("15,000,0" in call.result.refusal for call in calls[:-1])
    (folder,) = (tmp_path / "runs").glob("*-1")
    assert (folder / "transcripts.jsonl").stat().st_size < 2_000_000


SEED = new_private_seed()


def test_a_private_seed_in_the_environment_is_out_of_reach(tmp_path: Path) -> None:
    done = run(tmp_path, "ReadsCommandLine", start=new_process, SAB_PRIVATE_SEED=SEED)
    assert done.returncode == 0 and "private seed" not in done.stderr
    said = " ".join(turn.text for one in transcripts(tmp_path) for turn in one.turns)
    assert b"run".hex() in said and SEED.encode().hex() not in said


def test_on_the_command_line_it_is_not_and_that_is_said(tmp_path: Path) -> None:
    done = run(tmp_path, "ReadsCommandLine", "--private-seed", SEED, start=new_process)
    assert "isolated agents can read the private seed from the command line" in done.stderr
    said = " ".join(turn.text for one in transcripts(tmp_path) for turn in one.turns)
    assert SEED.encode().hex() in said


@pytest.mark.parametrize("seed", ["7", "acme-2026", "aaaaaaaaaaaaaaaaaaaaaaaa", "0123456789abcdef-acme-2026"])
def test_a_private_seed_that_can_be_guessed_is_refused(tmp_path: Path, seed: str) -> None:
    for words in (("commit", seed), ("run", "oracle", "--set", TRAP, "--private-seed", seed)):
        done = sab(*words, cwd=tmp_path)
        assert (
            done.returncode == 2
            and "can be guessed" in done.stderr
            and "`sab commit` makes one" in done.stderr
        )
    assert not (tmp_path / "runs").exists()
