"""An agent that is hired: made in its first turn, in time for each, and never a crash of the benchmark."""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from conversations import CASES
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.desk import Agent, AgentFactory, Desk
from supportagentbench.desk.doors.house import HouseDoor
from supportagentbench.desk.session import DeskSession
from supportagentbench.records.run import IsolationKind
from supportagentbench.records.transcript import Ending, Turn
from supportagentbench.runner.hired_agent import HiredAgent
from supportagentbench.runner.run import header_of, run_agent
from supportagentbench.storage.archive import read_errors
from supportagentbench.storage.transcripts import read_transcripts

CASE = "cancel_before_ship-1"
HEADER = header_of(CASES, CASE, "mine", ScriptedVoice(), 1, 0)


class Polite:
    def __init__(self, seed: int) -> None:
        self.seed = seed

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        return "Hello."


class Unmade(Polite):
    def __init__(self, seed: int) -> None:
        raise ValueError("no licence")


class Quits(Polite):
    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        raise SystemExit(3)


class Hangs(Polite):
    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        await asyncio.Event().wait()
        return ""


class Blocks(Polite):
    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        time.sleep(0.3)
        return "Sorry for the wait."


class Silent(Polite):
    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        return None  # type: ignore[return-value]


class GivesBytes(Polite):
    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        return b"Hello."  # type: ignore[return-value]


class NoAgent(Polite):
    reply = None  # type: ignore[assignment]


class CancelsItself(Polite):
    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        raise asyncio.CancelledError("my own scope")


class Odd(BaseException):
    def __str__(self) -> str:
        raise RuntimeError("no words")


class RaisesOddly(Polite):
    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        raise Odd


class TimesOut(Polite):
    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        raise TimeoutError("my own server")


def ending(out: Path, factory: AgentFactory) -> Ending:
    writer = asyncio.run(
        run_agent(CASES, HEADER, factory, ScriptedVoice(), out, concurrency=1, turn_timeout=0.2)
    )
    (filed,) = read_transcripts(writer.folder)
    return filed.transcript.ending


@pytest.mark.parametrize(
    ("factory", "cause", "words"),
    [
        (Unmade, "agent_error", "ValueError: no licence"),
        (Quits, "agent_error", "SystemExit: 3"),
        (Hangs, "deadline", "no answer within 0.2 s"),
        (Blocks, "deadline", "nothing else could run"),
        (TimesOut, "agent_error", "TimeoutError: my own server"),
        (Silent, "agent_error", "the reply is a NoneType, not text"),
        (GivesBytes, "agent_error", "the reply is a bytes, not text"),
        (NoAgent, "agent_error", "TypeError: 'NoneType' object is not callable"),
        (CancelsItself, "agent_error", "CancelledError: my own scope"),
        (RaisesOddly, "agent_error", "Odd"),
    ],
)
def test_what_goes_wrong_is_an_ending(tmp_path: Path, factory: AgentFactory, cause: str, words: str) -> None:
    found = ending(tmp_path, factory)
    assert (found.kind, found.cause) == ("broke", cause)
    assert words in found.detail


@pytest.mark.parametrize(
    ("factory", "kind", "line"),
    [
        (Unmade, "ValueError", 'raise ValueError("no licence")'),
        (Quits, "SystemExit", "raise SystemExit(3)"),
        (Hangs, "deadline", "await asyncio.Event().wait()"),
        (RaisesOddly, "Odd", "raise Odd"),
        (Silent, "agent_error", ""),
    ],
)
def test_the_traceback_is_kept_beside_the_conversation(
    tmp_path: Path, factory: AgentFactory, kind: str, line: str
) -> None:
    found = ending(tmp_path, factory)
    (error,) = read_errors(tmp_path / "mine-1")
    assert (error.case, error.run, error.cause, error.kind) == (CASE, 1, found.cause, kind)
    assert error.detail == found.detail and line in error.traceback
    assert "supportagentbench/runner" not in error.traceback


def test_an_agent_that_works_leaves_no_errors(tmp_path: Path) -> None:
    ending(tmp_path, Polite)
    assert read_errors(tmp_path / "mine-1") == []


def seed(isolation: IsolationKind, case: str, opening: str) -> int:
    seeds: list[int] = []

    def factory(seed: int) -> Agent:
        seeds.append(seed)
        return Polite(seed)

    session = DeskSession(CASES.desk_for(CASES.cases[CASE]))
    hired = HiredAgent(HouseDoor(factory), replace(HEADER, isolation=isolation), case, None)
    asyncio.run(hired.reply([Turn("customer", opening)], session.open_turn()))
    return seeds[0]


def test_the_seed_of_a_users_agent_follows_from_what_it_reads_wherever_its_code_runs() -> None:
    assert seed("process", "trap-1", "Hello") == seed("process", "trap-1-twin", "Hello")
    assert seed("process", "trap-1", "Hello") != seed("process", "trap-1", "Hi")
    assert seed("none", "trap-1", "Hello") == seed("process", "trap-1", "Hello")
    assert seed("", "trap-1", "Hello") != seed("", "trap-1-twin", "Hello")
