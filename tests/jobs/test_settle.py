"""What a command leaves open is decided before anything is opened: agents, customer, what is in flight."""

import sys
from pathlib import Path

import pytest

from supportagentbench.agents.shipped import DUMMIES
from supportagentbench.desk.doors.process import Isolation
from supportagentbench.jobs.settle import find_code_here, settle, settle_forks
from supportagentbench.jobs.spec import ForkSpec, JobSpec
from supportagentbench.records.problem import Problem


def asked(*agents: str, out: Path, customer: str = "auto") -> JobSpec:
    return JobSpec("northline", agents, customer=customer, out=out)


def test_groups_are_named_in_full_and_the_customer_is_chosen(tmp_path: Path) -> None:
    found = settle(asked("oracle", "dummies", "silent", out=tmp_path))
    assert found.spec.agents == ("oracle", *DUMMIES)
    assert found.spec.customer == "scripted" and found.customer is None, "all their words are known"
    assert found.spec.concurrency == 8 and not found.limited


def test_who_listens_to_unknown_words_is_said_unless_it_was_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    file = tmp_path / "mine.py"
    file.write_text("def reply(desk, conversation):\n    return ''\n")
    found = settle(asked(str(file), out=tmp_path / "runs"))
    assert found.customer and found.customer.name == found.spec.customer == "scripted"
    assert settle(asked(str(file), out=tmp_path / "runs", customer="scripted")).customer is None


def test_an_agent_or_a_folder_that_does_not_exist_is_named_first(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="nobody"):
        settle(asked("oracle", "nobody", out=tmp_path))
    (tmp_path / "file").touch()
    with pytest.raises(Problem, match="--out"):
        settle(asked("oracle", out=tmp_path / "file"))


def test_replays_until_decided_keep_all_their_runs_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted: list[int] = []

    def allow(files: int) -> int:
        wanted.append(files)
        return files

    monkeypatch.setattr("supportagentbench.jobs.in_flight.allow_open_files", allow)
    for until_decided in (False, True):
        forks = ForkSpec((tmp_path,), until_decided=until_decided)
        spec = JobSpec("northline", ("oracle",), runs=30, concurrency=2, forks=forks)
        assert settle_forks(spec) == (spec, "")
    assert wanted[1] - wanted[0] == 3 * (30 - 3)


def test_code_in_the_current_folder_is_found_and_hides_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    find_code_here(JobSpec("northline", ("oracle",)))
    find_code_here(JobSpec("northline", ("mine.py",), isolation=Isolation()))
    assert str(tmp_path) not in sys.path, "nobody asked for code, or it runs in a process of its own"
    for _ in range(2):
        find_code_here(JobSpec("northline", ("mine.py",)))
    assert sys.path[-1] == str(tmp_path) and sys.path.count(str(tmp_path)) == 1
