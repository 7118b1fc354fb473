"""Code that a stranger's file names: it is run only if the user types its name.

Attack → before → now:

- A run's header names an agent, a world or a customer that is code (fork) → imported and run → refused, 2.
- A gate's baseline names a world or a customer that is code (gate, pytest) → the same → refused, 2.
- `sab.toml` or pytest's configuration names them (run, gate, pytest) → the same → refused, 2.
- The header of a run in the folder for new runs names a customer (run) → the same → refused, 2.
- A file of the current folder is called like an optional library → imported → the folder is not searched
  unless code was typed.

Each file leaves a mark when it is run; `os:abort` ends the process that calls it.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from commands import PYTEST, alone, by_pytest
from conversations import job_on
from supportagentbench.agents.resolve import is_known_agent
from supportagentbench.agents.shipped import GROUPS
from supportagentbench.board.baseline_file import baseline_of, save_baseline
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.customer.choice import MODELS, is_known_customer
from supportagentbench.jobs.run import run_job
from supportagentbench.jobs.settle import find_code_here
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.models.provider import PLAIN_SETTINGS, is_plain_model
from supportagentbench.models.spec import ModelSpec
from supportagentbench.results.load import load_runs
from supportagentbench.world.code import SHIPPED

TRAP = "damaged_no_proof-1"
MARK = "MARK"

AGENT = """
import pathlib
pathlib.Path("MARK").touch()
def reply(desk, conversation): return "Hello."
"""
MODULE = """
import pathlib
pathlib.Path("MARK").touch()
def factory(): pathlib.Path("MARK").touch()
def reply(desk, conversation): return "Hello."
"""
TOOLS = 'import random\nrandom._os.mkdir("MARK")\n'

FILE, FACTORY, ABORT, WORLD = "dl/x-1/agent.py", "evilmod:factory", "os:abort", "dl/x-1/w"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder from somebody else: a run, a baseline, and code that nobody asked for."""
    root = tmp_path_factory.mktemp("made")
    drive(run_job(job_on(TRAP, ["trusting"], out=root / "dl")))
    (root / "dl/trusting-1").rename(root / "dl/x-1")
    save_baseline(baseline_of(load_runs([root / "dl"])), root / "b.json")
    (root / FILE).write_text(AGENT)
    (root / "evilmod.py").write_text(MODULE)
    (root / WORLD / "cases").mkdir(parents=True)
    (root / WORLD / "cases/one.yaml").write_text("{}")
    (root / WORLD / "tools.py").write_text(TOOLS)
    return root


@pytest.fixture
def stranger(made: Path, tmp_path: Path) -> Path:
    return copytree(made, tmp_path / "folder")


def edit(path: Path, **changed: Any) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | changed))


def assert_refused(
    done: subprocess.CompletedProcess[str], folder: Path, place: str, field: str, name: str, typed: str
) -> None:
    code = 4 if done.args[0] == PYTEST else 2  # 4 is pytest's for wrong usage.
    assert done.returncode == code, done.stdout + done.stderr
    assert not (folder / MARK).exists()
    said = f"sab: {place}: `{field}` names {name}, and code and addresses are used only if you type them"
    assert said in done.stderr, done.stderr
    assert done.stderr.rstrip().endswith(f"yourself: {typed} {name}"), done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("field", "name"),
    [("agent", FILE), ("agent", "evilmod:reply"), ("agent", ABORT), ("agent", "v2"), ("version.given", FILE)],
)
def test_the_agent_of_a_header(stranger: Path, field: str, name: str) -> None:
    changed = {"agent": name} if field == "agent" else {"agent": "v2", "version": {"given": name}}
    edit(stranger / "dl/x-1/run.json", **changed)
    done = alone("fork", "dl", "-n", "1", cwd=stranger)
    assert_refused(done, stranger, "dl/x-1/run.json", field, name, "add --agents")


@pytest.mark.parametrize(
    ("field", "name"), [("world", WORLD), ("world", "."), ("customer", FACTORY), ("customer", ABORT)]
)
def test_the_world_and_the_customer_of_a_header(stranger: Path, field: str, name: str) -> None:
    edit(stranger / "dl/x-1/run.json", **{field: name})
    done = alone("fork", "dl", "--agents", "oracle", "-n", "1", cwd=stranger)
    assert_refused(done, stranger, "dl/x-1/run.json", field, name, f"add --{field}")


@pytest.mark.parametrize(("field", "name"), [("world", WORLD), ("customer", FACTORY), ("customer", ABORT)])
def test_the_world_and_the_customer_of_a_baseline(stranger: Path, field: str, name: str) -> None:
    edit(stranger / "b.json", **{field: name})
    gated = alone("gate", "oracle", "--baseline", "b.json", cwd=stranger)
    assert_refused(gated, stranger, "b.json", field, name, f"add --{field}")
    (stranger / "sab.toml").write_text('[gate]\nbaseline = "b.json"\n')
    done = by_pytest("--sab", "oracle", cwd=stranger)
    assert_refused(done, stranger, "b.json", field, name, f"add --sab-{field}")


@pytest.mark.parametrize("name", [FILE, "evilmod:reply", ABORT])
def test_the_agents_of_a_config(stranger: Path, name: str) -> None:
    (stranger / "sab.toml").write_text(f'[run]\nagents = ["{name}"]\n[gate]\nbaseline = "b.json"\n')
    for command in ("run", "gate"):
        done = alone(command, cwd=stranger)
        assert_refused(done, stranger, "sab.toml", "agents", name, f"sab {command}")


@pytest.mark.parametrize("name", [FACTORY, ABORT])
def test_the_customer_of_a_config_or_of_the_runs_that_are_there(stranger: Path, name: str) -> None:
    edit(stranger / "dl/x-1/run.json", customer=name)
    stored = alone("run", "oracle", "--set", TRAP, "--out", "dl", cwd=stranger)
    assert_refused(stored, stranger, "dl", "customer", name, "add --customer")
    (stranger / "sab.toml").write_text(f'[run]\ncustomer = "{name}"\n')
    done = alone("run", "oracle", "--set", TRAP, cwd=stranger)
    assert_refused(done, stranger, "sab.toml", "customer", name, "add --customer")
    done = by_pytest("--sab", "oracle", cwd=stranger)
    assert_refused(done, stranger, "sab.toml", "customer", name, "add --sab-customer")


@pytest.mark.parametrize(
    ("line", "field", "name", "typed"),
    [
        (f"sab = {FILE}", "sab", FILE, "add --sab"),
        (f"sab = {ABORT}", "sab", ABORT, "add --sab"),
        (f"addopts = --sab {FILE}", "addopts", FILE, "add --sab"),
        (f"addopts = --sab=oracle --sab-world={WORLD}", "addopts", WORLD, "add --sab-world"),
        (f"addopts = --sab=oracle --sab-customer {ABORT}", "addopts", ABORT, "add --sab-customer"),
    ],
)
def test_the_configuration_of_pytest(stranger: Path, line: str, field: str, name: str, typed: str) -> None:
    (stranger / "pytest.ini").write_text(f"[pytest]\n{line}\n")
    done = by_pytest(*(["--sab", "oracle"] if "oracle" in line else []), cwd=stranger)
    assert_refused(done, stranger, str(stranger / "pytest.ini"), field, name, typed)


def test_what_is_typed_is_run_whatever_a_file_says(stranger: Path) -> None:
    edit(stranger / "dl/x-1/run.json", agent=FILE)
    (stranger / "sab.toml").write_text(f'[run]\nagents = ["{ABORT}"]\ncustomer = "{ABORT}"\n')
    typed: dict[str, Callable[[], subprocess.CompletedProcess[str]]] = {
        "fork": lambda: alone("fork", "dl", "--agents", FILE, "-n", "1", cwd=stranger),
        "run": lambda: alone("run", FILE, "--set", TRAP, "--customer", "scripted", cwd=stranger),
        "gate": lambda: alone("gate", FILE, "--baseline", "b.json", cwd=stranger),
        "pytest": lambda: by_pytest(
            "--sab", FILE, "--sab-set", TRAP, "--sab-customer=scripted", cwd=stranger
        ),
    }
    for name, command in typed.items():
        done = command()
        assert (stranger / MARK).exists(), (name, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr and "names" not in done.stderr
        (stranger / MARK).unlink()


def test_a_world_of_ones_own_is_typed_for_every_command(tmp_path: Path) -> None:
    copytree(SHIPPED / "northline", tmp_path / "shop")
    ran = alone("run", "trusting", "--world", "shop", "--set", TRAP, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert alone("gate", "--save", "b.json", "runs", cwd=tmp_path).returncode == 0
    (tmp_path / "sab.toml").write_text('[gate]\nbaseline = "b.json"\n')
    for words, place in (
        (("fork", "runs", "-n", "1"), "runs/trusting-1/run.json"),
        (("gate", "trusting"), "b.json"),
    ):
        assert_refused(alone(*words, cwd=tmp_path), tmp_path, place, "world", "shop", "add --world")
        done = alone(*words, "--world", "shop", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    refused = by_pytest("--sab", "trusting", cwd=tmp_path)
    assert_refused(refused, tmp_path, "b.json", "world", "shop", "add --sab-world")
    assert by_pytest("--sab", "trusting", "--sab-world", "shop", cwd=tmp_path).returncode == 0


def test_the_folder_is_not_searched_for_code_unless_code_is_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    for harmless in (("oracle", "scripted"), ("local:smollm2", "openai:gpt-5"), ("cast", "")):
        find_code_here(JobSpec("", harmless[:1], customer=harmless[1]))
        assert str(tmp_path) not in sys.path
    find_code_here(JobSpec("", ("oracle",), customer="mine:factory"))
    assert sys.path.pop() == str(tmp_path)
    find_code_here(JobSpec("", ("mine.py",)))
    assert sys.path.pop() == str(tmp_path)


def test_what_a_file_may_name() -> None:
    for name in ("oracle", *GROUPS, "capacity", "capacity:believes,dose=0.3", "openai:gpt-5,effort=high"):
        assert is_known_agent(name), name
    for name in ("auto", "scripted", "local:smollm2", "ollama:qwen3:8b", *MODELS):
        assert is_known_customer(name), name
    unknown = (
        "",
        "nobody",
        "a.py",
        "a.py:B",
        "a.b:C",
        "openai:",
        "openai:x,dragons=1",
        "local:./weights.gguf",
    )
    for name in unknown:
        assert not is_known_agent(name) and not is_known_customer(name), name


def test_a_new_setting_is_not_plain_until_somebody_says_so() -> None:
    assert set(ModelSpec.__struct_fields__) - PLAIN_SETTINGS == {"base_url"}
    assert not is_plain_model("openai:gpt-5,base_url=https://api.openai.com/v1")
