"""An agent that is hired: made in its first turn, in time for each, and never a crash of the benchmark."""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from conversations import CASES
from supportagentbench.agents import Agent, AgentFactory
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.records.run import IsolationKind
from supportagentbench.records.transcript import Ending, Turn
from supportagentbench.runner.hired_agent import HiredAgent
from supportagentbench.runner.run import header_of, run_agent
from supportagentbench.storage.transcripts import read_transcripts
from supportagentbench.world.desk import Desk

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
    ],
)
def test_what_goes_wrong_is_an_ending(tmp_path: Path, factory: AgentFactory, cause: str, words: str) -> None:
    found = ending(tmp_path, factory)
    assert (found.kind, found.cause) == ("broke", cause)
    assert words in found.detail


def seed(isolation: IsolationKind, case: str, opening: str) -> int:
    seeds: list[int] = []

    def factory(seed: int) -> Agent:
        seeds.append(seed)
        return Polite(seed)

    session = CASES.session_for(CASES.cases[CASE])
    hired = HiredAgent(factory, replace(HEADER, isolation=isolation), case, None)
    asyncio.run(hired.reply([Turn("customer", opening)], session.desk))
    return seeds[0]


def test_the_seed_of_an_agent_that_is_not_trusted_follows_from_what_it_reads() -> None:
    assert seed("process", "trap-1", "Hello") == seed("process", "trap-1-twin", "Hello")
    assert seed("process", "trap-1", "Hello") != seed("process", "trap-1", "Hi")
    assert seed("none", "trap-1", "Hello") != seed("none", "trap-1-twin", "Hello")
