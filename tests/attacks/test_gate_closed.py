"""Attacks on the gate: whatever keeps it from measuring, and whatever the agent's code does, it is not green.

| attack | before | now |
|---|---|---|
| provider down, key refused, budget spent, disk full, a second gate at once | exit code 0 | 4, 4, 3, 2, 2 |
| conversations that ended outside the agent, cases that stored runs lack | exit code 0 | 2 |
| `os._exit(0)` or `os.exec…` at import or in a reply, in process | exit code 0 | 2 or 5, with the line |
| `os.fork()` in a reply | every line twice | the copy is ended |
| `loop.stop()`, threads that never end | traceback, no end | no effect, ended after 5 s |
| reading or forging results from the agent's code, `isolate = true` in `sab.toml` | in process | behind the wall |
| `pytest --sab` when nothing could be run, or a case is newly unsafe | passed or skipped | error, failed |
"""

import json
import resource
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from shutil import copytree
from threading import Thread

import pytest

from commands import SAB, alone, sab
from supportagentbench.models.http_client import RetryPolicy
from supportagentbench.storage.archive import lock_folder

SET = ("--set", "damaged_no_proof,tracking")
GATE = ("gate", "--baseline", "baseline.json", "--display", "none")


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a baseline of the oracle on eight cases."""
    folder = tmp_path_factory.mktemp("saved")
    assert sab("run", "oracle", *SET, "--out", "before", "--display", "none", cwd=folder).returncode == 0
    assert sab("gate", "--save", "baseline.json", "before", cwd=folder).returncode == 0
    return folder


@pytest.fixture
def shop(saved: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return copytree(saved, tmp_path / "shop")


class RefusesKeys(BaseHTTPRequestHandler):
    """A provider that knows no key."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        body = b'{"error": {"message": "Incorrect API key provided.", "code": "invalid_api_key"}}'
        self.send_response(401)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words: object) -> None: ...


@pytest.fixture
def refusing() -> Iterator[str]:
    """The address of such a provider."""
    server = HTTPServer(("127.0.0.1", 0), RefusesKeys)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


def model_at(address: str) -> str:
    return f"openai:gpt-4o,base_url={address}"


def test_a_provider_that_is_down_or_refuses_the_key_is_exit_code_4(
    shop: Path, refusing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RetryPolicy, "wait", lambda policy, attempt: 0.0)
    for address, said in (("http://127.0.0.1:1/v1", "no connection"), (refusing, "Incorrect API key")):
        done = sab(*GATE, model_at(address), "--yes", cwd=shop, OPENAI_API_KEY="sk-0123456789")
        assert done.returncode == 4, done.stdout + done.stderr
        shown = " ".join(done.stdout.split())
        assert "Gate incomplete" in shown and "8 of 8 conversations are missing" in shown and said in shown


def test_a_budget_that_pays_for_nothing_is_exit_code_3(shop: Path, refusing: str) -> None:
    words = (*GATE, model_at(refusing), "--yes", "--budget", "0.01")
    done = sab(*words, cwd=shop, OPENAI_API_KEY="sk-0123456789")
    assert done.returncode == 3 and "Gate incomplete" in done.stdout, done.stdout + done.stderr
    assert "does not cover the next request" in " ".join(done.stdout.split())


@pytest.mark.parametrize("strict", [(), ("--strict",)])
def test_a_full_disk_is_exit_code_2(shop: Path, strict: tuple[str, ...]) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))

    done = subprocess.run(
        [*SAB, *GATE, "oracle", *strict],
        cwd=shop,
        capture_output=True,
        text=True,
        preexec_fn=limit,
        env={"PYTHONPATH": ":".join(sys.path), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert "cannot be written" in " ".join((done.stdout + done.stderr).split())


def test_a_second_gate_at_the_same_time_is_exit_code_2(shop: Path) -> None:
    cut = sab(*GATE, "oracle", "--budget", "1", cwd=shop)
    assert cut.returncode == 0
    (shop / "runs/gate/0001/ended").unlink()
    transcripts = shop / "runs/gate/0001/oracle-1/transcripts.jsonl"
    transcripts.write_bytes(transcripts.read_bytes().splitlines(keepends=True)[0])
    with lock_folder(shop / "runs/gate/0001/oracle-1"):
        done = sab(*GATE, "oracle", cwd=shop)
    assert done.returncode == 2 and "7 not run" in done.stdout, done.stdout + done.stderr
    assert "is being written by another process" in " ".join(done.stdout.split())


def test_a_gate_on_stored_runs_misses_what_they_lack(shop: Path) -> None:
    """Conversations that ended outside the agent, that are not there, or that were never planned."""
    assert sab(*GATE, "before", cwd=shop).returncode == 0
    transcripts = shop / "before/oracle-1/transcripts.jsonl"
    lines = transcripts.read_text().splitlines(keepends=True)
    transcripts.write_text("".join(lines[:-1]))
    done = sab(*GATE, "before", cwd=shop)
    assert done.returncode == 2 and "1 of 8 conversations is missing: 1 not run" in done.stdout
    sab("run", "oracle", "--set", "tracking-1", "--out", "few", "--display", "none", cwd=shop)
    few = sab(*GATE, "few", cwd=shop)
    assert few.returncode == 2 and "7 of 8 conversations are missing: 7 not run" in few.stdout
    found = json.loads(sab(*GATE, "few", "--json", cwd=shop).stdout)
    assert found["status"] == "incomplete" and {one["status"] for one in found["rules"]} == {"incomplete"}


def test_a_rule_that_failed_stays_failed_with_conversations_missing(shop: Path) -> None:
    """The gate ended early because it is decided, as it should."""
    done = sab(*GATE, "complies", "-x", "-j", "1", cwd=shop)
    assert done.returncode == 100 and "missing" not in done.stdout.partition("\n")[0]


REPLY = """
import asyncio, os, threading, time

class Agent:
    async def reply(self, turns, desk):
        {does}
        return "Hello."
"""
ENDS = ("os._exit(0)", 'os.execvp("true", ["true"])')


def agent_that(does: str, shop: Path) -> str:
    """An agent whose replies begin with this."""
    (shop / "mine.py").write_text(REPLY.format(does=does))
    return "mine.py"


def test_ending_the_process_while_it_is_loaded_is_exit_code_2(shop: Path) -> None:
    (shop / "mine.py").write_text("import os; os._exit(0)")
    for words in (("run",), (*GATE, "--trust"), GATE):
        done = alone(*words, "mine.py", cwd=shop)
        assert done.returncode == 2 and "cannot be loaded" in done.stderr, (words, done)
        assert "os._exit(0)" in done.stderr or "its process ended: exit code 0" in done.stderr


@pytest.mark.parametrize("does", ENDS)
def test_ending_the_process_in_a_reply_is_an_error_of_the_agent(shop: Path, does: str) -> None:
    name = agent_that(does, shop)
    ran = alone("run", name, *SET, "--display", "none", cwd=shop)
    assert ran.returncode == 5 and "which would end the benchmark" in ran.stderr, ran
    trusted = alone(*GATE, name, "--trust", cwd=shop)
    assert trusted.returncode == 100 and "agent error" in trusted.stdout, trusted
    walled = alone(*GATE, name, cwd=shop)
    assert walled.returncode == 100 and "agent error" in walled.stdout, walled


def test_a_copy_of_the_process_writes_nothing(shop: Path) -> None:
    name = agent_that("os.fork(); await asyncio.sleep(0.01)", shop)
    done = alone("run", name, *SET, "--display", "none", cwd=shop)
    assert done.returncode == 0 and "the copy was ended" in done.stderr, done
    assert len((shop / "runs/mine.py-1/transcripts.jsonl").read_text().splitlines()) == 8


def test_stopping_the_loop_changes_nothing_and_threads_are_ended(shop: Path) -> None:
    thread = "threading.Thread(target=time.sleep, args=(900,)).start()"
    name = agent_that(f"asyncio.get_running_loop().stop(); {thread}", shop)
    done = alone("run", name, "--set", "tracking-1", "--display", "none", cwd=shop)
    assert done.returncode == 0 and "Traceback" not in done.stderr, done
    assert "the command is done, but an agent left" in done.stderr


GREETS = "def reply(desk, conversation): return 'Hello.'"


def kinds(folder: Path) -> set[str]:
    """Where agents' code ran, according to the headers below a folder."""
    return {json.loads(path.read_text()).get("isolation", "") for path in folder.rglob("run.json")}


def test_an_agent_is_behind_the_wall_unless_it_is_trusted(shop: Path) -> None:
    (shop / "greets.py").write_text(GREETS)
    (shop / "sab.toml").write_text("[run]\nisolate = false\n")
    walled = sab(*GATE, "greets.py", "--out", "walled", cwd=shop)
    assert kinds(shop / "walled") == {"process"} and "isolate=false does not apply" in walled.stderr
    assert "runs in a separate process. It gets no keys" in walled.stderr
    assert "The agent's code ran in a separate process." in " ".join(walled.stdout.split())
    trusted = sab(*GATE, "greets.py", "--trust", "--out", "trusted", cwd=shop)
    assert kinds(shop / "trusted") == {"none"}
    assert "ran in the benchmark's process, trusted." in " ".join(trusted.stdout.split())
    shipped = sab(*GATE, "oracle", "--out", "shipped", cwd=shop)
    assert kinds(shop / "shipped") == {""} and "code ran" not in shipped.stdout


def test_with_pytest_an_agent_is_behind_the_wall_unless_it_is_trusted(shop: Path) -> None:
    (shop / "greets.py").write_text(GREETS)
    one = ("--sab-set", "tracking-1")
    walled = pytest_on(shop, "greets.py", *one)
    assert kinds(shop / "runs/pytest/0001") == {"process"} and walled.returncode == 1
    assert pytest_on(shop, "greets.py", *one, "--sab-trust", "-v").stdout.count("trusted") == 1
    assert kinds(shop / "runs/pytest/0002") == {"none"}


def test_replays_of_forks_obey_the_config_and_the_command_line(shop: Path) -> None:
    (shop / "greets.py").write_text(GREETS)
    words = ("fork", "before", "-a", "greets.py", "-n", "1", "--at", "damaged_no_proof-1:1", "--display", "none")
    assert sab(*words, "--out", "plain", cwd=shop).returncode == 0
    assert sab(*words, "--isolate", "--out", "typed", cwd=shop).returncode == 0
    (shop / "sab.toml").write_text("[run]\nisolate = true\n")
    assert sab(*words, "--out", "set", cwd=shop).returncode == 0
    assert [kinds(shop / name) for name in ("plain", "typed", "set")] == [{"none"}, {"process"}, {"process"}]


PLUGIN = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "supportagentbench.cli.pytest_plugin")


def pytest_on(shop: Path, agent: str, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """pytest, as a pipeline starts it."""
    return subprocess.run(
        [sys.executable, "-P", *PLUGIN, "-p", "no:sab", "-p", "no:xdist", "--sab", agent, *words],
        cwd=shop,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": ":".join(sys.path), "PATH": "/usr/bin:/bin", **environment},
    )


def test_with_pytest_a_case_that_was_not_measured_is_an_error(shop: Path, refusing: str) -> None:
    (shop / "sab.toml").write_text('[run]\nbudget = 5\n[gate]\nbaseline = "baseline.json"\n')
    done = pytest_on(shop, model_at(refusing), OPENAI_API_KEY="sk-0123456789")
    assert done.returncode == 1 and "10 errors" in done.stdout, done.stdout + done.stderr
    assert "passed" not in done.stdout and "skipped" not in done.stdout
    assert "Incorrect API key" in done.stdout and "Traceback" not in done.stdout


def test_with_pytest_a_newly_unsafe_case_fails_at_once(shop: Path) -> None:
    (shop / "sab.toml").write_text('[gate]\nbaseline = "baseline.json"\nunsafe = "no new"\n')
    done = pytest_on(shop, "complies", "-k", "damaged_no_proof")
    assert done.returncode == 1 and "FAILED complies::damaged_no_proof-1 " in done.stdout, done.stdout
