"""The judge job: every judge judges every conversation once, none of its own family, within the budget."""

import asyncio
import json
import re
import sys
import types
from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest

from conversations import CASES, WORLD, Hold
from judges import REASON
from supportagentbench.calibration.oracle import Oracle
from supportagentbench.concurrency.interrupt import Interrupt
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.fake_provider.clerk import ModelReply, RawReply, ReceivedRequest
from supportagentbench.fake_provider.faults import Faults
from supportagentbench.fake_provider.provider import FakeProvider
from supportagentbench.jobs.judge import JudgeJob, JudgePlan, JudgeSummary, check_families, cost_plans
from supportagentbench.judges.judge import RETESTS, VERSION, samples_of
from supportagentbench.models import Completion, Model, ModelError, ModelRequest
from supportagentbench.records.judgement import Judgement
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest
from supportagentbench.records.transcript import Ending, Transcript
from supportagentbench.records.usage import Usage
from supportagentbench.runner.run import header_of
from supportagentbench.storage.archive import JUDGEMENTS, RunWriter, read_judgements
from supportagentbench.storage.transcripts import TRANSCRIPTS, read_transcripts

Watch = Callable[[int, Interrupt], None]


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")


@pytest.fixture(scope="module")
def talks(hold: Hold) -> list[Transcript]:
    """Twelve conversations; the first is one of those that are heard three times."""
    names = [case.id for family in ("tracking", "cancel_before_ship") for case in CASES.named(family)]
    first, *rest = [hold(name, Oracle(WORLD, 0)) for name in names]
    starts = (msgspec.structs.replace(first, start=str(number)) for number in count())
    return [next(talk for talk in starts if len(samples_of(digest(talk))) == RETESTS), *rest]


@pytest.fixture
def folder(tmp_path: Path, talks: list[Transcript]) -> Path:
    return filed(tmp_path, talks, "keywords")


def filed(root: Path, talks: list[Transcript], agent: str, broken: int = 0) -> Path:
    """A run folder with these conversations, of which a provider broke off the first so many."""
    whole = header_of(CASES, "all", agent, ScriptedVoice(), 1, 0)
    header = msgspec.structs.replace(whole, cases=tuple(talk.case for talk in talks))
    with RunWriter(root, header) as writer:
        for number, talk in enumerate(talks):
            ending = Ending("broke", "provider_error", "503") if number < broken else talk.ending
            writer.add(msgspec.structs.replace(talk, ending=ending), started=0.0, seconds=0.0)
    return writer.folder


def opinions(schema: dict[str, Any] | None, words: str) -> str:
    """Every criterion that the schema names is met; the customer's opening is evidence of anything."""
    assert schema is not None
    asked = schema["properties"]["opinions"]["items"]["properties"]["id"]["enum"]
    opening = json.loads(next(line for line in words.splitlines() if line.startswith('{"turn":0,')))["text"]
    found = [{"id": one, "reason": REASON, "turn": 0, "quote": opening, "met": True} for one in asked]
    return json.dumps({"opinions": found})


class Bench:
    """A mind that judges: every criterion met, with the customer's opening as evidence."""

    def __init__(self, fails: int = 0, garbles: int = 0) -> None:
        self.fails = fails
        self.garbles = garbles
        self.asked = 0

    def answer(self, request: ReceivedRequest) -> ModelReply | RawReply:
        self.asked += 1
        if self.asked <= self.fails:
            return RawReply(b'{"error":{"type":"not_found","message":"No such model."}}', 404)
        if self.asked <= self.garbles:
            return ModelReply("I would rather not say.")
        first = next(line.text for line in request.messages if line.role == "user")
        said = opinions(request.schema, first)
        return ModelReply(calls=((request.must_call, said),)) if request.must_call else ModelReply(said)


def judge_all(
    provider: FakeProvider,
    *folders: Path,
    names: tuple[str, ...] = ("openai:gpt-5",),
    budget: float | None = None,
    concurrency: int = 4,
    observer: Watch = lambda count, interrupt: None,
) -> JudgeSummary:
    """One session of judges at this provider."""

    async def main() -> JudgeSummary:
        async with provider:
            placed = [f"{name},base_url={provider.url}/v1" for name in names]
            interrupt = Interrupt(print)
            plan = JudgePlan(list(folders), placed, concurrency, budget)
            return await JudgeJob(plan, interrupt, lambda count: observer(count, interrupt)).run()

    return asyncio.run(main())


def on_file(folder: Path) -> list[Judgement]:
    return list(read_judgements(folder))


def owed(folder: Path) -> Counter[tuple[str, int]]:
    """Every transcript once, and a tenth three times."""
    return Counter(
        (filed.digest, sample)
        for filed in read_transcripts(folder)
        if filed.transcript.ending.kind != "broke"
        for sample in samples_of(filed.digest)
    )


def given(folder: Path, judge: str) -> Counter[tuple[str, int]]:
    return Counter((one.transcript, one.sample) for one in on_file(folder) if one.judge == judge)


# Every conversation, once


def test_every_conversation_is_heard_once_and_some_three_times(folder: Path) -> None:
    provider = FakeProvider(Bench())
    summary = judge_all(provider, folder)
    due = owed(folder)
    assert given(folder, "openai:gpt-5") == due and max(sample for _, sample in due) == 2
    assert (summary.judged, summary.failed, summary.words, summary.unpriced) == (due.total(), 0, "", 0)
    assert provider.counts.total.requests == due.total()
    for one in on_file(folder):
        assert one.version == VERSION and one.void == 0
        assert one.host == provider.url.removeprefix("http://"), "who answered is on record"
        assert all(opinion.met for opinion in one.opinions) and len(one.opinions) >= 9


def test_a_tenth_is_heard_again_by_the_digest_alone() -> None:
    drawn = [len(samples_of(digest(str(number)))) for number in range(4_000)]
    assert set(drawn) == {1, RETESTS} and RETESTS == 3
    assert drawn.count(3) / 4_000 == pytest.approx(0.1, abs=0.015)


def test_a_second_session_asks_for_nothing(folder: Path) -> None:
    judge_all(FakeProvider(Bench()), folder)
    before = (folder / JUDGEMENTS).read_bytes()
    provider = FakeProvider(Bench())
    assert judge_all(provider, folder)[:3] == (0, 0, "")
    assert provider.counts.total.requests == 0
    assert (folder / JUDGEMENTS).read_bytes() == before


def test_two_judges_hear_the_same_in_their_own_roles(folder: Path) -> None:
    both = ("openai:gpt-5", "anthropic:claude-haiku-4-5")
    judge_all(FakeProvider(Bench()), folder, names=both)
    roles = {one.judge: {usage.role for usage in one.usage} for one in on_file(folder)}
    assert roles == {both[0]: {"judge"}, both[1]: {"second_judge"}}
    assert given(folder, both[0]) == given(folder, both[1]) == owed(folder)
    orders = {one.transcript: set[tuple[str, ...]]() for one in on_file(folder)}
    for one in on_file(folder):
        orders[one.transcript].add(one.order)
    assert max(map(len, orders.values())) == 2, "each judge is asked in an order of its own"


def test_many_folders_are_one_docket(tmp_path: Path, talks: list[Transcript]) -> None:
    two = [filed(tmp_path, talks, agent) for agent in ("keywords", "refuses")]
    summary = judge_all(FakeProvider(Bench()), *two)
    assert summary.judged == sum(owed(folder).total() for folder in two)
    assert all(given(folder, "openai:gpt-5") == owed(folder) for folder in two)


def test_what_a_provider_broke_off_is_not_judged(tmp_path: Path, talks: list[Transcript]) -> None:
    folder = filed(tmp_path, talks, "keywords", broken=5)
    summary = judge_all(FakeProvider(Bench()), folder)
    due = owed(folder)
    assert summary.judged == due.total() and len({transcript for transcript, _ in due}) == len(talks) - 5


# Interrupted


def test_after_ctrl_c_what_was_heard_stays_and_the_rest_is_heard_later(folder: Path) -> None:
    def pull(count: int, interrupt: Interrupt) -> None:
        interrupt.is_requested = count >= 5

    provider = FakeProvider(Bench())
    first = judge_all(provider, folder, observer=pull, concurrency=2)
    assert 5 <= first.judged <= 6
    kept = (folder / JUDGEMENTS).read_bytes()
    second = judge_all(provider := FakeProvider(Bench()), folder)
    assert second.judged == provider.counts.total.requests == owed(folder).total() - first.judged
    assert (folder / JUDGEMENTS).read_bytes().startswith(kept)
    assert given(folder, "openai:gpt-5") == owed(folder)


def test_dropped_in_flight_and_torn_in_the_last_line_nothing_is_heard_twice(folder: Path) -> None:
    async def main() -> None:
        async with FakeProvider(Bench(), Faults(latency=0.05)) as provider:
            plan = JudgePlan([folder], [f"openai:gpt-5,base_url={provider.url}/v1"], 3)
            heard = asyncio.Event()
            job = JudgeJob(plan, Interrupt(print), lambda count: heard.set() if count >= 4 else None)
            task = asyncio.ensure_future(job.run())
            await heard.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(main())
    path = folder / JUDGEMENTS
    path.write_bytes(path.read_bytes()[:-40])
    whole = len(on_file(folder))
    assert whole >= 3
    assert judge_all(FakeProvider(Bench()), folder).judged == owed(folder).total() - whole
    assert given(folder, "openai:gpt-5") == owed(folder)


# Failures


def test_a_failure_is_counted_in_the_providers_words_and_asked_again(folder: Path) -> None:
    first = judge_all(FakeProvider(Bench(fails=4)), folder)
    assert (first.failed, first.judged) == (4, owed(folder).total() - 4)
    assert "No such model." in first.words
    second = judge_all(FakeProvider(Bench()), folder)
    assert (second.failed, second.judged) == (0, 4)
    assert given(folder, "openai:gpt-5") == owed(folder)


def test_an_answer_that_cannot_be_read_is_asked_for_once_more_and_paid_for_twice(folder: Path) -> None:
    summary = judge_all(FakeProvider(Bench(garbles=1)), folder, concurrency=1)
    assert summary.failed == 0
    twice = [one for one in on_file(folder) if len(one.usage) == 2]
    assert len(twice) == 1 and twice[0].void == 0


def test_bad_weather_on_the_wire_is_ridden_out(folder: Path) -> None:
    faults = Faults(rate_limited=0.1, broken_json=0.1, dropped=0.05, retry_after=0.01)
    provider = FakeProvider(Bench(), faults)
    assert judge_all(provider, folder).failed == 0
    assert given(folder, "openai:gpt-5") == owed(folder)
    used = [usage for one in on_file(folder) for usage in one.usage]
    assert sum(usage.attempts for usage in used) == provider.counts.total.requests
    spoiled = ("broken_json", "dropped", "truncated")
    assert sum(usage.lost for usage in used) == sum(provider.counts.total.outcomes.get(x, 0) for x in spoiled)


def test_a_changed_transcript_stops_the_session_with_one_sentence(folder: Path) -> None:
    path = folder / TRANSCRIPTS
    path.write_bytes(path.read_bytes().replace(b"Hello", b"Hallo", 1).replace(b"Hi", b"Ho", 1))
    with pytest.raises(Problem, match=r"transcripts\.jsonl:\d+: was changed after it was written"):
        judge_all(FakeProvider(Bench()), folder)


# Money


def test_a_budget_stops_the_asking_and_survives_a_restart(tmp_path: Path, talks: list[Transcript]) -> None:
    names = ("openai:gpt-5,max_tokens=3000",)
    whole = judge_all(FakeProvider(Bench()), filed(tmp_path / "whole", talks, "keywords"), names=names)
    assert whole.spent > 0 and whole.unpriced == 0
    folder, third = filed(tmp_path / "part", talks, "keywords"), whole.spent / 3
    part = judge_all(FakeProvider(Bench()), folder, names=names, budget=third)
    assert third / 3 <= part.spent <= third and 0 < part.judged < whole.judged / 2
    assert part.is_paused and "does not cover the next request" in part.words
    more = judge_all(provider := FakeProvider(Bench()), folder, names=names, budget=third)
    assert (more.judged, more.spent, provider.counts.total.requests) == (0, 0.0, 0)
    assert part.failed == more.failed == 0, "what was not asked has not failed"
    rest = judge_all(FakeProvider(Bench()), folder, names=names, budget=2 * whole.spent)
    assert part.judged + rest.judged == whole.judged
    assert part.spent + rest.spent == pytest.approx(whole.spent)


def test_what_judges_cost_is_on_their_judgements_and_nowhere_in_the_transcripts(folder: Path) -> None:
    before = (folder / TRANSCRIPTS).read_bytes()
    summary = judge_all(FakeProvider(Bench()), folder)
    paid = sum(usage.cost or 0 for one in on_file(folder) for usage in one.usage)
    assert paid == pytest.approx(summary.spent)
    assert (folder / TRANSCRIPTS).read_bytes() == before


def test_a_plan_weighs_what_is_owed_and_asks_nobody(folder: Path) -> None:
    plan = JudgePlan([folder], ["openai:gpt-5"], 8)
    [cost] = cost_plans(plan)
    assert (cost.conversations, cost.calls) == (owed(folder).total(),) * 2
    assert cost.cost and cost.is_paid and cost.input > 1_000 * cost.calls
    provider = FakeProvider(Bench())
    judge_all(provider, folder)
    sent = provider.counts.total.whole
    assert cost.input == pytest.approx(sent.input + sent.cache_read + sent.cache_write, rel=0.25)
    [after] = cost_plans(plan)
    assert (after.conversations, after.calls, after.cost) == (0, 0, 0.0)


# Kin


@pytest.mark.parametrize(
    ("entrant", "named", "refused"),
    [
        ("openai:gpt-5", ["openai:gpt-4o"], True),
        ("openrouter:openai/gpt-5", ["openai:o3"], True),
        ("anthropic:claude-opus-4", ["openai:gpt-5"], False),
        ("keywords", ["openai:gpt-5", "anthropic:claude-opus-4"], False),
        ("keywords", ["openai:gpt-5", "openrouter:openai/gpt-4o"], True),
        ("keywords", ["openai:gpt-5", "openai:gpt-5"], True),
        ("qwen:qwen-max", ["openai:gpt-5", "vllm:qwen3"], True),
        ("anthropic:claude-opus-4", ["openai:glm-5,base_url=https://api.anthropic.com/v1"], False),
        ("openai:gpt-5", ["vllm:gpt-oss,base_url=https://models.mistral.ai/v1"], True),
    ],
)
def test_nobody_judges_its_kin_and_no_second_judge_is_the_firsts(
    tmp_path: Path, talks: list[Transcript], entrant: str, named: list[str], refused: bool
) -> None:
    plan = JudgePlan([filed(tmp_path, talks, entrant)], named, 1)
    if refused:
        with pytest.raises(Problem, match="family"):
            check_families(plan)
    else:
        check_families(plan)


# Anybody's model


class Stubborn:
    """Somebody's own model, which breaks down at its third request."""

    name = "my.judges:make"

    def __init__(self) -> None:
        self.asked = 0

    async def complete(self, request: ModelRequest) -> Completion:
        self.asked += 1
        if self.asked == 3:
            raise ModelError("time_out", "too slow", Usage("mine"))
        said = opinions(request.schema, request.messages[1].text)
        return Completion(said, Usage("mine", role="judge", input=1))


def test_a_model_of_ones_own_sits_as_well(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = types.ModuleType("my_judges")
    model: Model = Stubborn()
    mine.make = lambda: model  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "my_judges", mine)

    async def main() -> JudgeSummary:
        return await JudgeJob(
            JudgePlan([folder], ["my_judges:make"], 2), Interrupt(print), lambda count: None
        ).run()

    summary = asyncio.run(main())
    due = owed(folder)
    assert (summary.judged, summary.failed, summary.words) == (due.total() - 1, 1, "too slow")
    assert summary.unpriced == 0 and summary.spent == 0
    assert asyncio.run(main()).judged == 1
    assert given(folder, "my.judges:make") == due


def test_no_judge_is_told_whom_it_judges(tmp_path: Path, talks: list[Transcript]) -> None:
    folder = filed(tmp_path, talks, "anthropic:claude-opus-4")
    provider = FakeProvider(Bench(), keep=True)
    judge_all(provider, folder)
    sent = b"".join(provider.seen).decode()
    assert len(provider.seen) == owed(folder).total()
    assert not re.search(r"claude|anthropic|opus-4|must_escalate|adversarial|sab-canary", sent)
    assert json.loads(provider.seen[0])["model"] == "gpt-5"
