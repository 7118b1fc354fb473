"""What the clock says about a conversation is kept beside its record, which is the same without it."""

import time
from itertools import pairwise
from pathlib import Path

from conversations import job_on
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.concurrency.interrupt import Interrupt
from supportagentbench.fake_provider.provider import FakeProvider
from supportagentbench.jobs.run import run_job
from supportagentbench.runner.stopwatch import Stopwatch
from supportagentbench.storage.archive import find_runs
from supportagentbench.storage.transcripts import Filed, read_transcripts


def test_a_turn_begins_when_the_one_before_ends() -> None:
    stopwatch = Stopwatch()
    stopwatch.end_turn()
    reported, called = time.perf_counter(), time.perf_counter()
    stopwatch.end_turn([reported], [called])
    opening, answer = stopwatch.turns
    assert opening.began == 0 and answer.began == opening.ended
    assert answer.began <= answer.usage[0] <= answer.calls[0] <= answer.ended <= stopwatch.seconds + 1e-6


def run(out: Path) -> list[Filed]:
    async def main() -> None:
        async with FakeProvider() as provider:
            agent = f"vllm:any,base_url={provider.url}/v1"
            job = job_on("tracking", [agent], 1, 0, "scripted", out, 4)
            await run_job(job, (), Interrupt(print))

    drive(main())
    (folder,) = find_runs([out])
    return sorted(read_transcripts(folder), key=lambda filed: filed.transcript.case)


def test_every_call_of_a_stored_conversation_has_its_time_and_the_digest_has_none(tmp_path: Path) -> None:
    once, again = run(tmp_path / "once"), run(tmp_path / "again")
    assert [filed.digest for filed in once] == [filed.digest for filed in again]
    assert [filed.clock for filed in once] != [filed.clock for filed in again]
    for filed in once:
        assert len(filed.clock) == len(filed.transcript.turns)
        assert all(before.ended == after.began for before, after in pairwise(filed.clock))
        assert filed.clock[-1].ended <= filed.seconds + 1e-6
        for turn, clock in zip(filed.transcript.turns, filed.clock, strict=True):
            if turn.party == "agent":
                assert (len(clock.usage), len(clock.calls)) == (len(turn.usage), len(turn.calls))
            readings = sorted([*clock.usage, *clock.calls])
            assert not readings or clock.began <= readings[0] <= readings[-1] <= clock.ended
