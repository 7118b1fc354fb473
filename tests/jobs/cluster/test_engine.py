"""What cannot be played on a cluster is refused before anything starts, in one sentence."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from commands import sab
from supportagentbench.agents.object_agent import asked_agent
from supportagentbench.jobs.cluster import engine
from supportagentbench.jobs.cluster.engine import refuse_unfit
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.records.problem import Problem

SPEC = JobSpec("northline", ("oracle",), cluster="auto")

FIXED = """
url: http://127.0.0.1:9/chat
body: {message: "{text}"}
reply: text
desk: {fixed: true, port: 7999, key: a-long-enough-key}
"""


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray is taken for installed."""
    monkeypatch.setattr(engine, "find_spec", lambda name: importlib.util.find_spec("json"))


def test_without_the_extra_the_command_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "find_spec", lambda name: None)
    done = sab("run", "oracle", "--cluster", "auto", cwd=tmp_path)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr == (
        "sab: --cluster needs Ray, which is not installed; pip install 'supportagentbench[ray]'.\n"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("where", ["yes", "local:", "local:0", "local:99999", "ray://head:10001", "auto:2"])
def test_other_places_are_refused(where: str) -> None:
    with pytest.raises(Problem, match="--cluster is auto, local or local:2"):
        refuse_unfit(SPEC.with_(cluster=where))


@pytest.mark.usefixtures("ray")
@pytest.mark.parametrize("where", ["auto", "local", "local:1", "local:64"])
def test_known_places_are_accepted(where: str) -> None:
    refuse_unfit(SPEC.with_(cluster=where, agents=("cast", "openai:gpt-5", "mine.py")))


@pytest.mark.usefixtures("ray")
@pytest.mark.parametrize("given", [{"record": Path("r.jsonl")}, {"replay": Path("r.jsonl")}])
def test_recordings_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(Problem, match="recordings are made and replayed in one process"):
        refuse_unfit(SPEC.with_(**given))


@pytest.mark.usefixtures("ray")
def test_an_object_of_this_process_is_refused() -> None:
    class Mine:
        async def reply(self, turns: Any, desk: Any) -> str:
            return "Hello."

    with pytest.raises(Problem, match=r"'Mine' is an object of this program, .* leave out --cluster"):
        refuse_unfit(SPEC.with_(agents=("oracle", asked_agent(Mine))))


@pytest.mark.usefixtures("ray")
def test_a_service_that_calls_one_fixed_desk_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bot.yaml").write_text(FIXED)
    with pytest.raises(Problem, match="a desk with one fixed address"):
        refuse_unfit(SPEC.with_(agents=(str(tmp_path / "bot.yaml"),)))
