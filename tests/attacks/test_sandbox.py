"""Attacks in the sandbox: what an agent can see, change and reach there, and what is said about it."""

import shutil
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands import Done, alone
from supportagentbench.desk.doors import sandbox
from supportagentbench.desk.doors.process import Isolation
from supportagentbench.desk.doors.sandbox import refuse_if_impossible, sandboxed
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.records.problem import Problem
from supportagentbench.storage.archive import read_header
from supportagentbench.storage.transcripts import read_transcripts
from supportagentbench.world.seed import new_private_seed


def impossible() -> str:
    try:
        refuse_if_impossible(network=False)
    except Problem as problem:
        return str(problem)
    return ""


needs_sandbox = pytest.mark.skipif(bool(impossible()), reason=impossible())


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A folder as a user has it: an agent, keys, runs."""
    folder = tmp_path / "home" / "shop"
    folder.mkdir(parents=True)
    (folder.parent / "secret").write_text("mine")
    for name in ("cheats.py", "wall_breakers.py"):
        shutil.copy(Path(__file__).parent / name, folder)
    (folder / ".env").write_text("KEY=sk-secret-of-the-user")
    (folder / "old" / "x-1").mkdir(parents=True)
    (folder / "old" / "x-1" / "run.json").write_text("{}")
    (folder / "old" / "x-1" / "transcripts.jsonl").write_text("{}")
    for kept in (
        "deep/gate/may/0001/x-1/run.json",
        "site/.supportagentbench-site",
        "cache/supportagentbench/x",
    ):
        (folder / kept).parent.mkdir(parents=True)
        (folder / kept).write_text("{}")
    return folder


@pytest.fixture
def port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def run(shop: Path, agent: str, *words: str, **environment: str) -> Done:
    done = alone(
        "run",
        f"wall_breakers.py:{agent}",
        *("--isolate=sandbox", "--set", "damaged_no_proof", "--customer", "scripted", "--display", "none"),
        *("-j", "1", "--keep-env", "MY_PORT", *words),
        cwd=shop,
        HOME=str(shop.parent),
        **environment,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def said(shop: Path) -> set[str]:
    (folder,) = (shop / "runs").glob("*-1")
    stored = [filed.transcript for filed in read_transcripts(folder)]
    assert len(stored) == 2
    return {turn.text for one in stored for turn in one.turns if turn.party == "agent"}


@needs_sandbox
def test_an_agent_sees_nothing_but_its_code(shop: Path, port: int) -> None:
    done = run(shop, "LooksAround", "--private-seed", new_private_seed(), MY_PORT=str(port))
    assert done.returncode == 0 and "the sandbox has no network" in done.stderr
    assert said(shop) == {"nothing"}
    (folder,) = (shop / "runs").glob("*-1")
    assert read_header(folder).isolation == "sandbox"


@needs_sandbox
def test_the_oracle_is_not_there(shop: Path) -> None:
    (shop / "borrows.py").write_text(
        "from supportagentbench.calibration.oracle import Oracle\n\n\n"
        "async def reply(turns, desk):\n    return Oracle.__name__\n"
    )
    done = alone("run", "borrows.py", "--isolate=sandbox", "--set", "damaged_no_proof", cwd=shop)
    assert done.returncode != 0
    assert "No module named 'supportagentbench.calibration.oracle'" in done.stdout + done.stderr


@needs_sandbox
def test_the_network_is_open_if_it_was_asked_for_and_the_header_says_so(shop: Path, port: int) -> None:
    done = run(shop, "LooksAround", "--sandbox-network", MY_PORT=str(port))
    assert done.returncode == 0 and said(shop) == {"network"}
    (folder,) = (shop / "runs").glob("*-1")
    assert read_header(folder).isolation == "sandbox_network"


@needs_sandbox
@pytest.mark.parametrize(
    ("agent", "cause", "words"),
    [
        ("LeavesDaemonInTmp", "deadline", "no answer"),
        ("Forks", "agent_error", "started too many processes"),
    ],
)
def test_limits_hold_there_too(shop: Path, agent: str, cause: str, words: str) -> None:
    run(shop, agent, "--turn-timeout", "8")
    (folder,) = (shop / "runs").glob("*-1")
    for filed in read_transcripts(folder):
        assert filed.transcript.ending.cause == cause and words in filed.transcript.ending.detail
    left = [one for one in Path("/proc").glob("[0-9]*/cmdline") if b"daemon of the sandbox" in cmdline(one)]
    assert left == []


def cmdline(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_without_bubblewrap_it_is_refused_with_what_to_install(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(Problem, match=r"needs bubblewrap; install it, such as `apt install bubblewrap`"):
        Isolation(kind="sandbox").command("agent.py", 3)


def test_where_it_cannot_be_used_it_is_refused_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2; exit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    sandbox._why_not.cache_clear()
    try:
        with pytest.raises(
            Problem, match=r"not possible here \(bwrap: setting up uid map: Permission denied"
        ):
            refuse_if_impossible(network=False)
    finally:
        sandbox._why_not.cache_clear()


def test_the_command_binds_little_and_read_only(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "refuse_if_impossible", lambda network: None)
    monkeypatch.setenv("HOME", str(shop.parent))
    monkeypatch.chdir(shop)
    (shop / "runs").mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(shop / "cache"))
    hidden = JobSpec("northline", ("cheats.py:Refuser",), isolation=Isolation(kind="sandbox")).wall
    assert hidden
    words = sandboxed(["true"], "cheats.py:Refuser", hidden.hidden, False, {})
    text = " ".join(words)
    assert words[0] == "bwrap" and words[-2:] == ["--", "true"]
    assert "--unshare-net" in words and "--unshare-pid" in words and "--die-with-parent" in words
    assert "--bind " not in text and f"--ro-bind {shop} {shop}" in text
    for masked in (
        f"--ro-bind /dev/null {shop / '.env'}",
        f"--tmpfs {shop / 'old'}",
        f"--tmpfs {shop / 'deep'}",
        f"--tmpfs {shop / 'site'}",
        f"--tmpfs {shop / 'cache' / 'supportagentbench'}",
        f"--tmpfs {shop / 'runs'}",
    ):
        assert masked in text
    assert f"--ro-bind {shop.parent} " not in text
    assert "--unshare-net" not in sandboxed(["true"], "cheats.py", [], True, {})


def test_of_a_home_folder_only_the_code_is_bound(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "refuse_if_impossible", lambda network: None)
    monkeypatch.setenv("HOME", str(shop))
    monkeypatch.chdir(shop)
    words = sandboxed(["true"], "cheats.py:Refuser", [], False, {})
    assert str(shop / "cheats.py") in words and f"--ro-bind {shop} {shop}" not in " ".join(words)
