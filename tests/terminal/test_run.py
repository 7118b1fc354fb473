"""The end of a job: its exit code, and the command that resumes it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from commands import fake_provider, sab
from supportagentbench.terminal.run import command_line


def test_the_command_to_go_on_with_can_be_pasted_and_keeps_a_secret() -> None:
    words = ["/usr/bin/sab", "run", "openai:gpt-5,base_url=http://x y", "--private-seed", "s3cret", "-n", "3"]
    assert command_line(words) == "sab run 'openai:gpt-5,base_url=http://x y' --private-seed … -n 3"
    assert "s3cret" not in command_line(["sab", "run", "oracle", "--private-seed=s3cret"])


@pytest.fixture(scope="module")
def provider() -> Iterator[str]:
    """A provider that knows some models, for jobs in processes of their own."""
    with fake_provider() as url:
        yield url


def test_a_spent_budget_and_a_refusing_provider_have_codes_of_their_own(
    tmp_path: Path, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    model = f"openai:gpt-5,base_url={provider}/v1"
    spent = sab("run", model, "--set", "core", "--budget", "0.05", "-y", "--display", "none", cwd=tmp_path)
    assert spent.returncode == 3, spent.stderr
    assert "No request is sent that the rest of $0.05 might not cover." in spent.stderr
    assert f"  sab run {model} --set core --budget 0.05 -y --display none" in spent.stderr
    gone = sab(
        "run",
        f"openai:unknown-model,base_url={provider}/v1",
        "-y",
        "-o",
        "gone",
        "--set",
        "core",
        "--display",
        "none",
        cwd=tmp_path,
    )
    assert gone.returncode == 4, gone.stderr
    assert "openai:unknown-model is paused" in gone.stderr


def test_an_agent_with_a_model_of_its_own_has_its_conversations_counted(
    tmp_path: Path,
) -> None:
    (tmp_path / "mine.py").write_text("def reply(desk, conversation):\n    return 'One moment.'\n")
    command = ("run", "mine.py", "oracle", "--set", "tracking", "--runs", "2", "--customer", "scripted")
    said = sab(*command, "--display", "none", cwd=tmp_path).stderr
    assert "sab: mine.py: 12 conversations; its own model calls are in no budget." in said
    assert "oracle: 12" not in said
