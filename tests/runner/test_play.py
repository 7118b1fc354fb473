"""Playing a conversation is a function of its task: the same in every process, and nothing is written."""

import asyncio
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from conversations import job_on
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.fake_provider.provider import FakeProvider
from supportagentbench.jobs.job import open_job, opened_player
from supportagentbench.jobs.run import run_job
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.models import Completion
from supportagentbench.models.answer_cache import AnswersByKey
from supportagentbench.models.budget import Budget
from supportagentbench.records.record import to_json
from supportagentbench.records.transcript import Turn
from supportagentbench.runner.play import Played, PlayTask, play
from supportagentbench.storage.transcripts import read_transcripts

SPEC = JobSpec("northline", ("oracle", "random-tool"), "all", seed=3, channel="chat", case_seeds="0,5")
TASKS = [
    PlayTask("oracle", 1, "0", "tracking-1"),
    PlayTask("random-tool", 4, "5", "damaged_no_proof-1"),
]


async def _played(spec: JobSpec, tasks: list[PlayTask]) -> list[Played]:
    async with opened_player(open_job(spec), Budget(None)) as player:
        return [await play(task, player) for task in tasks]


def played(spec: JobSpec, tasks: list[PlayTask]) -> list[bytes]:
    return [to_json(one.transcript) for one in asyncio.run(_played(spec, tasks))]


def test_the_same_task_is_the_same_transcript_in_another_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    here = played(SPEC, TASKS)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(played, SPEC, TASKS).result() == here
    assert list(tmp_path.iterdir()) == [], "nothing is written"


def test_a_task_says_which_draw_run_and_agent_it_is() -> None:
    first, second = (one.transcript for one in asyncio.run(_played(SPEC, TASKS)))
    draws = open_job(SPEC).draws
    assert (first.case, first.run, second.case, second.run) == ("tracking-1", 1, "damaged_no_proof-1", 4)
    for transcript, draw in ((first, "0"), (second, "5")):
        cases = draws[draw]
        assert transcript.start == cases.start_of(cases.cases[transcript.case])
    other = draws["0"]
    assert second.start != other.start_of(other.cases[second.case])


def test_what_is_played_is_what_a_run_stores(tmp_path: Path) -> None:
    spec = SPEC.with_(agents=("oracle",), set_name="tracking-1", case_seeds="0", out=tmp_path)
    drive(run_job(open_job(spec)))
    (filed,) = read_transcripts(tmp_path / "oracle-1")
    (bytes_,) = played(spec, TASKS[:1])
    assert to_json(filed.transcript) == bytes_


def test_a_task_comes_back_as_plain_data() -> None:
    (one,) = asyncio.run(_played(SPEC, TASKS[:1]))
    there: Played = pickle.loads(pickle.dumps(one))
    assert there == one and there.error is None
    assert len(there.clock) == len(there.transcript.turns) and 0 < there.seconds < 60 < there.started


def test_every_turn_but_the_last_is_heard_and_changes_nothing() -> None:
    heard: list[Turn] = []

    async def main() -> list[Played]:
        async with opened_player(open_job(SPEC), Budget(None)) as player:
            return [await play(TASKS[0], player, hear=heard.append), await play(TASKS[0], player)]

    first, second = asyncio.run(main())
    assert first.transcript == second.transcript and tuple(heard) == first.transcript.turns[:-1]


def test_answers_leave_as_they_arrive_and_those_of_before_are_not_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789-secret")
    kept: AnswersByKey = {}

    def keep(key: str, completion: Completion) -> None:
        kept[key] = completion

    async def main() -> tuple[Played, Played, int, int]:
        async with FakeProvider() as provider:
            job = job_on("tracking-1", [f"openai:gpt-5,base_url={provider.url}/v1"], out=tmp_path)
            task = PlayTask("openai:gpt-5", 1, "0", "tracking-1")
            async with opened_player(job, Budget(None)) as player:
                first = await play(task, player, keep=keep)
                asked = provider.counts.total.requests
                again = task._replace(answers=pickle.loads(pickle.dumps(kept)))
                second = await play(again, player)
                assert again.answers == kept, "a task is not used up"
            return first, second, asked, provider.counts.total.requests

    first, second, asked, after = drive(main())
    assert asked == len(kept) > 1 and after == asked
    assert first.transcript == second.transcript and not list(tmp_path.iterdir())
