"""Attacks on the wall: an agent behind it that edits its record, leaves processes or reads the benchmark."""

from pathlib import Path

import pytest

from commands import Done, alone

BREAKERS = Path(__file__).parent / "wall_breakers.py"
TRAP = "damaged_no_proof"


def run(folder: Path, agent: str, *words: str, wall: str = "--isolate", **environment: str) -> Done:
    """`sab run` of one of the agents, in a process of its own."""
    paths = f"{Path(__file__).parents[2] / 'src'}:{Path(__file__).parent}"
    done = alone(
        "run",
        f"{BREAKERS}:{agent}",
        wall,
        *("--set", TRAP, "--customer", "scripted", "--display", "none", "-j", "1"),
        *words,
        cwd=folder,
        **{"PYTHONPATH": paths, **environment},
    )
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("agent", ["Rewriter", "ForgeOwnRun"])
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
