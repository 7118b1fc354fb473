"""What many tests share: the shipped world, read once, and conversations held on it."""

import asyncio
from collections.abc import Iterator

import pytest

from conversations import CASES, WORLD, Hold
from supportagentbench.agents import Agent
from supportagentbench.records.transcript import Transcript
from supportagentbench.selftest import play
from supportagentbench.world.folder import World
from supportagentbench.world.generate import CaseSet


@pytest.fixture(scope="session", autouse=True)
def own_score_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads or leaves anything in the cache of whoever runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


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
