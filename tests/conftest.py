"""What many tests share: the shipped world, read once, and conversations held on it."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import pytest
from hypothesis import settings

from conversations import CASES, WORLD, Hold
from recorded import SHARED
from supportagentbench.calibration.prove import play
from supportagentbench.desk import Agent
from supportagentbench.records.secrets import forget_secrets
from supportagentbench.records.transcript import Transcript
from supportagentbench.storage.pipeline import VARIABLES
from supportagentbench.world.drawn_cases import DrawnCases
from supportagentbench.world.folder import World

settings.register_profile("any machine", deadline=None)  # Time is measured by benches, not by tests.
settings.load_profile("any machine")

LONGEST = (
    "integrations/test_cluster.py",
    "integrations/test_equal_conversations.py",
    *("test_docs.py", "cli/test_builders_loop.py", "site/data/test_links_browser.py", "site/test_verify.py"),
    *("attacks/test_gate_closed.py", "attacks/test_forgeries.py", "attacks/test_wall.py"),
    *("calibration/test_calibrate.py", "site/test_axe_browser.py", "site/pages/test_reader_browser.py"),
    *("site/pages/test_method_browser.py", "jobs/test_run.py", "runner/test_run.py", "live/test_page.py"),
    *("site/pages/test_board_browser.py", "world/test_drawn_cases.py", "calibration/test_lint.py"),
    *("calibration/test_prove.py", "site/pages/test_tables_browser.py", "site/pages/test_report_browser.py"),
    *("site/test_hostile_browser.py", "checks/test_actions.py", "terminal/test_display.py"),
)
"""The files that take longest. They are begun first, so that test processes end together."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    begun = {Path(__file__).parent / name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: begun.get(item.path, len(begun)))


def pytest_configure(config: pytest.Config) -> None:
    """One folder for what all processes of this run share; workers are told of it by their environment."""
    if SHARED not in os.environ:
        os.environ[SHARED] = shared = mkdtemp(prefix="sab-tests-")
        config.add_cleanup(lambda: rmtree(shared, ignore_errors=True))


@pytest.fixture(scope="session", autouse=True)
def own_score_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads or leaves anything in the cache of whoever runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session", autouse=True)
def not_in_a_pipeline() -> Iterator[None]:
    """Tests are run as by a person, also where a pipeline runs them."""
    with pytest.MonkeyPatch.context() as patch:
        for name in VARIABLES:
            patch.delenv(name, raising=False)
        yield


@pytest.fixture(autouse=True)
def no_secrets() -> Iterator[None]:
    """A key that one test uses is no secret in the next."""
    yield
    forget_secrets()


@pytest.fixture(scope="session")
def northline() -> World:
    return WORLD


@pytest.fixture(scope="session")
def cases() -> DrawnCases:
    return CASES


@pytest.fixture(scope="session")
def hold(cases: DrawnCases) -> Hold:
    """Hold a conversation on a case of the public set."""

    def hold(case: str, agent: Agent) -> Transcript:
        return play(cases, cases.cases[case], agent)

    return hold


@pytest.fixture(autouse=True)
def no_stray_event_loop() -> None:
    """Tests hold conversations synchronously; a forgotten loop would hide a hang."""
    with pytest.raises(RuntimeError):
        asyncio.get_running_loop()
