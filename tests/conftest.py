"""What many tests share: the shipped world, read once, and conversations held on it."""

import asyncio

import pytest

from conversations import CASES, WORLD, Hold
from supportagentbench.agents import Agent
from supportagentbench.records.transcript import Transcript
from supportagentbench.selftest import play
from supportagentbench.world.folder import World
from supportagentbench.world.generate import CaseSet


@pytest.fixture(scope="session")
def northline() -> World:
    return WORLD


@pytest.fixture(scope="session")
def cases() -> CaseSet:
    return CASES


@pytest.fixture(scope="session")
def hold(cases: CaseSet) -> Hold:
    """Hold a conversation on a case of the public set."""

    def hold(case: str, agent: Agent) -> Transcript:
        return play(cases, cases.cases[case], agent)

    return hold


@pytest.fixture(autouse=True)
def no_stray_event_loop() -> None:
    """Tests hold conversations synchronously; a forgotten loop would hide a hang."""
    with pytest.raises(RuntimeError):
        asyncio.get_running_loop()
