"""Display names: they hide no model from its judge, and nothing in them becomes Markdown.

Attack → before → now:

- `openai:gpt-4o --name honest`, judged by `openai:gpt-4o` → judged without a word → refused, 2.
- The same in what is said about judges and families → "unknown family" → its family.
- A baseline of an agent that is called like an image, a link or a mention → shown as one in the summary of a
  gate → shown as code.
"""

from pathlib import Path

import pytest
from msgspec.structs import replace

from commands import sab
from conversations import job_on
from filed import FEW, file_run, solved
from supportagentbench.board.gate_result import GateResult
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.records.record import to_json
from supportagentbench.results.judged import judged_in
from supportagentbench.results.load import load_runs
from supportagentbench.storage.archive import read_header
from supportagentbench.terminal.gate import gate_markdown


def run_as(root: Path, name: str, agent: str) -> Path:
    """A run of this agent under another name, with the version that the command would store."""
    folder = file_run(root, name, 1, map(solved, FEW))
    (spec,) = JobSpec("", (agent,), name=name).agent_specs()
    (folder / "run.json").write_bytes(to_json(replace(read_header(folder), version=spec.version())))
    return folder


@pytest.mark.parametrize(
    ("agent", "name", "judge", "refused"),
    [
        ("openai:gpt-4o", "honest", "openai:gpt-4o", True),
        ("openrouter:openai/gpt-5", "honest", "openai:o3", True),
        ("openai:gpt-4o", "claude-like", "openai:gpt-4o", True),
        ("openai:gpt-4o", "claude-like", "anthropic:claude-haiku-4-5", False),
        ("mine.py", "gpt-5-bot", "openai:gpt-4o", True),
    ],
)
def test_a_judge_is_told_who_was_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, agent: str, name: str, judge: str, refused: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("def reply(desk, conversation): return 'Hello.'")
    run_as(tmp_path / "runs", name, agent)
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(variable, "none-of-yours")
    done = sab("score", "runs", "--judge", judge)  # Without --yes nothing is sent.
    assert done.returncode == 2
    assert ("a model of its own family" in done.stderr) is refused
    if refused:
        assert f"{judge} would judge {name} ({agent})" in done.stderr
    else:
        assert "this spends money" in done.stderr


def test_a_family_is_that_of_what_was_run(tmp_path: Path) -> None:
    run_as(tmp_path, "honest", "openai:gpt-4o")
    assert {one.vendor for one in judged_in(load_runs([tmp_path])).sources.values()} == {"gpt"}


def test_the_header_says_what_was_run_under_any_name(tmp_path: Path) -> None:
    job = job_on("tracking-1", ["complies"], out=tmp_path).with_(name="v2")
    (spec,) = job.spec.agent_specs()
    assert spec.shown == "v2" and spec.version().given == "complies"
    assert read_header(run_as(tmp_path, "v2", "complies")).ran == "complies"
    assert read_header(file_run(tmp_path, "oracle", 1, [])).ran == "oracle"


@pytest.mark.parametrize("name", ["![x](http://h/p.png)", "[y](http://h)", "@everyone", "`a` <b>", "a|b"])
def test_a_name_in_a_summary_is_only_text(name: str) -> None:
    result = GateResult(name, name, "held", (), 1, 1, 1, ("a-1",))
    line = gate_markdown(result).splitlines()[2]
    for shown in (
        line.removeprefix("Gate held: ").partition(", after 1 of 1 conversation.")[0].split(" against ")
    ):
        assert shown.startswith("`") and shown.endswith("`") and len(shown) > len(name)
