"""An isolated agent is at the same desk as any other: the same words, the same calls, the same record."""

import asyncio
import os
import subprocess
from pathlib import Path
from select import select

import pytest

from conversations import job_on
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.desk.doors import process
from supportagentbench.desk.doors.process import (
    AgentProcess,
    Isolation,
    ProcessDoor,
    check_loading,
    kill_all,
)
from supportagentbench.jobs.run import JobResult, run_job
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import to_json
from supportagentbench.storage.archive import find_runs
from supportagentbench.storage.transcripts import read_transcripts

AGENT = """
import asyncio
from pathlib import Path
from supportagentbench import AgentFailure, Usage

class Clerk:
    made = 0

    def __init__(self, seed):
        Clerk.made += 1
        Path(f"made-{Clerk.made}").touch()

    async def reply(self, turns, desk):
        await asyncio.sleep(0)
        assert "Northline" in desk.instructions and desk.tools["find_order"].schema
        order = next(word for word in turns[0].text.split() if "#" in word).strip(".,:;!?")
        found = desk.call("find_order", {"order": order})
        desk.call("no_such_tool", {1, 2})
        desk.spend(Usage("mine", input=5, cost=0.25))
        mine = [call.tool for turn in turns for call in turn.calls]
        return f"{found.ok} {found.facts} {len(turns)} {mine} {turns[0].sender}"

class Refuses(Clerk):
    async def reply(self, turns, desk):
        raise AgentFailure("refusal", "not this one")

class Threaded(Clerk):
    async def reply(self, turns, desk):
        calls = [asyncio.to_thread(desk.call, "read_policy", {}) for _ in range(5)]
        return str(sum(result.ok for result in await asyncio.gather(*calls)))
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "shop_clerk.py").write_text(AGENT)
    monkeypatch.syspath_prepend(str(Path(process.__file__).parents[3]))
    monkeypatch.setenv("PYTHONPATH", str(Path(process.__file__).parents[3]))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(agent: str, out: str, isolation: Isolation | None, concurrency: int = 2) -> JobResult:
    job = job_on("damaged_no_proof", [agent], 1, out=Path(out), concurrency=concurrency, isolation=isolation)
    return asyncio.run(run_job(job))


def lines(out: str) -> list[bytes]:
    (folder,) = find_runs([Path(out)])
    return sorted(to_json(filed.transcript) for filed in read_transcripts(folder))


def test_the_record_is_the_same_with_and_without_the_wall() -> None:
    run("shop_clerk.py:Clerk", "near", None)
    run("shop_clerk.py:Clerk", "far", Isolation())
    assert lines("near") == lines("far")
    assert b'"cost":0.25' in lines("far")[0] and b"no_such_tool" in lines("far")[0]


def test_a_module_in_the_current_folder_is_found_too() -> None:
    assert run("shop_clerk:Clerk", "runs", Isolation()).endings == {"customer_left": 2}


def test_a_process_that_behaved_is_used_again(folder: Path) -> None:
    run("shop_clerk.py:Clerk", "runs", Isolation(), concurrency=1)
    assert (folder / "made-2").exists()


def test_one_that_broke_is_not(folder: Path) -> None:
    assert run("shop_clerk.py:Refuses", "runs", Isolation(), concurrency=1).endings == {"refusal": 2}
    assert (folder / "made-1").exists() and not (folder / "made-2").exists()


def test_calls_from_several_threads_do_not_mix() -> None:
    run("shop_clerk.py:Threaded", "runs", Isolation())
    assert all(b'"text":"5"' in line for line in lines("runs"))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("shop_clerk.py:Nobody", "has no 'Nobody'; it has Clerk, Refuses, Threaded"),
        ("nowhere.py:Clerk", "there is no file nowhere.py"),
        ("no.such:Agent", "No module named 'no'"),
        ("broken.py:Agent", "ZeroDivisionError"),
        ("exits.py:Agent", "its process ended: exit code 7"),
    ],
)
def test_an_agent_that_cannot_be_loaded_is_named(folder: Path, name: str, words: str) -> None:
    (folder / "broken.py").write_text("1 / 0")
    (folder / "exits.py").write_text("import os; os._exit(7)")
    with pytest.raises(Problem, match="cannot be loaded") as caught:
        asyncio.run(check_loading(name, Isolation(), 60))
    assert words in str(caught.value)


def test_one_that_loads_for_ever_is_given_up(folder: Path) -> None:
    (folder / "slow.py").write_text("import time; time.sleep(600)")
    with pytest.raises(Problem, match="was not loaded within 1 s"):
        asyncio.run(check_loading("slow.py:Agent", Isolation(), 1))


def test_a_machine_without_room_for_a_process_is_no_fault_of_the_agent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(*_: object, **__: object) -> None:
        raise BlockingIOError("Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", full)
    with pytest.raises(Problem, match="run fewer at a time with -j"):
        asyncio.run(ProcessDoor("shop_clerk.py:Clerk", Isolation()).take())


CLOSING = """
import asyncio
import os
import time
from pathlib import Path

class Closes:
    def __init__(self, seed): ...

    async def reply(self, turns, desk):
        return "No."

    @staticmethod
    async def aclose():
        await asyncio.sleep(0)
        Path(f"closed-{os.getpid()}").touch()

class ClosesPlainly(Closes):
    aclose = None

    @classmethod
    def close(cls):
        Path(f"closed-{os.getpid()}").touch()

class CannotClose(Closes):
    @staticmethod
    async def aclose():
        raise OSError("the database is gone")

class ClosesForEver(Closes):
    @staticmethod
    async def aclose():
        time.sleep(600)
"""


@pytest.mark.parametrize("agent", ["Closes", "ClosesPlainly"])
def test_an_agent_is_closed_in_its_process(folder: Path, agent: str) -> None:
    (folder / "closing.py").write_text(CLOSING)
    run(f"closing.py:{agent}", "runs", Isolation(), concurrency=2)
    closed = [int(path.name.partition("-")[2]) for path in folder.glob("closed-*")]
    assert closed and os.getpid() not in closed


@pytest.mark.parametrize(
    ("agent", "words"),
    [("CannotClose", "OSError: the database is gone"), ("ClosesForEver", "it took longer than 0.5 s")],
)
def test_one_that_cannot_be_closed_is_named_once(
    folder: Path,
    agent: str,
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (folder / "closing.py").write_text(CLOSING)
    monkeypatch.setattr(process, "LEAVE_SECONDS", 0.5)
    assert run(f"closing.py:{agent}", "runs", Isolation(), concurrency=2).endings == {"customer_left": 2}
    assert capsys.readouterr().err == f"sab: closing.py:{agent} could not be closed: {words}\n"


def test_an_agent_that_is_loaded_before_anybody_listens_is_not_out_of_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("quick.py").write_text("def reply(desk, conversation):\n    return 'Hello.'\n")

    async def main() -> None:
        started = AgentProcess("quick.py", Isolation())
        try:
            assert select([started._socket], [], [], 60)[0], "it has said that it is loaded"
            await started.open()
        finally:
            kill_all([started])

    drive(main())
