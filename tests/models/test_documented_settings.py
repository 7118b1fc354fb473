"""Every setting that docs/models.md documents: sent, written down, read back, and resumed."""

import re
from pathlib import Path

import pytest

from conversations import job_on
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.fake_provider.provider import FakeProvider
from supportagentbench.jobs.run import JobResult, run_job
from supportagentbench.models.spec import parse_model
from supportagentbench.results.load import load_run
from supportagentbench.storage.archive import find_runs, read_header

VALUES = {
    "temperature": "0.2",
    "top_p": "0.9",
    "max_tokens": "2000",
    "effort": "high",
    "seed": "true",
    "api": "chat",
    "timeout": "30",
    "base_url": "",  # Every run here has one: the fake provider's.
}
MODELS = ("openai:gpt-5", "anthropic:claude-haiku-4-5", "mistral:small")


def documented() -> set[str]:
    text = (Path(__file__).parents[2] / "docs" / "models.md").read_text()
    table = text.partition("## Settings")[2].partition("\n## ")[0]
    firsts = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    return {name.partition("=")[0] for first in firsts for name in re.findall(r"`([^`]+)`", first)}


def test_every_documented_setting_is_tried_here() -> None:
    assert documented() == VALUES.keys()


@pytest.mark.parametrize("setting", VALUES)
@pytest.mark.parametrize("model", MODELS)
def test_a_run_with_this_setting_is_read_back_and_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str, setting: str
) -> None:
    if setting == "api" and not model.startswith("openai:"):
        pytest.skip("only openai: has two")
    monkeypatch.setenv(f"{model.partition(':')[0].upper()}_API_KEY", "a-key-for-tests")
    typed = f",{setting}={VALUES[setting]}" if VALUES[setting] else ""

    async def main() -> tuple[str, JobResult, JobResult]:
        async with FakeProvider() as provider:
            name = f"{model},base_url={provider.url}/v1{typed}"
            job = job_on("tracking-1", [name], out=tmp_path)
            return name, await run_job(job), await run_job(job)

    name, first, second = drive(main())
    parsed = parse_model(name)
    (folder,) = find_runs([tmp_path])
    header = read_header(folder)
    assert header.sampling == parsed.sampling and setting in header.sampling
    assert header.agent == parsed.shown and header.version.prompt
    assert first.outcome == second.outcome == "complete" and first.endings == second.endings
    assert second.spent == 0 and len(load_run(folder).verdicts) == 1
