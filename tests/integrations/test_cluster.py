"""Conversations on a Ray cluster: the same as in one process, whatever is killed meanwhile."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands import SAB, fake_provider
from supportagentbench.concurrency.process_tree import descendants
from supportagentbench.storage.archive import find_runs
from supportagentbench.storage.transcripts import read_transcripts

pytest.importorskip("ray")

MINE = """
import os
from collections.abc import Sequence


class Agent:
    def __init__(self, seed):
        self.turns = 0

    async def reply(self, turns, desk):
        if os.environ.get("BREAKS") and os.environ["BREAKS"] in turns[0].text:
            os.kill(os.getpid(), 9)
        order = desk.call("hand_over", {"reason": "a person is needed"})
        return "A person will write to you."
"""


@pytest.fixture(autouse=True)
def agent(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789-secret")
    (folder / "mine.py").write_text(MINE)


def start(*words: str, **more: str) -> "subprocess.Popen[str]":
    """The command in a session of its own, as a terminal would start it."""
    command = [*SAB, "run", *words, "--customer", "scripted", "--yes", "--display", "plain"]
    return subprocess.Popen(
        command,
        env=os.environ | {"COLUMNS": "200"} | more,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def sab(*words: str, **more: str) -> tuple[int, str]:
    """Run it to its end; the exit code, and what it printed to stderr."""
    process = start(*words, **more)
    error = process.communicate(timeout=120)[1]
    return process.returncode, error


def digests(out: str) -> dict[str, str]:
    """Every stored conversation; one that is stored twice would be refused."""
    folders = find_runs([Path(out)]) if any(Path(out).glob("*/run.json")) else []
    return {
        f"{folder.name} {filed.transcript.case}": filed.digest
        for folder in folders
        for filed in read_transcripts(folder)
    }


@pytest.fixture(scope="module")
def provider() -> Iterator[str]:
    with fake_provider("--faults", "latency=0.2") as url:
        yield url


def test_actors_play_the_same_conversations_as_this_process_and_nothing_is_left() -> None:
    words = ("oracle", "random-tool", "mine.py", "--set", "core")
    code, error = sab(*words, "--out", "far", "--cluster", "local:2")
    assert code == 0, error
    assert "ray" not in error.lower() and "warning" not in error.lower(), error
    assert sab(*words, "--out", "here")[0] == 0
    assert digests("far") == digests("here") and len(digests("far")) == 3 * 162
    assert not list(Path("far").glob("*/in_flight.jsonl"))


def test_a_conversation_that_ends_each_process_is_the_agents_own_error() -> None:
    code, error = sab("mine.py", "--set", "tracking", "--out", "here")
    assert code == 0, error
    first = next(iter(read_transcripts(Path("here/mine.py-1")))).transcript
    breaks = first.turns[0].text[:60]
    code, error = sab("mine.py", "--set", "tracking", "--out", "far", "--cluster", "local:2", BREAKS=breaks)
    assert code == 5, error
    there, here = digests("far"), digests("here")
    assert there.keys() == here.keys()
    assert [name for name in here if there[name] != here[name]] == [f"mine.py-1 {first.case}"]
    (broken,) = (one for one in read_transcripts(Path("far/mine.py-1")) if one.transcript.case == first.case)
    assert broken.transcript.ending.cause == "agent_error"
    assert "the process that played it ended each time" in broken.transcript.ending.detail


def test_ctrl_c_and_kill_9_leave_no_process_and_the_same_command_resumes(provider: str) -> None:
    words = [f"openai:gpt-5,base_url={provider}/v1", "--set", "core", "-j", "20"]
    words += ["--out", "runs", "--cluster", "local:2", "--live", "--port", "0"]
    process = start(*words)
    seen = wait_for_some("runs", 5)
    os.killpg(process.pid, signal.SIGINT)
    error = process.communicate(timeout=60)[1]
    assert process.returncode == 130, error
    assert "finishing the conversations in flight" in error
    done = digests("runs")
    assert seen.items() <= done.items() and len(done) < 162
    process = start(*words)
    wait_for_some("runs", len(done) + 5)
    players = [pid for pid in descendants([process.pid]) if b"ray::Worker" in command(pid)]
    assert len(players) == 2
    process.kill()
    process.communicate(timeout=60)
    wait_until_gone(players)
    code, error = sab(*words)
    assert code == 0, error
    assert done.items() <= digests("runs").items() and len(digests("runs")) == 162


def test_a_cluster_that_is_not_there_is_named_at_once() -> None:
    code, error = sab("oracle", "--set", "tracking", "--cluster", "auto", RAY_ADDRESS="127.0.0.1:9")
    assert code == 2
    assert "sab: the cluster cannot be reached" in error and "refused" in error


def wait_for_some(out: str, number: int) -> dict[str, str]:
    """Wait until this many conversations are stored."""
    for _ in range(600):
        if len(found := digests(out)) >= number:
            return found
        time.sleep(0.1)
    raise AssertionError("nothing was stored")


def command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def wait_until_gone(pids: list[int]) -> None:
    """Wait until all of these processes have ended."""
    for _ in range(300):
        if not (left := [pid for pid in pids if command(pid)]):
            return
        time.sleep(0.1)
    raise AssertionError([command(pid) for pid in left])
