import os
import subprocess
import sys
from pathlib import Path

import pytest

from commands import sab
from filed import FEW, file_run, solved
from supportagentbench.concurrency import worker_pool as worker_pool_module
from supportagentbench.concurrency.worker_pool import SAFE_PATH, SMALL, WORKER, worker_pool, workers_for
from supportagentbench.jobs.rederive import rederive
from supportagentbench.results.load import load_runs

WORK = "from supportagentbench.concurrency.worker_pool import worker_pool\nif __name__ == '__main__':\n    "
LIBRARY = ("socket", "selectors", "traceback", "heapq")


@pytest.mark.parametrize("name", LIBRARY)
def test_a_file_in_the_current_folder_is_not_imported_in_place_of_the_librarys(
    tmp_path: Path, name: str
) -> None:
    here, script = tmp_path / "here", tmp_path / "script.py"
    here.mkdir()
    (here / f"{name}.py").write_text("open('MARK', 'w').close()\n")
    script.write_text(f"{WORK}with worker_pool(2) as pool:\n        print(sum(pool.map(abs, [-1, -2])))\n")
    done = subprocess.run([sys.executable, script], cwd=here, capture_output=True, text=True)
    assert done.stdout == "3\n", done.stderr
    assert not (here / "MARK").exists()


def test_the_environment_is_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    for before in ("", "0"):
        monkeypatch.setenv(SAFE_PATH, before)
        with worker_pool(1):
            assert os.environ[SAFE_PATH] == "1"
        assert os.environ[SAFE_PATH] == before
    monkeypatch.delenv(SAFE_PATH)
    with worker_pool(1):
        pass
    assert SAFE_PATH not in os.environ


def allowed(monkeypatch: pytest.MonkeyPatch, processors: int, memory: int | None = None) -> None:
    """Workers see a machine like this."""
    monkeypatch.setattr(worker_pool_module, "processors", lambda: processors)
    monkeypatch.setattr(worker_pool_module, "memory_limit", lambda: memory)


def test_processes_are_started_only_where_there_is_work_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    allowed(monkeypatch, 4)
    assert [workers_for(jobs, SMALL + 1) for jobs in (0, 1, 2, 4, 9)] == [0, 0, 2, 4, 4]
    assert workers_for(9, SMALL) == 0
    allowed(monkeypatch, 1)
    assert workers_for(9, SMALL + 1) == 0


def test_no_more_processes_are_started_than_there_is_memory_for(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for room in (0, WORKER, 3 * WORKER - 1, 3 * WORKER, 4 * WORKER, 100 * WORKER):
        allowed(monkeypatch, 4, room)
        found.append(workers_for(9, SMALL + 1))
    assert found == [0, 0, 0, 2, 3, 4]


def test_whatever_works_on_runs_finds_the_same_in_other_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    allowed(monkeypatch, 2)
    folders = [file_run(tmp_path / "runs", agent, 1, map(solved, FEW)) for agent in ("steady", "second")]

    def found(name: str) -> tuple[object, ...]:
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / name))
        scored = load_runs(folders, processes=2)
        built = sab("site", "build", tmp_path / "runs", "-o", tmp_path / f"site {name}")
        assert built.returncode == 0, built
        board = (tmp_path / f"site {name}" / "data" / "board.json").read_bytes()
        return scored, board, rederive(folders)

    here = found("here")
    monkeypatch.setattr("supportagentbench.concurrency.worker_pool.SMALL", -1)
    assert workers_for(2, 0) == 2
    assert found("there") == here
