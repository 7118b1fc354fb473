"""What tests with frameworks share: nothing is sent home, a fake provider, and the agent of each page."""

import asyncio
import warnings
from collections.abc import Iterator
from pathlib import Path

import certifi
import pytest

from commands import fake_provider

QUIET = {
    "OPENAI_AGENTS_DISABLE_TRACING": "1",
    "LANGSMITH_TRACING": "false",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "OPENAI_API_KEY": "fake",
    "ANTHROPIC_API_KEY": "fake",
}


def pytest_configure(config: pytest.Config) -> None:
    """What a framework warns of, such as a connection that it leaves open, is no fault of ours."""
    config.addinivalue_line("filterwarnings", "default")
    warnings.simplefilter("default")  # For those that come when all tests are done.


@pytest.fixture(scope="session", autouse=True)
def nothing_is_sent_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No traces, no telemetry, and a folder of its own for Claude Code.

    Libraries read all certificates for every connection that they prepare, which takes longer than a whole
    reply; on the loopback one is enough.
    """
    folder = tmp_path_factory.mktemp("certificates")
    first, end, _ = Path(certifi.where()).read_text().partition("-----END CERTIFICATE-----\n")
    (folder / "one.pem").write_text(first + end)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(folder / "one.pem"))
        for name, value in QUIET.items():
            patch.setenv(name, value)
        patch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path_factory.mktemp("claude")))
        yield


@pytest.fixture(scope="session")
def provider() -> Iterator[str]:
    """The address of a fake provider in another process, which all frameworks take for the real ones."""
    with fake_provider() as url, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_BASE_URL", f"{url}/v1")
        patch.setenv("ANTHROPIC_BASE_URL", url)
        yield url


@pytest.fixture(scope="session")
def runner() -> Iterator[asyncio.Runner]:
    """One event loop for all tests: libraries share connections, which live no longer than their loop."""
    with asyncio.Runner() as found:
        yield found


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
