from pathlib import Path

import pytest

from supportagentbench.desk.doors.process import Isolation
from supportagentbench.jobs import aftermath as module
from supportagentbench.jobs.aftermath import aftermath
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.records.problem import Problem


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "supportagentbench" / "scores").mkdir(parents=True)
    file = tmp_path / "supportagentbench" / "scores" / "one"
    file.touch()
    return file


def spec(agent: str, isolation: Isolation | None = None) -> JobSpec:
    return JobSpec("northline", (agent,), isolation=isolation)


@pytest.mark.parametrize("isolation", [None, Isolation()])
def test_what_own_code_could_write_to_is_emptied_even_after_an_error(
    kept: Path, isolation: Isolation | None
) -> None:
    with pytest.raises(ZeroDivisionError), aftermath(spec("mine.py", isolation)):
        raise ZeroDivisionError
    assert not kept.exists()


def test_after_models_and_sandboxes_it_is_kept(kept: Path) -> None:
    for one in (spec("oracle"), spec("openai:gpt-5"), spec("mine.py", Isolation(kind="sandbox"))):
        with aftermath(one):
            pass
    assert kept.exists()


def test_a_problem_is_raised_or_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise Problem("cannot be emptied.")

    monkeypatch.setattr(module, "forget_everything", fail)
    said: list[str] = []
    with pytest.raises(Problem, match="cannot be emptied"), aftermath(spec("mine.py"), said.append):
        pass
    with pytest.raises(ZeroDivisionError), aftermath(spec("mine.py"), said.append):
        raise ZeroDivisionError
    assert said == ["cannot be emptied."]
