"""Addresses that a stranger's file names, and tokens in addresses that the user typed.

Attack → before → now:

- `sab.toml` sets a customer or an agent with a `base_url` (run, gate) → the key was sent there → refused, 2.
- `pytest.ini` sets such an agent, `sab.toml` a budget (pytest) → the key was sent there, without a question
  and without naming the server → refused; a server that gets requests is printed before the first.
- A header or a baseline names such an agent or customer (fork, gate) → the same → refused, 2.
- A token in the path of a typed `base_url` → in run.json and on pages → only the server is stored.
"""

import json
import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from commands import by_pytest, sab
from conversations import job_on
from supportagentbench.board.baseline_file import baseline_of, save_baseline
from supportagentbench.board.gate_plan import GatePlan
from supportagentbench.board.gate_rules import GateConfig
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.fake_provider import provider as fake
from supportagentbench.fake_provider.openai import FakeOpenAI
from supportagentbench.jobs.gate import GateJob
from supportagentbench.jobs.job import Job
from supportagentbench.jobs.run import run_job
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.models.address import recorded_address
from supportagentbench.models.spec import parse_model
from supportagentbench.records.secrets import without_secrets
from supportagentbench.results.load import load_runs
from supportagentbench.site.build import build
from supportagentbench.storage.archive import read_header

TRAP = "damaged_no_proof-1"
KEY = "kEy-of-somebody-93"
TOKEN = "tk9Qm2Zr81LxPw73vT"


class Listener(BaseHTTPRequestHandler):
    """Notes every request and refuses its key."""

    seen: list[str]

    def do_POST(self) -> None:
        self.seen.append(self.headers.get("Authorization", ""))
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(401)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture
def server() -> Iterator[tuple[str, list[str]]]:
    """A stranger's server, and the keys that it was sent."""
    seen: list[str] = []
    serving = ThreadingHTTPServer(("127.0.0.1", 0), type("Noting", (Listener,), {"seen": seen}))
    Thread(target=serving.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{serving.server_port}/v1", seen
    serving.shutdown()
    serving.server_close()


@pytest.fixture
def cloned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder from somebody else, with a run and a baseline; the user's key is in the environment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    drive(run_job(job_on(TRAP, ["trusting"], out=tmp_path / "dl")))
    save_baseline(baseline_of(load_runs([tmp_path / "dl"])), tmp_path / "b.json")
    return tmp_path


def edit(path: Path, **changed: object) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | changed))


FILES = {
    "the customer in sab.toml": ("run", "oracle", "--set", TRAP, "--yes"),
    "the agents in sab.toml, run": ("run", "--set", TRAP, "--yes"),
    "the agents in sab.toml, gated": ("gate", "--baseline", "b.json", "--yes"),
    "the customer of a baseline": ("gate", "oracle", "--baseline", "b.json", "--yes"),
    "the agent of a header": ("fork", "dl", "--yes"),
    "the customer of a header": ("fork", "dl", "--agents", "oracle", "--yes"),
    "the customer of the runs that are there": ("run", "oracle", "complies", "--out", "dl", "--yes"),
}


def write(attack: str, model: str) -> None:
    """The file that the attack is about."""
    match attack.split():
        case [_, "customer", "in", "sab.toml"]:
            Path("sab.toml").write_text(f'[run]\ncustomer = "{model}"\n')
        case [_, "agents", "in", *_]:
            Path("sab.toml").write_text(f'[run]\nagents = ["{model}"]\n')
        case [*_, "baseline"]:
            edit(Path("b.json"), customer=model)
        case [_, "agent", *_]:
            edit(Path("dl/trusting-1/run.json"), agent=model)
        case _:
            edit(Path("dl/trusting-1/run.json"), customer=model)


@pytest.mark.parametrize("attack", FILES)
def test_no_file_sends_the_key_elsewhere(attack: str, cloned: Path, server: tuple[str, list[str]]) -> None:
    url, seen = server
    write(attack, f"openai:gpt-4o,base_url={url}")
    done = sab(*FILES[attack])
    assert done.returncode == 2, done.stderr
    assert "code and addresses are used only if you type them yourself" in done.stderr
    assert not seen


def test_what_is_typed_is_sent_there(cloned: Path, server: tuple[str, list[str]]) -> None:
    url, seen = server
    done = sab("run", f"openai:gpt-4o,base_url={url}", "--set", TRAP, "--yes")
    assert done.returncode and f"Sent to {url.split('/')[2]}: openai:gpt-4o." in done.stderr
    assert seen == [f"Bearer {KEY}"]


def test_a_judge_cannot_be_set_in_a_file(cloned: Path, server: tuple[str, list[str]]) -> None:
    url, seen = server
    Path("sab.toml").write_text(f'[run]\njudge = "openai:gpt-4o,base_url={url}"\n')
    assert sab("run", "oracle", "--set", TRAP, "--yes").returncode == 2
    assert sab("score", "dl").returncode == 0 and not seen


@pytest.mark.parametrize("line", ["sab = {}", "addopts = --sab {}"])
def test_pytest_sends_nothing_to_an_address_in_its_file(
    line: str, cloned: Path, server: tuple[str, list[str]]
) -> None:
    url, seen = server
    Path("pytest.ini").write_text(f"[pytest]\n{line.format(f'openai:gpt-4o,base_url={url}')}\n")
    Path("sab.toml").write_text("[run]\nbudget = 5\n")
    done = by_pytest(cwd=cloned)
    assert done.returncode == 4 and "used only if you type them yourself: add --sab openai" in done.stderr
    assert not seen


def test_pytest_names_the_server_before_it_is_asked(cloned: Path, server: tuple[str, list[str]]) -> None:
    url, seen = server
    Path("pytest.ini").write_text("[pytest]\nsab = openai:gpt-4o\n")
    Path("sab.toml").write_text("[run]\nbudget = 5\n")
    said = f"sab: Sent to {url.split('/')[2]}: openai:gpt-4o.\n"
    done = by_pytest("--sab-set", TRAP, "--collect-only", cwd=cloned, OPENAI_BASE_URL=url)
    assert said in done.stdout and not seen
    done = by_pytest("--sab-set", TRAP, cwd=cloned, OPENAI_BASE_URL=url)
    assert said in done.stdout and seen == [f"Bearer {KEY}"]
    assert done.stdout.index(said) < done.stdout.index(f"{TRAP}")


# Tokens in the path of an address


def assert_nowhere(*roots: Path) -> None:
    files = [path for root in roots for path in root.rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if TOKEN.encode() in path.read_bytes() or TOKEN in str(path)]


def test_a_token_in_the_path_is_stored_and_published_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setitem(fake.DIALECTS, f"/{TOKEN}/v1/chat/completions", FakeOpenAI())

    async def run() -> str:
        async with fake.FakeProvider() as provider:
            place = f"base_url={provider.url}/{TOKEN}/v1"
            agent, customer = f"openai:gpt-5,{place}", f"openai:gpt-4o,{place}"
            job = job_on("tracking-1", [agent], 1, 0, customer, tmp_path / "runs", 1)
            done = await run_job(job)
            assert done.endings.total() == 1 and not done.unfinished
            return provider.url

    url = drive(run())
    build([tmp_path / "runs"], tmp_path / "site")
    assert_nowhere(tmp_path / "runs", tmp_path / "site")
    header = read_header(tmp_path / "runs/openai_gpt-5-1")
    assert re.fullmatch(rf"{url} \(path [0-9a-f]{{4}}\)", str(header.sampling["base_url"]))
    assert header.hosts == {"agent": url[7:], "customer": url[7:]}


def test_a_token_is_not_in_the_plan_of_a_gate(cloned: Path) -> None:
    baseline = baseline_of(load_runs([cloned / "dl"]))
    plan = GatePlan(baseline, GateConfig().rules, tuple(baseline.conversations))
    agent = f"openai:gpt-4o,base_url=http://127.0.0.1:9/{TOKEN}/v1"
    opened = GateJob(plan, JobSpec("", (agent,), out=cloned / "gates")).open(print)
    assert_nowhere(cloned / "gates")
    assert opened.attempt.agent == "openai:gpt-4o"
    other = GateJob(plan, JobSpec("", (agent.replace("/v1", "/v2"),), out=cloned / "gates")).open(print)
    assert isinstance(opened.job, Job) and other.job.spec.out != opened.job.spec.out, "another address"


def test_records_tell_paths_apart_without_naming_them() -> None:
    one, other = (recorded_address(f"https://h:8/{path}") for path in (f"{TOKEN}/v1", "v1"))
    assert one != other and one.startswith("https://h:8 (path ")
    assert recorded_address("https://h/") == recorded_address("https://h") == "https://h"


@pytest.mark.parametrize(
    "part", [TOKEN, "a81bc81b-dead-4e5d-abff-90865d1e13b1", "sk-proj-0Zy1Xw2Vu3Ts4Rq5Po"]
)
def test_a_token_that_a_provider_gives_back_is_masked(part: str) -> None:
    parse_model(f"openai:gpt-5,base_url=https://h/{part}/v1,timeout=30")
    assert without_secrets(f"404 for /{part}/v1/x") == "404 for /[key]/v1/x"


@pytest.mark.parametrize("part", ["v1beta", "openai", "gpt-4o-mini-2024-07-18", "Llama-3.3-70B-Instruct"])
def test_the_name_of_a_model_in_a_path_is_no_token(part: str) -> None:
    parse_model(f"openai:{part},base_url=https://h/deployments/internationalization/{part}/v1")
    assert without_secrets(f"internationalization {part}") == f"internationalization {part}"
