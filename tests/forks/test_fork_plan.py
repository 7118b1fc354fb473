"""The plan of a fork command: models go on within a reply, with a customer that a model words."""

import json
from pathlib import Path

import pytest

from conversations import job_on
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.fake_provider.clerk import Clerk
from supportagentbench.fake_provider.provider import FakeProvider
from supportagentbench.forks.fork_plan import ForkPlan, ForkWishes
from supportagentbench.jobs.job import open_job
from supportagentbench.jobs.run import run_job
from supportagentbench.jobs.spec import ForkSpec, JobSpec
from supportagentbench.records.problem import Problem
from supportagentbench.storage.archive import read_header
from supportagentbench.storage.transcripts import read_transcripts

CASE = "damaged_no_proof-1"


MODELS = ("openai:gpt-5", "openai:gpt-5.4,api=responses,effort=low", "anthropic:claude-haiku-4-5,effort=low")


@pytest.mark.parametrize("model", MODELS)
def test_a_model_goes_on_after_the_look_up_and_is_sent_nobodys_reasoning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    for name in ("OPENAI", "ANTHROPIC"):
        monkeypatch.setenv(f"{name}_API_KEY", "sk-test-0123456789-secret")

    async def main() -> tuple[ForkPlan, list[bytes]]:
        async with FakeProvider(Clerk(reasons=True), keep=True) as provider:
            agent = f"{model},base_url={provider.url}/v1"
            customer = f"openai:gpt-4o,base_url={provider.url}/v1"
            await run_job(job_on(CASE, [agent], customer=customer, out=tmp_path / "runs"))
            wishes = ForkWishes(at=(f"{CASE}:2", f"{CASE}:1.1"))
            plan = ForkPlan.of([tmp_path / "runs"], wishes)
            plan.check_agents([agent], None, 1.0)
            assert await plan.restore() == 2
            provider.seen.clear()
            spec = JobSpec("", (agent,), runs=2, customer=customer, out=tmp_path / "forks", concurrency=1)
            done = await run_job(open_job(spec.with_(forks=ForkSpec((tmp_path / "runs",), wishes))))
            assert done.outcome == "complete"
            return plan, list(provider.seen)

    plan, seen = drive(main())
    folders = sorted((tmp_path / "forks").glob("*/run.json"))
    assert len(folders) == 2
    for place in folders:
        within = next(fork for fork in read_header(place.parent).forks if fork.call)
        talks = {filed.transcript.case: filed.transcript for filed in read_transcripts(place.parent)}
        kept = plan.forks[within.id].transcript.turns[1].calls[0]
        calls = talks[within.id].turns[1].calls
        assert (calls[0].tool, calls[0].result) == (kept.tool, kept.result)
        assert calls.count(calls[0]) == 1, "it is not made twice"
    first = next(body for body in map(json.loads, seen) if "tools" in body)
    sent = json.dumps(first.get("messages") or first["input"])
    assert kept.result.text[:40] in sent.replace('\\"', '"')
    for word in ('"signature"', '"encrypted_content"', '"reasoning', '"thinking"', "next comes"):
        assert word not in sent


def test_who_cannot_go_on_within_a_reply_is_named_before_anything_is_spent(tmp_path: Path) -> None:
    drive(run_job(job_on(CASE, ["oracle"], out=tmp_path)))
    plan = ForkPlan.of([tmp_path], ForkWishes(at=(f"{CASE}:1.1",)))
    for agent in ("oracle", "gemini:gemini-3.5-flash"):
        with pytest.raises(Problem, match="cannot continue in the middle of a reply"):
            plan.check_agents([agent], None, 1.0)
    plan.check_agents(["openai:gpt-5"], None, 1.0)
