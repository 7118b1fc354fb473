"""A spec is plain data: it can be sent to another process, where it is the same job, and tells no secret."""

import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from conversations import CASES
from supportagentbench.agents.object_agent import ObjectAgent
from supportagentbench.agents.spec import AgentSpec
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.desk import Desk
from supportagentbench.desk.doors.process import Isolation
from supportagentbench.forks.fork_plan import ForkWishes
from supportagentbench.jobs.job import Job, open_job
from supportagentbench.jobs.run import run_job
from supportagentbench.jobs.secret import Secret
from supportagentbench.jobs.spec import ForkSpec, JobSpec, spec_of_baseline, spec_of_config
from supportagentbench.records.baseline import GateBaseline
from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import Turn
from supportagentbench.storage.archive import find_runs
from supportagentbench.storage.config import RunDefaults
from supportagentbench.storage.transcripts import read_transcripts


def answers(desk: Desk, conversation: Sequence[Turn]) -> str:
    return "One moment, please."


WORDS = "the dog is called Bruno"


def digests(out: Path) -> dict[str, str]:
    return {
        f"{folder.name}/{filed.transcript.case}": filed.digest
        for folder in find_runs([out])
        for filed in read_transcripts(folder)
    }


def test_a_pickled_spec_runs_the_same_job(tmp_path: Path) -> None:
    spec = JobSpec(
        *("northline", ("oracle", "random-tool"), "damaged_no_proof,tracking-1", 2, 7),
        out=tmp_path / "here",
        channel="chat",
        case_seeds="0,3",
        isolation=Isolation(),
        first=frozenset({"tracking-1"}),
    )
    copy = pickle.loads(pickle.dumps(spec))
    assert copy == spec
    drive(run_job(open_job(spec)))
    drive(run_job(open_job(copy.with_(out=tmp_path / "there"))))
    found = digests(tmp_path / "here")
    assert len(found) == 2 * 2 * 2 * 3 and found == digests(tmp_path / "there")


def test_forks_are_the_same_from_a_pickled_spec(tmp_path: Path) -> None:
    drive(run_job(open_job(JobSpec("northline", ("complies",), "damaged_no_proof-1", out=tmp_path / "runs"))))
    wishes = ForkWishes(at=("damaged_no_proof-1:1",))
    asked = JobSpec("", (), runs=2, customer="", forks=ForkSpec((tmp_path / "runs",), wishes))
    job = open_job(asked.with_(out=tmp_path / "here"))
    assert (job.spec.agents, job.spec.customer, job.spec.world) == (("complies",), "scripted", "northline")
    drive(run_job(job))
    drive(run_job(open_job(pickle.loads(pickle.dumps(job.spec)).with_(out=tmp_path / "there"))))
    assert len(digests(tmp_path / "here")) == 2 and digests(tmp_path / "here") == digests(tmp_path / "there")


def test_a_private_seed_travels_but_is_neither_printed_nor_encoded() -> None:
    spec = JobSpec("northline", ("oracle",), private_seed=Secret(WORDS))
    assert WORDS not in f"{spec} {spec!r} {[spec.private_seed]} {spec.private_seed}"
    for encode in (msgspec.json.encode, msgspec.msgpack.encode):
        with pytest.raises(TypeError, match="Secret"):
            encode([spec.private_seed])
    there = pickle.loads(pickle.dumps(spec))
    assert there == spec and there.private_seed.reveal() == WORDS
    job = open_job(there)
    assert [*job.draws] == [job.cases.seed.name] and job.cases.seed.is_private
    assert spec != JobSpec("northline", ("oracle",), private_seed=Secret("another"))


def test_a_private_seed_is_in_no_file(tmp_path: Path) -> None:
    spec = JobSpec("northline", ("oracle",), "tracking-1", out=tmp_path, private_seed=Secret(WORDS))
    assert drive(run_job(open_job(spec))).outcome == "complete"
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files and not [path for path in files if WORDS.encode() in path.read_bytes()]


def test_a_config_sets_what_it_says_and_nothing_else() -> None:
    given = RunDefaults(
        set="twins", runs=3, out="here", case_seed=4, channel="chat", desk="handbook", budget=0.0
    )
    spec = spec_of_config(given, "northline", "my.py")
    assert spec == JobSpec(
        *("northline", ("my.py",), "twins", 3),
        out=Path("here"),
        case_seeds="4",
        channel="chat",
        desk="handbook",
        budget=0.0,
        isolation=Isolation(),
    )
    plain = JobSpec("northline", ("my.py",), isolation=Isolation())
    assert spec_of_config(RunDefaults(), "northline", "my.py") == plain
    assert spec_of_config(RunDefaults(isolate=False), "northline", "my.py") == plain, (
        "only a typed word does that"
    )
    limited = spec_of_config(RunDefaults(memory=0.5), "w", "a", keep_env=("KEY",)).isolation
    assert limited == Isolation(2**29, ("KEY",))
    assert spec_of_config(RunDefaults(seed=0, case_seed="0-2"), "w", "a").case_seeds == "0-2"


BASELINE = GateBaseline(
    *("mine", "northline", "w", "p", "tracking", "0", 5, "scripted", 8, "1"),
    runs=(1, 2, 3),
    conversations={"tracking-1": ("a", "b", "c")},
    results={"unsafe": {"damaged_no_proof-1": "000"}},
    channel="chat",
    desk="handbook",
    draws=("0", "0", "2"),
)


def test_a_baseline_says_what_an_agent_is_compared_on() -> None:
    spec = spec_of_baseline(BASELINE, "mine.py", {3: "2", 1: "0"}, secret=WORDS)
    assert (spec.world, spec.agents, spec.set_name, spec.seed) == ("northline", ("mine.py",), "tracking", 5)
    assert (spec.channel, spec.desk, spec.customer) == ("chat", "handbook", "scripted")
    assert spec.numbers == ((1, "0"), (3, "2")) and spec.case_seeds == "0,2"
    assert spec.first == {"damaged_no_proof-1"} and spec.private_seed == Secret(WORDS)
    assert spec_of_baseline(BASELINE, "mine.py", {}, "elsewhere").world == "elsewhere"


def test_a_typed_customer_is_that_of_the_baseline_wherever_it_is() -> None:
    kept, place = replace(BASELINE, customer="openai:gpt-4o"), ",base_url=http://127.0.0.1:1/v1"
    made = spec_of_baseline(kept, "mine.py", {}, customer=f"openai:gpt-4o{place}")
    assert made.customer == f"openai:gpt-4o{place}"
    with pytest.raises(Problem, match="the customer of the baseline is openai:gpt-4o, not openai:gpt-5"):
        spec_of_baseline(kept, "mine.py", {}, customer=f"openai:gpt-5{place}")


def test_a_job_says_how_often_each_case_is_run() -> None:
    spec = JobSpec("northline", ("oracle",), "tracking", 3, case_seeds="0,1")
    job = open_job(spec)
    assert job.times == 6 and [*job.draws] == ["0", "1"]
    assert job.with_(numbers=((1, "0"), (4, "1"))).times == 2
    assert job.cases.cases["tracking-1"].opening == CASES.cases["tracking-1"].opening


def test_two_agents_of_one_name_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-nobody")
    one, other = (f"openai:gpt-5,base_url=http://127.0.0.1:{port}/v1" for port in (1, 2))
    specs: list[AgentSpec] = JobSpec("northline", (one, other)).agent_specs()
    assert specs[0].shown == specs[1].shown
    with pytest.raises(Problem, match="two agents are called openai:gpt-5"):
        drive(run_job(open_job(JobSpec("northline", (one, other), "tracking-1", out=tmp_path))))


def test_agents_are_names_or_specs(tmp_path: Path) -> None:
    spec = JobSpec("northline", (ObjectAgent("mine", made=answers), "oracle"), "tracking-1", out=tmp_path)
    assert [one.shown for one in spec.agent_specs()] == ["mine", "oracle"]
    assert [one.shown for one in spec.with_(agents=spec.agents[:1], name="v2").agent_specs()] == ["v2"]
    assert spec.runs_code_here and spec.leaves_files_open
    assert set(drive(run_job(open_job(spec))).endings) == {"customer_left"}


class Answers:
    """A class where a name is expected."""

    reply = None


@pytest.mark.parametrize(
    ("agents", "words"),
    [
        ((Answers,), "a job has its agents by name, and <class '.*Answers'> is none; give it to `supporta"),
        (("oracle", None), "and None is none"),
        ("oracle", r"several names, not 'oracle'; write \('oracle',\)\."),
        (Answers, "several names, not <class"),
    ],
)
def test_what_is_no_name_is_refused_where_it_is_given(agents: Any, words: str) -> None:
    with pytest.raises(Problem, match=words):
        JobSpec("northline", agents)


def test_a_job_of_another_form_is_refused() -> None:
    for job in (Job(CASES, "core", [Answers]), JobSpec("northline", ("oracle",)), CASES):  # type: ignore[arg-type]
        with pytest.raises(Problem, match=r"this is no job; `open_job\(JobSpec\(...\)\)` makes one"):
            drive(run_job(job))  # type: ignore[arg-type]
