"""The pages of frameworks: what a reader types from top to bottom works."""

import subprocess
import sys
from pathlib import Path

import pytest

from commands import alone
from integrations.framework_pages import FRAMEWORKS, agent_of, page_of
from test_docs import blocks_in, lines_in, save_named

FAKE = "http://127.0.0.1:8790"
"""Where the reader's own fake provider is; the tests have theirs elsewhere."""


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_an_agent_is_a_few_lines(framework: str) -> None:
    assert len([line for line in agent_of(framework).splitlines() if line.strip()]) <= 15


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_a_page_works_as_printed(
    framework: str, folder: Path, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "sab.toml").write_text('[run]\nset = "damaged_no_proof"\n')  # The page shows whole runs.
    monkeypatch.setenv("BROWSER", "true %s")
    ran = 0
    for block in blocks_in(page_of(framework)):
        save_named(block.text)
        for line, _ in lines_in(block.text) if block.kind == "shell" else ():
            program, *words = line.replace(FAKE, provider).split()
            if program == "export":
                monkeypatch.setenv(*words[0].split("=", 1))
            elif program == "sab" and words[0] != "fake":
                done = alone(*words, cwd=folder)
                assert done.returncode == 0, (line, done.stdout, done.stderr)
                assert "broke" not in done.stdout + done.stderr, (line, done.stdout)
                ran += words[0] == "run"
    assert ran == 3


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_an_adapter_needs_no_framework_but_its_own(framework: str) -> None:
    others = {"agents", "claude_agent_sdk", "langgraph", "pydantic_ai"} - {
        {"openai-agents": "agents"}.get(framework, framework.replace("-", "_"))
    }
    module = f"supportagentbench.adapters.{framework.replace('-', '_')}"
    code = f"import sys, {module}; print(*sorted({others!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"
