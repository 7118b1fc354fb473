"""`sab fake`: whatever a model's server does, on this machine and without a key."""

import re
import shlex
import signal
import subprocess
from pathlib import Path

import pytest

from commands import SAB, fake_provider, new_process, sab
from supportagentbench.cli.fake import ready_lines
from supportagentbench.storage.archive import find_runs, read_header
from supportagentbench.storage.transcripts import read_transcripts


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_serves_until_it_is_interrupted(number: signal.Signals) -> None:
    command = [*SAB, "fake", "--reasons"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stderr is not None
        url = process.stdout.readline().strip()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+", url)
        lines = tuple(process.stdout.readline().strip() for _ in ready_lines(url)[1:])
        assert (url, *lines) == ready_lines(url)
        process.send_signal(number)
        assert process.wait(10) == 0 and process.stderr.read() == ""


def test_its_lines_can_be_pasted_as_they_are(tmp_path: Path) -> None:
    with fake_provider() as url:
        for line in ready_lines(url)[1:3]:
            variable, command, *words = shlex.split(line)
            name, _, value = variable.partition("=")
            assert command == "sab"
            done = new_process(*words, cwd=tmp_path, **{name: value})
            assert done.returncode == 0, done.stderr
    runs = find_runs([tmp_path / "runs"])
    assert [read_header(folder).agent for folder in runs] == ["anthropic:clerk", "openai:clerk"]
    for folder in runs:
        assert {filed.transcript.ending.kind for filed in read_transcripts(folder)} != {"broke"}


def test_its_last_line_is_what_an_agent_s_own_library_needs(tmp_path: Path) -> None:
    with fake_provider("--faults", "latency=0.01") as url:
        export, *pairs = shlex.split(ready_lines(url)[3])
        variables = dict(pair.split("=", 1) for pair in pairs)
        assert export == "export" and variables["ANTHROPIC_BASE_URL"] == url
        words = ("--set", "tracking-1", "--customer", "scripted", "--yes", "--out", "runs")
        done = new_process("run", "openai:clerk", "anthropic:clerk", *words, cwd=tmp_path, **variables)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("words", "said"), [(("--faults", "rain=1"), "rain"), (("--port", "70000"), "--port")]
)
def test_what_it_cannot_do_is_said(words: tuple[str, ...], said: str) -> None:
    done = sab("fake", *words)
    assert done.returncode == 2 and said in done.stderr and "Traceback" not in done.stderr


def test_a_port_that_is_taken_is_named() -> None:
    with fake_provider() as url:
        done = sab("fake", "--port", url.rpartition(":")[2])
    assert done.returncode == 2 and "cannot be served" in done.stderr and "Traceback" not in done.stderr
