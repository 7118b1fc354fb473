"""The same model has the same conversations, whatever framework and door are between it and the desk."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

from conversations import job_on
from integrations.framework_pages import FRAMEWORKS, agent_of
from supportagentbench.jobs.run import run_job
from supportagentbench.records.transcript import Transcript
from supportagentbench.storage.archive import find_runs
from supportagentbench.storage.transcripts import read_transcripts

SERVICES = ("openai_agents_service", "pydantic_ai_service", "rest_service")

TESTS = Path(__file__).parents[1]


def conversations(runner: asyncio.Runner, agent: str, out: Path) -> dict[str, list[Any]]:
    """Every conversation of the set `core`: texts, calls with arguments and results, and the ending."""
    runner.run(run_job(job_on("core", [agent], out=out)))
    (run,) = find_runs([out])
    return {filed.transcript.case: told(filed.transcript) for filed in read_transcripts(run)}


def told(transcript: Transcript) -> list[Any]:
    said: list[Any] = []
    for turn in transcript.turns:
        said += [(call.tool, call.arguments, call.result.text) for call in turn.calls]
        said.append((turn.party, turn.text))
    return [*said, transcript.ending]


@pytest.fixture(scope="module")
def expected(
    provider: str, runner: asyncio.Runner, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, list[Any]]:
    """The same model in our own loop."""
    found = conversations(runner, f"openai:clerk,base_url={provider}/v1", tmp_path_factory.mktemp("own"))
    assert len(found) == 162
    return found


def different(found: dict[str, list[Any]], expected: dict[str, list[Any]]) -> dict[str, Any]:
    """What was said and done first in each conversation that differs, with what was expected."""
    return {
        case: next(pair for pair in zip_longest(found.get(case, ()), said) if pair[0] != pair[1])
        for case, said in expected.items()
        if found.get(case) != said
    }


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_a_framework_at_the_desk(
    framework: str, folder: Path, runner: asyncio.Runner, expected: dict[str, list[Any]]
) -> None:
    (folder / "my_agent.py").write_text(agent_of(framework))
    assert different(conversations(runner, "my_agent.py", folder / "runs"), expected) == {}


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_that_calls_the_desk(
    service: str,
    folder: Path,
    runner: asyncio.Runner,
    expected: dict[str, list[Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with serving(service, monkeypatch) as address:
        assert different(conversations(runner, address, folder / "runs"), expected) == {}


@contextmanager
def serving(service: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a service in a process of its own."""
    monkeypatch.setenv("PYTHONPATH", str(TESTS))
    command = [sys.executable, "-m", f"integrations.services.{service}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()
            process.communicate(timeout=20)
