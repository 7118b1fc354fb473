"""No more is in flight than this process may have files open for, and that is said."""

import re
import subprocess
from pathlib import Path

import pytest

from commands import SAB
from supportagentbench.concurrency.open_files import FileNeed
from supportagentbench.jobs import in_flight
from supportagentbench.jobs.in_flight import within_limits
from supportagentbench.records.problem import Problem


@pytest.fixture(autouse=True)
def limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_flight, "allow_open_files", lambda wanted: 1024)


def test_what_fits_is_left_alone() -> None:
    assert within_limits(300, FileNeed(2, 1)) == (300, "")


def test_what_does_not_fit_is_lowered_with_a_sentence() -> None:
    need = FileNeed(2, 2)
    possible, words = within_limits(2000, need)
    assert f"-j is {possible} instead of 2,000" in words
    assert f"ulimit -n {need.files(2000)}" in words


def test_where_nothing_fits_it_is_refused() -> None:
    with pytest.raises(Problem, match=r"only 1,024 files may be open at once.*ulimit -n"):
        within_limits(8, FileNeed(500, 1))


def test_a_job_keeps_to_a_real_limit(tmp_path: Path) -> None:
    shell = ["sh", "-c", 'ulimit -n 80 && exec "$@"', "sh", *SAB]
    words = [
        "run",
        "oracle",
        "--set",
        "tracking",
        "-j",
        "500",
        "--display",
        "none",
        "-o",
        str(tmp_path / "runs"),
    ]
    done = subprocess.run([*shell, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert re.search(r"only 80 files may be open at once, so -j is \d+ instead of 500", done.stderr)
    few = subprocess.run(
        [word.replace("ulimit -n 80", "ulimit -n 30") for word in [*shell, *words]],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert few.returncode == 2
    assert "too few for a single conversation" in few.stderr
