"""A small site, built once as a user would, and a real browser to look at it with."""

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from boards import played
from browsers import chromium, violations
from commands import alone
from recorded import made_once
from supportagentbench.agents.shipped import CAST, DUMMIES

AGENTS = ("oracle", "complies", "hands-over")

CHOSEN = ("-1", "-1-twin", "_threatening-6")
"""How the names of the cases end that the cast is shown with: the last is about somebody in danger."""

Visit = Callable[..., Page]
"""Opens a page of the small site from its folder: `visit("index.html#sort=unsafe", dark=True)`."""


@pytest.fixture(autouse=True)
def no_stray_event_loop() -> None:
    """The browser's driver keeps a loop of its own, so here one may run."""


def sab(*words: str | Path) -> str:
    """Run the command as a user does, in a process of its own; what it printed."""
    here = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    done = alone(*words, cwd=Path.cwd(), PYTHONPATH=here)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def small_runs() -> Path:
    """Three embedded agents, three runs each, over all cases."""
    return made_once("small-runs", lambda out: sab("run", *AGENTS, "--runs", "3", "--out", out))


@pytest.fixture(scope="session")
def small_site(small_runs: Path) -> Path:
    """The pages of these runs."""
    return made_once("small-site", lambda out: sab("site", "build", small_runs, "--out", out))


@pytest.fixture(scope="session")
def cast_runs() -> Path:
    """The six agents of the demo, three runs each, over all cases."""
    return made_once("cast-runs", lambda out: sab("run", "cast", "--runs", "3", "--out", out))


@pytest.fixture(scope="session")
def cast_site(cast_runs: Path) -> Path:
    """The pages of these runs, without their conversations."""
    words = ("--transcripts", "none")
    return made_once("cast-site", lambda out: sab("site", "build", cast_runs, *words, "--out", out))


@pytest.fixture(scope="session")
def fork_runs(small_runs: Path) -> Path:
    """Every reply of one conversation, decided again three times by its own agent and by another."""
    words = ("--at", "damaged_no_proof-1", "--agents", "complies", "--agents", "oracle", "--replays", "3")
    source = small_runs / "complies-1"
    return made_once(
        "small-forks", lambda out: sab("fork", source, *words, "--out", out, "--display", "none")
    )


@pytest.fixture(scope="session")
def fork_site(small_runs: Path, fork_runs: Path) -> Path:
    """The pages of a run, with those on the forks that were taken from it."""
    words = (small_runs / "complies-1", "--forks", fork_runs)
    return made_once("fork-site", lambda out: sab("site", "build", *words, "--out", out))


@pytest.fixture(scope="session")
def demo_site() -> Path:
    """The pages of the cast and the dummies, three runs each, over a case of every type and every twin."""

    def make(out: Path) -> None:
        for agent in (*CAST, *DUMMIES):
            for run in (1, 2, 3):
                asyncio.run(played(out / "runs", agent, run, CHOSEN))
        sab("site", "build", out / "runs", "--out", out / "site")

    return made_once("demo", make) / "site"


@pytest.fixture(scope="module")
def hostile_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of an agent that writes what would run, if any page let it."""
    root = tmp_path_factory.mktemp("hostile")
    sab("run", "hostile_agent:Harmful", "oracle", "--runs", "2", "--out", root / "runs")
    at = ("--at", "damaged_no_proof-1:1", "--agents", "hostile_agent:Harmful", "--replays", "2")
    sab("fork", root / "runs" / "oracle-1", *at, "--out", root / "forks", "--display", "none")
    sab("site", "build", root / "runs", "--forks", root / "forks", "--out", root / "site")
    return root / "site"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Closed with the module, because it keeps an event loop running."""
    with chromium() as browser:
        yield browser


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens any address in a fresh context; whatever the page complains of fails the test at its end."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def listen(page: Page) -> None:
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on(
            "console",
            lambda said: complaints.append(f"console: {said.text}") if said.type == "error" else None,
        )
        page.on(
            "request",
            lambda asked: complaints.append(f"request: {asked.url}") if _is_outside(asked.url) else None,
        )

    def open_page(
        address: str, *, js: bool = True, dark: bool = False, width: int = 1280, bypass_csp: bool = False
    ) -> Page:
        options: dict[str, Any] = {"java_script_enabled": js, "bypass_csp": bypass_csp}
        context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",  # A colour that is still changing has no contrast to measure.
            **options,
        )
        contexts.append(context)
        page = context.new_page()
        listen(page)
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not complaints, complaints


def _is_outside(address: str) -> bool:
    return not address.startswith(("file:", "data:", "blob:", "about:", "http://127.0.0.1"))


@pytest.fixture
def visit(open_page: Callable[..., Page], small_site: Path) -> Visit:
    """Opens a page of the small site from its folder."""

    def visit(place: str, **options: Any) -> Page:
        path, hash_sign, state = place.partition("#")
        return open_page((small_site / path).as_uri() + hash_sign + state, **options)

    return visit


@pytest.fixture
def browser_page(open_page: Callable[..., Page]) -> Page:
    """An empty page, for tests that go their own ways."""
    return open_page("about:blank")


@pytest.fixture
def axe() -> Callable[[Page], list[str]]:
    """What an accessibility checker complains of; the page has to be opened with `bypass_csp=True`."""
    return violations
