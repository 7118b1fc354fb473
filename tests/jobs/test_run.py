"""A job with real requests over a loopback wire: accounted for, affordable, resumable, and discreet."""

import asyncio
import json
import re
import shutil
import signal
import time
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from commands import fake_provider, start_sab
from conversations import CASES, WORLD, job_on
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.concurrency.interrupt import Interrupt
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.desk import Desk
from supportagentbench.desk.doors.house import HouseDoor
from supportagentbench.fake_provider.clerk import RawReply, Script
from supportagentbench.fake_provider.faults import Faults
from supportagentbench.fake_provider.provider import FakeProvider
from supportagentbench.jobs.cost_estimate import plan_costs
from supportagentbench.jobs.job import Job, open_job
from supportagentbench.jobs.run import EXIT_CODES, JobResult, run_job
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.models.answer_cache import ANSWERS, cached_usage
from supportagentbench.records.case import Case
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Turn
from supportagentbench.records.usage import Usage
from supportagentbench.runner.observer import Observers, RunObserver
from supportagentbench.runner.play import CaseStage, Contender, Player, play
from supportagentbench.runner.run import Driver, header_of
from supportagentbench.storage.archive import RunWriter, find_runs, read_header
from supportagentbench.storage.transcripts import BROKEN, Filed, read_transcripts
from supportagentbench.world import drawn_cases
from supportagentbench.world.drawn_cases import DrawnCases, generate
from supportagentbench.world.seed import numbered

KEY = "sk-test-0123456789-secret"
MODELS = ("openai:gpt-5", "openai:gpt-5.4,api=responses,effort=low", "anthropic:claude-haiku-4-5")


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)


def run(
    provider: FakeProvider,
    out: Path,
    *names: str,
    set_name: str = "tracking",
    runs: int = 1,
    budget: float | None = None,
    record: Path | None = None,
    replay: Path | None = None,
) -> JobResult:
    """Hold a job with models of this provider."""

    async def main() -> JobResult:
        async with provider:
            agents = [
                f"{name},base_url={provider.url}/v1" if "base_url" not in name else name for name in names
            ]
            job = job_on(set_name, agents, runs, 0, "scripted", out, 4, budget, record, replay)
            return await run_job(job, (), Interrupt(print))

    return drive(main())


def usage_in(out: Path) -> list[Usage]:
    return [
        usage
        for folder in find_runs([out])
        for filed in read_transcripts(folder)
        for turn in filed.transcript.turns
        for usage in turn.usage
    ]


def test_every_planned_conversation_is_accounted_for_whatever_the_provider_does(tmp_path: Path) -> None:
    faults = Faults(
        rate_limited=0.08, broken_json=0.04, dropped=0.03, truncated=0.03, server_error=0.03, retry_after=0.05
    )
    provider = FakeProvider(None, faults)
    done = run(provider, tmp_path, *MODELS, set_name="tracking", runs=2)
    assert done.endings.total() == len(MODELS) * 2 * 6
    assert "missing" not in done.endings
    used, counts = usage_in(tmp_path), provider.counts.total
    assert sum(one.attempts for one in used) == counts.requests
    assert sum(one.input for one in used) == counts.whole.input
    assert sum(one.cache_read for one in used) == counts.whole.cache_read
    assert sum(one.cache_write for one in used) == counts.whole.cache_write
    assert sum(one.output for one in used) == counts.whole.output
    assert sum(one.reasoning for one in used) == counts.whole.reasoning > 0
    spoiled = sum(counts.outcomes.get(name, 0) for name in ("broken_json", "dropped", "truncated"))
    assert sum(one.lost for one in used) == spoiled > 0


def test_the_models_that_answered_and_the_prices_are_on_record(tmp_path: Path) -> None:
    run(FakeProvider(), tmp_path, "openai:gpt-5,temperature=0.5")
    (folder,) = find_runs([tmp_path])
    header = read_header(folder)
    assert header.agent == "openai:gpt-5,temperature=0.5"
    assert header.sampling["temperature"] == 0.5
    assert header.prices.startswith("genai-prices")
    assert {one.model for one in usage_in(tmp_path)} == {"gpt-5"}


def test_an_entry_whose_key_is_refused_is_paused_and_the_others_go_on(tmp_path: Path) -> None:
    provider = FakeProvider()
    done = run(provider, tmp_path, "openai:unknown-model", "openai:gpt-5", set_name="core")
    (paused,) = done.paused
    assert "openai:unknown-model is paused" in paused
    assert "unknown-model" in paused
    assert done.endings["provider_error"] < 20
    assert done.endings["missing"] > 100
    whole = [f for f in find_runs([tmp_path]) if "gpt-5" in f.name]
    assert len(list(read_transcripts(whole[0]))) == 162


def test_what_a_provider_broke_is_held_again_and_nothing_else(tmp_path: Path) -> None:
    down = FakeProvider(Script([RawReply(b'{"error": {"message": "No such model"}}', 404)] * 3))
    first = run(down, tmp_path, "openai:gpt-5", set_name="tracking")
    assert first.endings["provider_error"] + first.endings["missing"] == 6
    (folder,) = find_runs([tmp_path])
    header = (folder / "run.json").read_text()
    # The place is part of the header; the provider comes back at the same one.
    port = int(re.search(r"127\.0\.0\.1:(\d+)", header)[1])  # type: ignore[index]
    up = FakeProvider(port=port)
    second = run(up, tmp_path, "openai:gpt-5", set_name="tracking")
    assert not {"provider_error", "missing"} & set(second.endings)
    assert len((folder / BROKEN).read_text().splitlines()) == first.endings["provider_error"]
    third = run(FakeProvider(port=port), tmp_path, "openai:gpt-5", set_name="tracking")
    assert third.endings == second.endings


def test_a_budget_stops_the_spending_and_survives_a_restart(tmp_path: Path) -> None:
    name = "openai:gpt-5,max_tokens=500"
    whole = run(FakeProvider(), tmp_path / "whole", name, set_name="core")
    provider = FakeProvider()
    done = run(provider, tmp_path / "part", name, set_name="core", budget=whole.spent / 10)
    assert whole.spent / 20 < done.spent <= whole.spent / 10
    assert done.endings["missing"] > 100
    assert done.endings["budget"] <= 4
    (folder,) = find_runs([tmp_path / "part"])
    port = int(re.search(r"127\.0\.0\.1:(\d+)", (folder / "run.json").read_text())[1])  # type: ignore[index]
    again = FakeProvider(port=port)
    more = run(again, tmp_path / "part", name, set_name="core", budget=whole.spent / 10)
    assert done.spent + more.spent <= whole.spent / 10
    assert more.outcome == "budget"
    assert again.counts.total.requests < 10


def test_a_replay_is_the_same_run_byte_for_byte(tmp_path: Path) -> None:
    provider = FakeProvider(None, Faults(rate_limited=0.1, retry_after=0.02))
    name = f"openai:gpt-5,base_url=http://127.0.0.1:{_free_port()}/v1"
    port = int(re.search(r":(\d+)/", name)[1])  # type: ignore[index]
    provider = FakeProvider(None, Faults(rate_limited=0.1, retry_after=0.02), port=port)
    recording = tmp_path / "recording.jsonl"
    run(provider, tmp_path / "first", name, runs=2, record=recording)
    silent = FakeProvider()
    done = run(silent, tmp_path / "second", name, runs=2, replay=recording)
    assert silent.counts.total.requests == 0
    assert done.spent == 0
    assert digests(tmp_path / "first") == digests(tmp_path / "second")
    assert len(set(digests(tmp_path / "first"))) == 12, "repetitions are their own conversations"


def test_a_recording_that_lacks_an_answer_stops_the_run_and_blames_no_agent(tmp_path: Path) -> None:
    recording = tmp_path / "recording.jsonl"
    recording.touch()
    done = run(FakeProvider(), tmp_path / "runs", "openai:gpt-5", replay=recording)
    assert done.endings == {"missing": 6}
    (sentence,) = done.paused
    assert "recording.jsonl" in sentence
    assert "record again with --record" in sentence


def test_a_run_that_is_cut_off_pays_again_only_for_what_was_under_way(tmp_path: Path) -> None:
    concurrency = 4

    def job(provider: FakeProvider, out: Path) -> Job:
        name = f"openai:gpt-5,base_url={provider.url}/v1"
        return job_on("twins", [name], 1, 0, "scripted", out, concurrency)

    async def cut_off() -> tuple[int, JobResult]:
        async with FakeProvider(None, Faults(latency=0.02)) as provider:
            cuts = 0
            for requests in (20, 45, 80):
                task = asyncio.create_task(run_job(job(provider, tmp_path / "cut"), (), Interrupt(print)))
                while provider.counts.total.requests < requests:
                    await asyncio.sleep(0.005)
                cuts += task.cancel()
                await asyncio.wait([task])
            assert cuts == 3
            done = await run_job(job(provider, tmp_path / "cut"), (), Interrupt(print))
            return provider.counts.total.requests, done

    async def whole() -> None:
        async with FakeProvider() as provider:
            await run_job(job(provider, tmp_path / "whole"), (), Interrupt(print))

    requests, done = drive(cut_off())
    drive(whole())
    assert done.endings.total() == 18 and not done.endings["missing"]
    assert digests(tmp_path / "cut") == digests(tmp_path / "whole"), "as if nothing had happened"
    on_record = sum(usage.attempts for usage in usage_in(tmp_path / "cut"))
    assert on_record <= requests <= on_record + 3 * concurrency
    assert not list(tmp_path.rglob(ANSWERS)), "a whole run keeps no cached answers"


def test_what_a_stored_conversation_cost_is_not_counted_once_more(tmp_path: Path) -> None:
    stored: list[str] = []

    class Notes(RunObserver):
        def conversation_stored(self, header: Run, filed: Filed) -> None:
            stored.append(filed.transcript.case)

    async def main() -> JobResult:
        async with FakeProvider() as provider:
            name = f"openai:gpt-5,base_url={provider.url}/v1"
            job = job_on("tracking", [name], out=tmp_path, concurrency=1)
            return await run_job(job, [Notes()], is_decided=lambda: len(stored) == 2)

    done = drive(main())
    (folder,) = find_runs([tmp_path])
    assert done.endings["missing"] == 4 and done.spent > 0
    assert (folder / ANSWERS).exists() and cached_usage(folder) == [], "it is in the transcripts"


def digests(out: Path) -> list[str]:
    return sorted(filed.digest for folder in find_runs([out]) for filed in read_transcripts(folder))


def test_keys_are_written_nowhere(tmp_path: Path) -> None:
    words = f'{{"error": {{"message": "Incorrect API key provided: {KEY}"}}}}'.encode()
    provider = FakeProvider(Script([RawReply(words, 401)] * 50))
    done = run(provider, tmp_path, *MODELS, record=tmp_path / "recording.jsonl")
    assert done.paused
    assert KEY not in "".join(done.paused)
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or KEY.encode() not in path.read_bytes(), path


def test_nothing_that_gives_a_case_away_is_ever_sent(tmp_path: Path) -> None:
    provider = FakeProvider(keep=True)
    run(provider, tmp_path, "openai:gpt-5", set_name="core")
    assert len(provider.seen) > 162
    said = {str(message["content"]) for body in provider.seen for message in json.loads(body)["messages"]}
    sent = "\n".join([*said, str(json.loads(provider.seen[0])["tools"])])
    assert "sab-canary" not in sent
    for case in CASES.named("core"):
        assert case.id not in sent
        assert case.note not in sent
        for fact in case.brief.facts:
            assert fact.when != "never" or fact.says not in sent
    for word in ("must_escalate", "adversarial", "temptation", "benign twin"):
        assert word not in sent


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_once_finishes_what_is_in_flight_and_twice_drops_it(tmp_path: Path, times: int) -> None:
    with fake_provider("--faults", "latency=0.1") as url:
        words = ("run", f"openai:gpt-5,base_url={url}/v1", "--yes", "-j", "3")
        process = start_sab(*words, "-o", "runs", "--customer", "scripted", cwd=tmp_path)
        path = tmp_path / "runs" / "openai_gpt-5-1" / "transcripts.jsonl"
        _wait_for_more(path, 0)
        for _ in range(times):
            process.send_signal(signal.SIGINT)
            time.sleep(0.2)
        _, told = process.communicate(timeout=60)
        assert process.returncode == 130, told
        assert "Run the same command to resume" in told
        kept = [filed.transcript for filed in read_transcripts(path.parent)]
        assert 0 < len(kept) < 30
        assert all(one.ending.kind != "broke" for one in kept)
        again = start_sab(*words, cwd=tmp_path)
        _wait_for_more(path, path.stat().st_size)
        again.send_signal(signal.SIGINT)
        again.communicate(timeout=60)
        after = [filed.transcript for filed in read_transcripts(path.parent)]
        assert after[: len(kept)] == kept
        assert len(after) > len(kept)
        assert max(Counter(one.case for one in after).values()) == 1


def _wait_for_more(path: Path, than: int) -> None:
    deadline = time.monotonic() + 60
    while not (path.exists() and path.stat().st_size > than) and time.monotonic() < deadline:
        time.sleep(0.02)


def _free_port() -> int:
    import socket

    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def result(*, paused: tuple[str, ...] = (), is_spent: bool = False, **endings: int) -> JobResult:
    return JobResult(
        [], Counter(endings), 0.0, 0, list(paused), [], is_spent, outside=endings.get("provider_error", 0)
    )


@pytest.mark.parametrize(
    ("found", "outcome", "code"),
    [
        (result(customer_left=9), "complete", 0),
        (result(customer_left=9, agent_error=1), "complete", 0),
        (result(customer_left=9, missing=1), "partial", 2),
        (result(customer_left=9, provider_error=1), "partial", 2),
        (result(customer_left=9, missing=1, is_spent=True), "budget", 3),
        (result(customer_left=9, is_spent=True), "complete", 0),
        (result(provider_error=5, missing=9, paused=("a is paused",)), "provider", 4),
        (result(missing=9, paused=("runs/a-1: is being written by another process",)), "partial", 2),
    ],
)
def test_why_a_job_is_over_and_its_exit_code(found: JobResult, outcome: str, code: int) -> None:
    assert found.outcome == outcome
    assert EXIT_CODES[found.outcome] == code


def test_repetitions_share_the_workers(tmp_path: Path) -> None:
    """While the slow conversation of the first run is under way, the other worker is at the later runs."""
    filed: list[tuple[int, str]] = []

    class Notes(RunObserver):
        def conversation_stored(self, header: Run, one: Filed) -> None:
            filed.append((header.run, one.transcript.case))

    class OneSlow:
        made = 0

        def __init__(self, seed: int) -> None:
            OneSlow.made += 1
            self.is_slow = OneSlow.made == 1

        async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
            if self.is_slow:
                while len(filed) < 17:
                    await asyncio.sleep(0.001)
            return "Hello."

    headers = [header_of(CASES, "tracking", "mine", ScriptedVoice(), run, 0) for run in (1, 2, 3)]
    player = Player(
        CaseStage({"0": CASES}), ScriptedVoice(), {"mine": Contender(headers[0], HouseDoor(OneSlow), 60)}
    )
    writers = drive(Driver(partial(play, player=player), tmp_path, 2, Observers([Notes()])).run(headers))
    assert [run for run, _ in filed] == [1] * 5 + [2] * 6 + [3] * 6 + [1]
    for writer, header in zip(writers, headers, strict=True):
        kept = [one.transcript.case for one in read_transcripts(writer.folder)]
        assert sorted(kept) == sorted(header.cases)


def test_a_later_run_that_cannot_be_opened_leaves_the_first_alone(tmp_path: Path) -> None:
    second = header_of(CASES, "tracking", "silent", ScriptedVoice(), 2, seed=0)
    with RunWriter(tmp_path, second):
        done = drive(run_job(job_on("tracking", ["silent"], 3, out=tmp_path)))
    assert "another process" in done.paused[0]
    assert done.endings["missing"] == 12
    assert len(list(read_transcripts(tmp_path / "silent-1"))) == 6


def numbers_in(out: Path) -> dict[int, str]:
    return {header.run: header.case_seed for header in map(read_header, find_runs([out]))}


def test_draws_are_runs_of_one_agent_and_more_of_them_may_follow(tmp_path: Path) -> None:
    second = generate(WORLD, numbered(1))
    job = job_on("tracking-1", ["silent"], 2, out=tmp_path)._replace(draws={"0": CASES, "1": second})
    assert drive(run_job(job)).endings.total() == 4
    assert numbers_in(tmp_path) == {1: "0", 2: "0", 3: "1", 4: "1"}
    openings = [
        next(read_transcripts(tmp_path / f"silent-{run}")).transcript.turns[0].text for run in (1, 2, 3)
    ]
    assert openings[0] == openings[1] == CASES.cases["tracking-1"].opening
    assert openings[2] == second.cases["tracking-1"].opening
    drive(run_job(job.with_(runs=3)))
    assert numbers_in(tmp_path) == {1: "0", 2: "0", 3: "1", 4: "1", 5: "0", 6: "1"}


def test_runs_that_cannot_be_counted_together_do_not_share_a_folder(tmp_path: Path) -> None:
    drive(run_job(job_on("tracking-1", ["silent"], out=tmp_path)))
    other = job_on("tracking-2", ["silent"], out=tmp_path)._replace(draws={"1": generate(WORLD, numbered(1))})
    with pytest.raises(Problem, match="another set and cases"):
        drive(run_job(other))


@pytest.fixture(scope="module")
def misfit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the shop with a shorter time for returns, into which some of its cases do not fit."""
    folder = tmp_path_factory.mktemp("misfit") / "shop"
    shutil.copytree(WORLD.folder, folder)
    policy = folder / "policy.yaml"
    policy.write_text(policy.read_text().replace("return_days: 100", "return_days: 30"))
    return folder


def test_a_case_that_does_not_fit_its_shop_stops_the_job_before_the_first_conversation(
    tmp_path: Path, misfit: Path
) -> None:
    spec = JobSpec(str(misfit), ("oracle",), "tracking,return_request", out=tmp_path)
    with pytest.raises(Problem, match=r"return_request\.yaml:\d+: return_request-3 is resolvable, but"):
        drive(run_job(open_job(spec), (), Interrupt(print)))
    assert not any(tmp_path.iterdir())


def test_nothing_is_moved_aside_for_a_job_that_cannot_run(tmp_path: Path, misfit: Path) -> None:
    fits = JobSpec(str(misfit), ("oracle",), "tracking-1", out=tmp_path)
    drive(run_job(open_job(fits), (), Interrupt(print)))
    (before,) = find_runs([tmp_path])
    with pytest.raises(Problem, match="return_request-3"):
        drive(run_job(open_job(fits.with_(set_name="return_request", fresh=True)), (), Interrupt(print)))
    assert find_runs([tmp_path]) == [before]


def test_the_plan_of_a_paid_job_stops_at_a_misfit_in_any_draw(misfit: Path) -> None:
    spec = JobSpec(str(misfit), ("openai:gpt-5",), "return_request", case_seeds="0,1")
    with pytest.raises(Problem, match="return_request-3"):
        asyncio.run(plan_costs(open_job(spec)))


def test_only_what_is_still_to_be_run_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    real = drawn_cases._case

    def counting(made: DrawnCases, name: str) -> Case:
        drawn.append(name)
        return real(made, name)

    monkeypatch.setattr(drawn_cases, "_case", counting)
    for set_name, new in (("tracking-1", ["tracking-1"]), ("tracking-1", []), ("tracking-2", ["tracking-2"])):
        drawn.clear()
        out = tmp_path / set_name
        job = Job(JobSpec("northline", ("oracle",), set_name, out=out), {"0": generate(WORLD)})
        drive(run_job(job, (), Interrupt(print)))
        assert drawn == new
