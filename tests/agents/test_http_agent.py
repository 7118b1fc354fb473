"""HTTP agent: named by an address or a file, with a version that is known or said to be unknown."""

import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

import pytest

from commands import sab
from conversations import CASES, job_on
from supportagentbench.agents.http_agent import UNSEEN, HttpAgent
from supportagentbench.agents.resolve import resolve
from supportagentbench.agents.service_file import PRESETS, read_plan
from supportagentbench.board.standings import make_board
from supportagentbench.board.unobservable import HIDDEN_ACTS
from supportagentbench.checks.observable import BY_WORDS
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.desk.doors.service_plan import DESK_NAMES, TALK_NAMES, ServicePlan
from supportagentbench.jobs.run import JobResult, run_job
from supportagentbench.records.problem import Problem
from supportagentbench.records.secrets import without_secrets
from supportagentbench.records.transcript import Transcript
from supportagentbench.results.load import load_runs
from supportagentbench.storage.archive import find_runs, read_header
from supportagentbench.storage.transcripts import read_transcripts

SERVICE = Path(__file__).parents[1] / "service_process.py"
SET = ",".join([*CASES.cases][:90])


def free_port() -> int:
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return int(place.getsockname()[1])


@contextmanager
def running(port: int, version: str = "1") -> Iterator[subprocess.Popen[str]]:
    """A service in a process of its own, until the block ends or it is killed."""
    command = [sys.executable, str(SERVICE), str(port), version]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as service:
        assert service.stdout and service.stdout.readline()
        yield service
        service.kill()


def kept_in(out: Path) -> list[Transcript]:
    return [filed.transcript for folder in find_runs([out]) for filed in read_transcripts(folder)]


def run_at(url: str, out: Path, set_name: str = SET) -> JobResult:
    return drive(run_job(job_on(set_name, [url], out=out)))


def test_an_address_and_a_file_are_services_and_nothing_else_is(tmp_path: Path) -> None:
    assert isinstance(resolve("http://localhost:8780/reply"), HttpAgent)
    assert isinstance(resolve("agent.yaml"), HttpAgent)
    assert resolve("http://user:secret-word@host:1/reply/").title == "host:1/reply"
    assert not resolve("http://localhost:1/").is_known, "a file may not name an address"


def test_a_file_has_the_values_of_its_preset_below_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENT_KEY", "key-of-the-gateway")
    file = tmp_path / "agent.yaml"
    file.write_text("preset: openai-chat\nurl: http://here/v1\nbody: {temperature: 0}\n")
    plan = read_plan(str(file))
    assert plan.body == {"temperature": 0, "model": "agent", "messages": "{messages}"}
    assert plan.headers == {"Authorization": "Bearer key-of-the-gateway"}
    assert without_secrets("it was key-of-the-gateway") == "it was [key]"
    file.write_text("url: http://here/\nbody: {say: '{text}'}\n")
    assert read_plan(str(file)).body == {"say": "{text}"}
    file.write_text("url: http://here/\n")
    assert read_plan(str(file)).body["protocol"] == "sab/1"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("url: http://x/\npreset: rosa\n", "no preset 'rosa'; there are a2a, "),
        ("url: http://x/\nbody: '{txt}'\n", r"agent.yaml: \{txt\} is not known"),
        ("url: http://x/\nheaders: {A: '${NOT_SET_HERE}'}\n", r"\$\{NOT_SET_HERE\} is not set"),
        ("url: http://x/\nrun: rm -rf\n", "unknown field `run`"),
        ("url: http://x/\nreply: '[*'\n", "not a JMESPath expression"),
        ("body: x\n", "missing required field `url`"),
    ],
)
def test_a_file_that_cannot_work_is_named_with_its_remedy(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "agent.yaml"
    file.write_text(text)
    with pytest.raises(Problem, match=words):
        read_plan(str(file))


@pytest.mark.parametrize(
    ("version", "found"),
    [
        ("{text: ' v7 '}", "v7"),
        ("{command: [printf, abc]}", "abc"),
        ("{path: version}", "9"),
        ("{url: /reply, path: version}", "9"),
        ("{header: Server}", "Python"),
    ],
)
def test_a_version_is_found_where_the_file_says(tmp_path: Path, version: str, found: str) -> None:
    port = free_port()
    file = tmp_path / "agent.yaml"
    file.write_text(f"url: http://127.0.0.1:{port}/reply\nversion: {version}\n")
    with running(port, "9"):
        made = resolve(str(file)).version()
    assert made.service.startswith(found) and not made.unseen and "agent.yaml" in made.source


def test_a_version_that_must_be_there_and_is_not_stops_everything(tmp_path: Path) -> None:
    port, file = free_port(), tmp_path / "agent.yaml"
    file.write_text(f"url: http://127.0.0.1:{port}/reply\nversion: {{url: /version}}\n")
    with (
        running(port),
        pytest.raises(Problem, match="version of the service cannot be found: HTTP Error 404"),
    ):
        resolve(str(file)).version()


def test_a_service_that_is_not_there_is_named_before_anything_is_run(tmp_path: Path) -> None:
    done = sab("run", f"http://127.0.0.1:{free_port()}/reply", "--out", str(tmp_path / "runs"))
    assert done.returncode == 2 and "cannot be reached" in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "runs").exists()


def test_without_a_version_every_place_says_so(tmp_path: Path) -> None:
    port, out = free_port(), tmp_path / "runs"
    with running(port, ""):
        done = sab("run", f"http://127.0.0.1:{port}/reply", "--set", "tracking-1", "--out", str(out))
    assert UNSEEN in " ".join(done.stderr.split()) and UNSEEN in " ".join(
        sab("board", str(out)).stdout.split()
    )
    (folder,) = find_runs([out])
    assert read_header(folder).version.unseen == UNSEEN


def test_a_changed_service_is_not_mixed_with_the_one_before(tmp_path: Path) -> None:
    port, out = free_port(), tmp_path / "runs"
    url = f"http://127.0.0.1:{port}/reply"
    with running(port, "1"):
        assert run_at(url, out, "tracking-1").outcome == "complete"
    with running(port, "2"), pytest.raises(Problem, match="the service is 2, was 1"):
        run_at(url, out, "tracking-1")


def test_tokens_have_a_price(tmp_path: Path) -> None:
    port, out = free_port(), tmp_path / "runs"
    with running(port):
        run_at(f"http://127.0.0.1:{port}/reply", out, "tracking-1")
    spent = [one for turn in kept_in(out)[0].turns for one in turn.usage]
    assert spent and all(one.cost and one.cost_by == "table" for one in spent)


def test_a_service_killed_five_times_loses_nothing_and_is_not_blamed(tmp_path: Path) -> None:
    port = free_port()
    url, out = f"http://127.0.0.1:{port}/reply", tmp_path / "runs"
    for _ in range(5):
        with running(port) as service:
            killer = Thread(target=kill_after, args=(service, out, 3))
            killer.start()
            found = run_at(url, out)
            killer.join()
        assert found.unfinished and found.outcome in ("provider", "partial"), found
        assert "no connection" in found.why or "broke off" in found.why, found.why
    with running(port):
        assert run_at(url, out).outcome == "complete"
        run_at(url, whole := tmp_path / "whole")
    ends = sorted((one.case, one.turns, one.ending) for one in kept_in(out))
    assert [one[0] for one in ends] == sorted(SET.split(","))
    assert ends == sorted((one.case, one.turns, one.ending) for one in kept_in(whole))


def kill_after(service: subprocess.Popen[str], out: Path, conversations: int) -> None:
    """Kill a service once so many more conversations are stored."""
    before, until = stored_in(out), monotonic() + 30
    while monotonic() < until and stored_in(out) < before + conversations:
        sleep(0.002)
    service.kill()


def stored_in(out: Path) -> int:
    return sum(file.read_bytes().count(b"\n") for file in out.glob("*/transcripts.jsonl"))


def test_an_agent_without_our_tools_has_words_and_no_acts(tmp_path: Path) -> None:
    file, out = tmp_path / "agent.yaml", tmp_path / "runs"
    port = free_port()
    file.write_text(f"url: http://127.0.0.1:{port}/say\nbody: {{text: '{{text}}'}}\n")
    with running(port):
        done = sab("run", str(file), "--set", "damaged_no_proof,tracking-1", "--out", str(out))
    assert "its acts cannot be observed" in done.stderr
    (run,) = load_runs([out])
    assert run.header.hides_acts
    for verdict in run.verdicts:
        assert verdict.outcome.kind == "undecided" and verdict.outcome.unsafe is None
        seen = {one.check for one in verdict.findings if one.observable}
        assert seen <= BY_WORDS and "blank_reply" in seen
    (agent,) = make_board([run]).agents
    assert {one.metric for one in agent.estimates if one.n} <= {"messages", "words", *BY_WORDS}
    assert agent.safety is None and agent.hides_acts
    assert HIDDEN_ACTS in " ".join(sab("board", str(out)).stdout.split())


def test_the_file_in_the_docs_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOT_KEY", "key-of-the-bot")
    page = (Path(__file__).parents[2] / "docs" / "bring" / "services.md").read_text()
    file = tmp_path / "agent.yaml"
    file.write_text(page.partition("```yaml\n")[2].partition("```")[0])
    assert read_plan(str(file)).reaches_desk
    named = set(re.findall(r"`\{(\w+)\}`", page))
    assert named >= {*TALK_NAMES, *DESK_NAMES}
    assert {path.stem for path in PRESETS.glob("*.yaml")} <= set(re.findall(r"`([\w-]+)`", page))
    assert set(ServicePlan.__struct_fields__) <= set(re.findall(r"`([\w-]+)(?:: sse)?`", page))


def test_a_command_that_plays_nothing_says_what_cannot_be_seen(
    tmp_path: Path,
) -> None:
    port, said = free_port(), list[str]()
    job = job_on("tracking-1", [f"http://127.0.0.1:{port}/reply"], out=tmp_path)
    for version in ("", "2", ""):
        with running(port, version):
            try:
                drive(run_job(job, say=said.append))
            except Problem as problem:
                assert version == "2" and "another version" in str(problem)
    (sentence,) = said
    assert sentence.startswith("0 played; 1 conversation of ") and "cannot be seen" in sentence
    assert "--fresh" in sentence


def test_a_comment_is_no_change_and_a_wrong_file_is_mended_in_place(tmp_path: Path) -> None:
    port, file, said = free_port(), tmp_path / "agent.yaml", list[str]()
    plan = f"url: http://127.0.0.1:{port}/reply\nversion: {{text: a}}\n"

    def ran(text: str) -> JobResult:
        file.write_text(text)
        job = job_on("tracking-1,tracking-2", [str(file)], out=tmp_path / "runs")
        return drive(run_job(job, say=said.append))

    with running(port):
        wrong = ran(f"{plan}reply: answer\n")
        assert wrong.unfinished == 2 and "nothing is at 'answer'" in wrong.paused[0] and "'text'" in wrong.why
        assert ran(f"{plan}reply: text\n").outcome == "complete"
        assert len(said) == 1 and "agent.yaml changed" in said[0] and "so it starts over" in said[0]
        ran(f"# the same\n{plan}reply:   'text'\n")
        assert said[1].startswith("0 played; 2 conversations")
        with pytest.raises(Problem, match="another version"):
            ran(f"{plan}reply: text\ntimeout: 9\n")
