"""Attacks on the gate: whatever keeps it from measuring, and whatever the agent's code does, it is not green.

| attack | before | now |
|---|---|---|
| provider down, key refused, budget spent, disk full, a second gate at once | exit code 0 | 4, 4, 3, 2, 2 |
| conversations that ended outside the agent, cases that stored runs lack | exit code 0 | 2 |
| `os._exit(0)` or `os.exec…` at import or in a reply, in process | exit code 0 | 2 or 5, with the line |
| `os.fork()` in a reply | every line twice | the copy is ended |
| `loop.stop()`, threads that never end | traceback, no end | no effect, ended after 5 s |
| the agent's code reads or edits results; `isolate = true` in `sab.toml` | in process | behind the wall |
| forged results committed in `runs`, `runs/gate`, `runs/pytest` | counted | refused, or not read |
| runs in a folder called like the agent, or named by the pipeline | counted | the agent is run; refused |
| the agent's code rewrites the installed benchmark | imported afterwards | not imported; 2 |
| baseline and rules of the pull request | believed in silence | origin printed; `git:REF:path` |
| its `sab.toml` hands keys to the agent, lifts its limits | obeyed | refused; with `git:` not read |
| resolved cases become empty words that code cannot decide | left out, held | undecided, named |
| the action by default, agent a model | `--budget 0`, exit code 0 for ever | a sentence, 2 |
| `pytest --sab` when nothing could be run, or a case is newly unsafe | passed or skipped | error, failed |
"""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from shutil import copytree, rmtree
from threading import Thread

import pytest
import yaml

from commands import PYTEST, SAB, alone, sab
from filed import CHARGED, file_run, solved, with_empty_words
from supportagentbench.models.http_client import RetryPolicy
from supportagentbench.storage.archive import lock_folder
from warm import SOURCE, run_code

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
        assert "Gate incomplete" in shown and "10 of 10 conversations are missing" in shown and said in shown


def test_a_budget_that_pays_for_nothing_is_exit_code_3(shop: Path, refusing: str) -> None:
    words = (*GATE, model_at(refusing), "--yes", "--budget", "0.01")
    done = sab(*words, cwd=shop, OPENAI_API_KEY="sk-0123456789")
    assert done.returncode == 3 and "Gate incomplete" in done.stdout, done.stdout + done.stderr
    assert "does not cover the next request" in " ".join(done.stdout.split())


FULL = f"from resource import *; setrlimit(RLIMIT_FSIZE, (40_000, 40_000)); {SAB[-1]}"


def test_a_full_disk_is_exit_code_2(shop: Path) -> None:
    env = {"PYTHONPATH": SOURCE, "PYTHONDONTWRITEBYTECODE": "1"}
    done = run_code(FULL, *GATE, "oracle", cwd=shop, env=env)
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
    thread = "threading.Thread(target=time.sleep, args=(60,)).start()"
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
    assert "runs in a separate process" in walled.stderr and "It gets no keys" in walled.stderr
    assert "The agent's code ran in a separate process, with" in " ".join(walled.stdout.split())
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
    words = (
        "fork",
        "before",
        "-a",
        "greets.py",
        "-n",
        "1",
        "--at",
        "damaged_no_proof-1:1",
        "--display",
        "none",
    )
    assert sab(*words, "--out", "plain", cwd=shop).returncode == 0
    assert sab(*words, "--isolate", "--out", "typed", cwd=shop).returncode == 0
    (shop / "sab.toml").write_text("[run]\nisolate = true\n")
    assert sab(*words, "--out", "set", cwd=shop).returncode == 0
    assert [kinds(shop / name) for name in ("plain", "typed", "set")] == [{"none"}, {"process"}, {"process"}]


SENDS = """
import re

def reply(desk, conversation):
    for order in re.findall(r"#\\d+", conversation[0].text):
        desk.call("replace_item", {"order": order, "line": 1, "reason": "damaged"})
    return "A replacement is on its way."
"""
CHECKED = (*GATE, "mine.py", "-x", "--trust", "--runs", "1")


def cut_short(shop: Path) -> Path:
    """Commit a gate of a bad agent with the conversations of a good one, as if it had been cut short."""
    (shop / "mine.py").write_text(SENDS)
    assert sab(*CHECKED, cwd=shop).returncode == 100
    attempt = shop / "runs/gate/0001"
    (attempt / "ended").unlink()
    good = (shop / "before/oracle-1/transcripts.jsonl").read_bytes()
    (attempt / "mine.py-1/transcripts.jsonl").write_bytes(good)
    return attempt


@pytest.mark.parametrize("pipeline", ["CI", "GITHUB_ACTIONS", "GITLAB_CI"])
def test_forged_results_of_a_gate_are_not_resumed_in_a_pipeline(shop: Path, pipeline: str) -> None:
    attempt = cut_short(shop)
    ours = sab(*CHECKED, cwd=shop, **{pipeline: "true"})
    assert ours.returncode == 100 and "resumed" not in ours.stdout
    assert "an earlier gate is not resumed in a pipeline" in " ".join(ours.stderr.split())
    assert not (attempt / "ended").exists()
    (shop / "runs/gate/0002").rename(shop / "elsewhere")
    forged = sab(*CHECKED, "--resume", cwd=shop, **{pipeline: "true"})
    assert forged.returncode == 0 and "resumed, 8 of 8" in " ".join(forged.stderr.split())


def test_on_a_desk_of_ones_own_a_gate_is_resumed_as_before(shop: Path) -> None:
    cut_short(shop)
    done = sab(*CHECKED, cwd=shop, CI="false")
    assert done.returncode == 0 and "resumed, 8 of 8" in " ".join(done.stderr.split())


def test_only_failed_believes_no_result_that_was_committed(shop: Path) -> None:
    sab(*GATE, "complies", "-x", cwd=shop)
    done = sab(*GATE, "oracle", "--only", "failed", cwd=shop, CI="true")
    assert done.returncode == 2 and "add --resume" in done.stderr


@pytest.mark.parametrize("place", ["runs/oracle-1", "runs/any-name", "runs"])
def test_a_committed_run_is_refused_in_a_pipeline(shop: Path, place: str) -> None:
    copytree(shop / "before/oracle-1", shop / place)
    words = ("run", "oracle", *SET, "--display", "none")
    done = sab(*words, cwd=shop, CI="true")
    assert done.returncode == 2 and "a pipeline believes no such runs" in done.stderr, done
    assert place in done.stderr and "--fresh" in done.stderr and "--resume" in done.stderr
    if place == "runs/oracle-1":
        assert sab(*words, "--resume", cwd=shop, CI="true").returncode == 0
        assert sab(*words, "--fresh", cwd=shop, CI="true").returncode == 0


@pytest.mark.parametrize("name", ["oracle", "mine.py", "mine.py:Agent", "openai:gpt-5.4"])
def test_a_folder_that_is_called_like_the_agent_is_not_read_in_its_place(shop: Path, name: str) -> None:
    copytree(shop / "before/oracle-1", shop / name)
    done = sab(*GATE, name, "--budget", "1", cwd=shop, OPENAI_API_KEY="")
    assert (done.returncode == 0) == (name == "oracle"), "only the oracle can be run here"
    assert (shop / "runs/gate").exists() == (name == "oracle")


def test_stored_runs_are_counted_in_a_pipeline_only_if_asked(shop: Path) -> None:
    assert sab(*GATE, "before", cwd=shop).returncode == 0
    done = sab(*GATE, "before", cwd=shop, CI="true")
    assert done.returncode == 2 and "a pipeline believes no such runs" in done.stderr, done
    assert sab(*GATE, "before", "--resume", cwd=shop, CI="true").returncode == 0


def test_with_pytest_forged_results_are_not_resumed_in_a_pipeline(shop: Path) -> None:
    (shop / "mine.py").write_text(GREETS)
    one = ("--sab-set", "tracking-1", "--sab-trust")
    assert pytest_on(shop, "mine.py", *one).returncode == 1
    (shop / "runs/pytest/0001/ended").unlink()
    lines = (shop / "before/oracle-1/transcripts.jsonl").read_text().splitlines(keepends=True)
    (line,) = [one for one in lines if '"case":"tracking-1"' in one]
    (shop / "runs/pytest/0001/mine.py-1/transcripts.jsonl").write_text(line)
    assert pytest_on(shop, "mine.py", *one, CI="1").returncode == 1
    (shop / "runs/pytest/0002/ended").rename(shop / "runs/pytest/0001/kept")
    copytree(shop / "runs/pytest/0001", shop / "runs/pytest/0003")
    assert pytest_on(shop, "mine.py", *one, "--sab-resume", CI="1").returncode == 0


def test_init_keeps_runs_out_of_git_and_its_workflow_trusts_nothing_of_the_change(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*.pyc")
    assert "wrote .gitignore" in sab("init", cwd=tmp_path).stdout
    assert (tmp_path / ".gitignore").read_text() == "*.pyc\nruns/\n"
    for line in ("runs", "/runs/", "runs/"):
        (tmp_path / "next" / line.strip("/")).mkdir(parents=True)
        (tmp_path / "next/.gitignore").write_text(f"{line}\n")
        assert "wrote next/my_agent.py" in sab("init", "next", cwd=tmp_path).stdout
        assert (tmp_path / "next/.gitignore").read_text() == f"{line}\n"
        rmtree(tmp_path / "next")
    (job,) = yaml.safe_load((tmp_path / ".github/workflows/support-desk.yml").read_text())["jobs"].values()
    script = next(step["run"] for step in job["steps"] if "sab gate" in step.get("run", ""))
    assert "${{" not in script and "sab gate my_agent.py" in script
    assert '--baseline "git:$BASE:baseline.json" --config "git:$BASE:sab.toml"' in script
    assert "--resume" not in script and "--trust" not in script
    assert job["env"]["BASE"] == "refs/remotes/origin/${{ github.event.repository.default_branch }}"


def test_the_workflow_of_init_is_not_passed_by_committed_runs(tmp_path: Path) -> None:
    """Its script, as the pipeline runs it, on a pull request that brings runs, a baseline and rules."""
    assert sab("init", cwd=tmp_path).returncode == 0
    few = (tmp_path / "sab.toml").read_text().replace('set = "all"', 'set = "damaged_no_proof,tracking"')
    (tmp_path / "sab.toml").write_text(few.replace('"no new"', '"at most 0%"'))
    assert sab("run", "my_agent.py", "--display", "none", cwd=tmp_path).returncode == 0
    assert sab("gate", "--save", "baseline.json", cwd=tmp_path).returncode == 0
    in_git(tmp_path, "init", "-q", "-b", "main")
    in_git(tmp_path, "add", ".")
    assert "runs/" not in in_git(tmp_path, "ls-files")
    in_git(tmp_path, "commit", "-qm", "honest")
    (job,) = yaml.safe_load((tmp_path / ".github/workflows/support-desk.yml").read_text())["jobs"].values()
    script = next(step["run"] for step in job["steps"] if "sab gate" in step.get("run", ""))
    (tmp_path / "sab").write_text(f'#!/bin/sh\nexec {shlex.join(SAB)} "$@"\n')
    (tmp_path / "sab").chmod(0o755)
    green = in_workflow(tmp_path, script)
    assert green.returncode == 0 and "Gate held" in green.stdout, green
    (tmp_path / "my_agent.py").write_text(SENDS)
    (tmp_path / "baseline.json").write_text("{}")
    (tmp_path / "sab.toml").write_text(few.replace('"no new"', '"at most 100%"'))
    red = in_workflow(tmp_path, script)
    assert red.returncode == 100, red


def in_workflow(folder: Path, script: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """A step of a workflow, as GitHub runs it."""
    return subprocess.run(
        ["bash", "-e", "-c", script],
        cwd=folder,
        capture_output=True,
        text=True,
        env={
            "PATH": f"{folder}:{os.environ['PATH']}",
            "PYTHONPATH": os.pathsep.join(sys.path),
            "CI": "true",
            "BASE": "main",
            "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
            **variables,
        },
    )


def in_git(shop: Path, *words: str) -> str:
    """What git prints in this folder."""
    name = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    return subprocess.run(
        ["git", *name, *words], cwd=shop, check=True, capture_output=True, text=True
    ).stdout.strip()


@pytest.fixture
def repository(committed: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return copytree(committed, tmp_path / "shop", symlinks=True)


@pytest.fixture(scope="module")
def committed(saved: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository whose branch `main` has an honest baseline and rules, with a pull request checked out."""
    shop = copytree(saved, tmp_path_factory.mktemp("committed") / "shop")
    (shop / "sab.toml").write_text('[gate]\nbaseline = "baseline.json"\nunsafe = "no new"\n')
    (shop / "mine.py").write_text(GREETS)
    for words in (("init", "-q", "-b", "main"), ("add", "baseline.json", "sab.toml", "mine.py")):
        in_git(shop, *words)
    in_git(shop, "commit", "-qm", "honest")
    in_git(shop, "checkout", "-qb", "change")
    ran = sab("run", "complies", *SET, "--out", "bad", "--display", "none", cwd=shop)
    assert ran.returncode == 0 and sab("gate", "--save", "baseline.json", "bad", cwd=shop).returncode == 0
    (shop / "sab.toml").write_text('[gate]\nbaseline = "baseline.json"\nover_escalation = "at most 100%"\n')
    return shop


def test_a_change_cannot_bring_its_own_baseline_or_rules(repository: Path) -> None:
    words = ("gate", "complies", "--display", "none")
    own = sab(*words, cwd=repository)
    assert own.returncode == 0 and "baseline.json, which differs from commit" in " ".join(own.stdout.split())
    assert "sab.toml, which differs from commit" in " ".join(own.stdout.split())
    base = sab(*words, "-x", "--config", "git:main:sab.toml", cwd=repository)
    commit = in_git(repository, "rev-parse", "main")[:12]
    assert base.returncode == 100, base
    shown = " ".join(base.stdout.split())
    assert f"Baseline: git:main:baseline.json, commit {commit}. Rules: git:main:sab.toml, commit" in shown
    both = ("--baseline", "git:main:baseline.json", "--config", "git:main:./sab.toml", "-x")
    assert sab(*words, *both, cwd=repository).returncode == 100
    in_git(repository, "commit", "-aqm", "mine")
    assert "baseline.json, as in commit" in " ".join(sab(*words, cwd=repository).stdout.split())


NO_FILES = {
    "git:nowhere:baseline.json": "has no commit called nowhere",
    "git:main:none.json": "has no such file",
    "git:main:folder": "is a folder or a link",
    "git:main:link.json": "is a folder or a link",
    "git:main:*.json": "has no such file",
    "git:main": "write git:REF:path",
    "git:--output=x:baseline.json": "write git:REF:path",
    "git:main:--help": "write git:REF:path",
    "git:main:/etc/passwd": "write git:REF:path",
    "git:main:../baseline.json": "has no such file",
}


def test_what_is_not_a_file_of_a_commit_is_one_sentence(repository: Path) -> None:
    in_git(repository, "checkout", "-qf", "main")
    (repository / "folder").mkdir()
    (repository / "folder/baseline.json").write_text("{}")
    (repository / "link.json").symlink_to("baseline.json")
    in_git(repository, "add", "folder", "link.json")
    in_git(repository, "commit", "-qm", "more")
    for name, said in NO_FILES.items():
        done = sab("gate", "oracle", "--baseline", name, cwd=repository)
        assert done.returncode == 2 and said in done.stderr and name in done.stderr, done
        assert "Traceback" not in done.stderr and not (repository / "x").exists()


def test_outside_a_repository_it_is_said(shop: Path) -> None:
    done = sab(
        "gate", "oracle", "--baseline", "git:main:baseline.json", cwd=shop, GIT_CEILING_DIRECTORIES="/"
    )
    assert done.returncode == 2 and "this folder is not in a git repository" in done.stderr
    assert "Baseline: baseline.json. Rules" in " ".join(sab(*GATE, "oracle", cwd=shop).stdout.split())


ACTION = Path(__file__).parents[2] / "action.yml"


def test_the_action_has_no_budget_that_pays_for_nothing(shop: Path, refusing: str) -> None:
    action = yaml.safe_load(ACTION.read_text())
    assert {name: given.get("default") for name, given in action["inputs"].items()} == {
        "agent": None,
        "baseline": "",
        "config": "",
        "budget": "",
        "strict": "false",
    }
    words = action["runs"]["steps"][-1]["run"].partition("sab gate ")[2]
    (shop / "sab").write_text(f'#!/bin/sh\nexec {shlex.join(SAB)} "$@"\n')
    (shop / "sab").chmod(0o755)
    (shop / "sab.toml").write_text("")
    given = {"AGENT": model_at(refusing), "BASELINE": "baseline.json", "CONFIG": "sab.toml", "STRICT": ""}
    for budget, code, said in (
        ("", 2, "this spends money"),
        ("0", 2, "a budget of $0 covers no request to openai:gpt-4o"),
        ("0.01", 3, "Gate incomplete"),
    ):
        done = in_workflow(shop, f"sab gate {words}", **given, BUDGET=budget, OPENAI_API_KEY="sk-0123456789")
        assert done.returncode == code and said in done.stdout + done.stderr, done


def test_inputs_of_the_action_that_are_not_given_mean_the_default_branch() -> None:
    step = yaml.safe_load(ACTION.read_text())["runs"]["steps"][-1]
    for name, file in (("BASELINE", "baseline.json"), ("CONFIG", "sab.toml")):
        base = "github.event.repository.default_branch"
        assert f"|| format('git:refs/remotes/origin/{{0}}:{file}', {base})" in step["env"][name]


PLUGIN = ("-q", "-p", "no:cacheprovider", "-p", "supportagentbench.cli.pytest_plugin")


def pytest_on(shop: Path, agent: str, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """pytest, as a pipeline starts it."""
    env = {"PYTHONPATH": ":".join(sys.path), "PATH": "/usr/bin:/bin", **environment}
    words = (*PLUGIN, "-p", "no:sab", "-p", "no:xdist", "--sab", agent, *words)
    return run_code(PYTEST, *words, cwd=shop, env=env)


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


TELLS = "import os\ndef reply(desk, conversation): return 'It is ' + os.environ.get('MY_WORD', 'unknown')"


def said_in(folder: Path) -> set[str]:
    """What the agent that tells said, in all runs below a folder."""
    found = "".join(path.read_text() for path in folder.rglob("transcripts.jsonl"))
    return {word for word in ("It is unknown", "It is plainword") if word in found}


@pytest.mark.parametrize("kind", ["tags", "heads"])
def test_a_tag_called_like_the_base_is_not_taken_for_it(repository: Path, kind: str) -> None:
    in_git(repository, "update-ref", "refs/remotes/origin/main", "main")
    words = ("gate", "complies", "--display", "none", "-x", "--config")
    assert sab(*words, "git:origin/main:sab.toml", cwd=repository).returncode == 100
    in_git(repository, "commit", "-aqm", "mine")
    in_git(repository, "update-ref", f"refs/{kind}/origin/main", "HEAD")
    for name in ("origin/main", "origin/main~0", "origin/main@{0}"):
        done = sab(*words, f"git:{name}:sab.toml", cwd=repository)
        said = f"refs/remotes/origin/main and refs/{kind}/origin/main; write refs/remotes/origin/main in full"
        assert done.returncode == 2 and said in done.stderr, done
    assert sab(*words, "git:refs/remotes/origin/main:sab.toml", cwd=repository).returncode == 100


def test_a_tag_called_like_the_id_of_a_commit_is_not_taken_for_it(repository: Path) -> None:
    commit = in_git(repository, "rev-parse", "main")
    in_git(repository, "commit", "-aqm", "mine")
    in_git(repository, "update-ref", f"refs/tags/{commit[:10]}", "HEAD")
    words = ("gate", "complies", "--display", "none", "-x", "--config")
    done = sab(*words, f"git:{commit[:10]}:sab.toml", cwd=repository)
    assert done.returncode == 2 and "and the id of an object; write refs/tags/" in done.stderr, done
    assert sab(*words, f"git:{commit}:sab.toml", cwd=repository).returncode == 100
    in_git(repository, "update-ref", "refs/tags/refs/remotes/origin/main", "HEAD")
    full = sab(*words, "git:refs/remotes/origin/main:sab.toml", cwd=repository)
    assert full.returncode == 2 and "no commit called refs/remotes/origin/main; fetch it" in full.stderr, full


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        (
            'keep-env = ["MY_WORD", "a b"]',
            "add --keep-env MY_WORD --keep-env 'a b' (for pytest --sab-keep-env ",
        ),
        ("sandbox-network = true", "add --sandbox-network"),
        ("memory = 0", "add --memory 0"),
        ("memory = 2.5", "add --memory 2.5"),
        ("memory = nan", "add --memory nan"),
        ('out = "../elsewhere"', "add --out ../elsewhere"),
        ('out = "/tmp"', "add --out /tmp"),
        ('out = "linked/runs"', "add --out linked/runs"),
    ],
)
def test_what_weakens_the_wall_is_not_taken_from_a_file(shop: Path, line: str, typed: str) -> None:
    (shop / "tells.py").write_text(TELLS)
    (shop / "linked").symlink_to(shop.parent)
    (shop / "sab.toml").write_text(f"[run]\n{line}\n")
    for words in (("run", *SET, "--isolate"), GATE, ("fork", "before", "-a")):
        done = sab(*words, "tells.py", "--yes", cwd=shop, MY_WORD="plainword")
        assert done.returncode == 2 and f"sab: sab.toml: `{line.partition(' ')[0]}`" in done.stderr, done
        assert typed in done.stderr and "has to be typed" in done.stderr, done
    if line.startswith(("keep-env", "sandbox", "memory = 0", 'out = "/tmp"')):  # pytest: each setting once.
        tested = pytest_on(shop, "tells.py", MY_WORD="plainword")
        assert tested.returncode == 4 and typed in tested.stderr, tested
    assert not list(shop.parent.rglob("tells.py-1"))


def test_variables_are_given_to_an_agent_if_they_are_typed_and_the_gate_says_so(shop: Path) -> None:
    (shop / "tells.py").write_text(TELLS)
    told = sab(*GATE, "tells.py", "--out", "none", cwd=shop, MY_WORD="plainword")
    assert "It gets no keys" in told.stderr and said_in(shop / "none") == {"It is unknown"}
    words = ("tells.py", "--keep-env", "MY_WORD", "--out", "some")
    told = sab(*GATE, *words, cwd=shop, MY_WORD="plainword")
    assert "no keys" not in told.stderr and "It gets MY_WORD of your environment." in told.stderr
    assert said_in(shop / "some") == {"It is plainword"}


def test_with_pytest_variables_are_typed(shop: Path) -> None:
    (shop / "tells.py").write_text(TELLS)
    words = ("--sab-set", "tracking-1")
    typed = pytest_on(shop, "tells.py", *words, "--sab-keep-env", "MY_WORD", MY_WORD="plainword")
    assert typed.returncode == 1 and said_in(shop / "runs") == {"It is plainword"}, typed
    (shop / "pytest.ini").write_text("[pytest]\naddopts = --sab-keep-env MY_WORD\n")
    named = pytest_on(shop, "tells.py", *words, MY_WORD="plainword")
    assert named.returncode == 4 and "type it: --sab-keep-env MY_WORD" in named.stderr, named


def test_a_change_cannot_bring_its_own_settings(repository: Path) -> None:
    """With rules of the base, the wall and the budget are those of the base, too."""
    in_git(repository, "stash", "-q")
    in_git(repository, "checkout", "-q", "main")
    base = '[run]\nconcurrency = 1\nbudget = 3\n[gate]\nbaseline = "baseline.json"\n'
    (repository / "sab.toml").write_text(base)
    in_git(repository, "commit", "-aqm", "settings")
    (repository / "mine.py").write_text(TELLS)
    (repository / "sab.toml").write_text('[run]\nkeep-env = ["MY_WORD"]\nbudget = 1000\n')
    words = ("gate", "mine.py", "--display", "none", "--yes")
    for config in (("--config", "git:main:sab.toml"), ("--config=git:main:sab.toml",)):
        done = sab(*words, *config, cwd=repository, MY_WORD="plainword")
        assert done.returncode in (0, 100), done
        assert "sab: git:main:sab.toml: concurrency=1, budget=3.0\n" in done.stderr, done
    assert said_in(repository / "runs") == {"It is unknown"}
    assert sab(*words, cwd=repository).returncode == 2


def test_a_file_does_not_lower_the_wall_that_is_typed(shop: Path) -> None:
    (shop / "greets.py").write_text(GREETS)
    (shop / "sab.toml").write_text("[run]\nisolate = false\n")
    words = ("greets.py", "--set", "tracking-1", "--display", "none")
    assert sab("run", *words, "--isolate", cwd=shop).returncode == 0
    assert kinds(shop / "runs") == {"process"}


def test_what_the_file_sets_is_printed(shop: Path) -> None:
    (shop / "sab.toml").write_text('[run]\nset = "tracking-1"\nmemory = 1\nturn-timeout = 60\n')
    wall = "sab: sab.toml: memory=1.0, turn-timeout=60.0\n"
    assert wall in sab(*GATE, "oracle", cwd=shop).stderr
    assert wall in sab("fork", "before", "-n", "1", "--display", "none", cwd=shop).stderr
    assert 'sab: sab.toml: set="tracking-1", memory=1.0, turn-' in sab("run", "oracle", cwd=shop).stderr
    assert 'sab: sab.toml: set="tracking-1", memory=1.0, turn-' in pytest_on(shop, "oracle").stdout
    assert "sab.toml" not in sab("gate", "--save", "b.json", "before", cwd=shop).stderr


def test_answers_that_became_empty_words_do_not_leave_the_comparison(tmp_path: Path) -> None:
    names = (CHARGED, "duplicate_charge-2")
    before = file_run(tmp_path / "before", "agent", 1, map(solved, names))
    after = file_run(tmp_path / "after", "agent", 1, [solved(names[1]), with_empty_words(solved(CHARGED))])
    assert sab("gate", "--save", "baseline.json", before, cwd=tmp_path).returncode == 0
    for rule in ("no new", "not worse", "at least 90%"):
        (tmp_path / "sab.toml").write_text(f'[gate]\nbaseline = "baseline.json"\nresolution = "{rule}"\n')
        assert sab("gate", before, "--strict", cwd=tmp_path).returncode == 0
        done = sab("gate", after, "--strict", cwd=tmp_path)
        assert done.returncode == 101 and "Gate undecided" in done.stdout, done
        assert f"Code cannot decide 1 conversation: {CHARGED}." in " ".join(done.stdout.split())
