"""A worker plays what it is ordered to, without Ray: as it is in the process of an actor."""

import asyncio
import pickle
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

import pytest

from supportagentbench.fake_provider.provider import FakeProvider
from supportagentbench.jobs.cluster import worker
from supportagentbench.jobs.cluster.correspondence import ClusterJob, Correspondence
from supportagentbench.jobs.cluster.leases import Lender
from supportagentbench.jobs.cluster.letters import (
    AnswerLetter,
    AnyLetter,
    AskLetter,
    CostLetter,
    GrantOrder,
    NotedOrder,
    NoteLetter,
    OpenLetter,
    Order,
    PlayedLetter,
    PlayOrder,
    ProblemLetter,
    ReturnLetter,
    RiskLetter,
    StopOrder,
    TurnLetter,
    read_letters,
)
from supportagentbench.jobs.cluster.worker import Outbox, Worker
from supportagentbench.jobs.job import open_job, opened_player
from supportagentbench.jobs.secret import Secret
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.models.answer_cache import forget
from supportagentbench.models.budget import Budget
from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import Transcript
from supportagentbench.runner.play import Played, PlayTask, play

SPEC = JobSpec("northline", ("oracle",), "all", seed=3)
TASK = PlayTask("oracle", 2, "0", "damaged_no_proof-1-twin")


class Desk:
    """The driver's side: orders given, letters received, in order."""

    def __init__(self) -> None:
        self.worker = Worker()
        self.letters: list[AnyLetter] = []

    async def open(self, spec: JobSpec, *, wants_turns: bool = False) -> OpenLetter:
        (letter,) = read_letters(await self.worker.open(pickle.loads(pickle.dumps(spec)), wants_turns))
        assert isinstance(letter, OpenLetter)
        return letter

    async def exchange(self, *orders: Order) -> list[AnyLetter]:
        found = read_letters(await self.worker.fetch(pickle.loads(pickle.dumps(orders))))
        self.letters += found
        return found

    async def play(self, task: PlayTask) -> Played:
        """Have it played, with every permit granted and every note taken."""
        orders: Sequence[Order] = [PlayOrder(5, task)]
        while True:
            letters = await self.exchange(*orders)
            for letter in letters:
                if isinstance(letter, PlayedLetter):
                    return letter.played
                assert not isinstance(letter, ProblemLetter), letter
            notes = [NotedOrder(one.play) for one in letters if isinstance(one, NoteLetter)]
            orders = [*notes, *(GrantOrder(one.number) for one in letters if isinstance(one, AskLetter))]


def in_loop(test: Callable[[Desk], Coroutine[Any, Any, None]]) -> None:
    async def main() -> None:
        async with asyncio.timeout(60):
            await test(Desk())

    asyncio.run(main())


async def here(task: PlayTask) -> Played:
    async with opened_player(open_job(SPEC), Budget(None)) as player:
        return await play(task, player)


def test_a_conversation_is_the_same_as_in_this_process() -> None:
    async def test(desk: Desk) -> None:
        opened = await desk.open(SPEC, wants_turns=True)
        assert [header.agent for header in opened.headers] == ["oracle"]
        played = await desk.play(TASK)
        assert played.transcript == (await here(TASK)).transcript
        heard = [one.turn for one in desk.letters if isinstance(one, TurnLetter)]
        assert tuple(heard) == played.transcript.turns[:-1]
        await desk.worker.close()

    in_loop(test)


def test_after_a_change_the_conversation_waits_until_it_is_noted() -> None:
    async def test(desk: Desk) -> None:
        await desk.open(SPEC)
        letters = await desk.exchange(PlayOrder(5, TASK))
        assert isinstance(letters[-1], NoteLetter) and letters[-1].play == 5
        assert any(call.result.wrote for turn in letters[-1].so_far.turns for call in turn.calls)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(desk.exchange(), 0.3)
        letters = await desk.exchange(NotedOrder(5))
        while not isinstance(letters[-1], PlayedLetter):
            letters = await desk.exchange(NotedOrder(5))
        await desk.worker.close()

    in_loop(test)


def test_a_refused_note_ends_its_conversation_and_no_other() -> None:
    async def test(desk: Desk) -> None:
        await desk.open(SPEC)
        letters = await desk.exchange(PlayOrder(1, TASK))
        assert isinstance(letters[-1], NoteLetter)
        assert await desk.exchange(NotedOrder(1, "the disk is full.")) == [
            ProblemLetter(1, "the disk is full.")
        ]
        assert (await desk.play(TASK)).transcript.case == TASK.name
        await desk.worker.close()

    in_loop(test)


def test_a_stopped_conversation_asks_no_model_and_gives_back_what_it_was_lent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789-secret")

    async def test(desk: Desk) -> None:
        async with FakeProvider() as provider:
            name = f"openai:gpt-5,base_url={provider.url}/v1"
            await desk.open(SPEC.with_(agents=(name,), budget=5.0))
            (slot,) = await desk.exchange(PlayOrder(1, PlayTask("openai:gpt-5", 1, "0", "tracking-1")))
            assert isinstance(slot, AskLetter) and slot.host
            (dollars,) = await desk.exchange(GrantOrder(slot.number))
            assert isinstance(dollars, AskLetter) and dollars.dollars
            returned = await desk.exchange(StopOrder(1), GrantOrder(dollars.number))
            assert returned == [ReturnLetter(dollars.number), ReturnLetter(slot.number)]
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(desk.exchange(), 0.3)
            assert provider.counts.total.requests == 0
            await desk.worker.close()

    in_loop(test)


def test_what_was_stopped_before_its_order_arrived_is_not_played() -> None:
    async def test(desk: Desk) -> None:
        await desk.open(SPEC)
        unknown = TASK._replace(name="no-such-case")
        (letter,) = await desk.exchange(StopOrder(1), PlayOrder(1, TASK), PlayOrder(2, unknown))
        assert isinstance(letter, ProblemLetter) and letter.play == 2
        await desk.worker.close()

    in_loop(test)


def test_an_agent_whose_changes_cannot_be_noted_holds_up_no_other() -> None:
    async def test(desk: Desk) -> None:
        spec = SPEC.with_(agents=("oracle", "random-tool"))
        headers = {header.agent: header for header in (await desk.open(spec)).headers}
        lender = Lender(Budget(None), 8)
        taken: set[asyncio.Task[None]] = set()
        job = ClusterJob(spec, headers, lender, lambda task, retry: None, wants_turns=False)
        letters = Correspondence(job, lambda orders: taken.add(asyncio.create_task(desk.worker.take(orders))))

        async def serve() -> None:
            while True:
                for letter in await desk.exchange(*letters.take_orders()):
                    letters.read(letter)

        def full(so_far: Transcript, started: float) -> None:
            raise Problem("the disk is full.")

        serving = asyncio.create_task(serve())
        other = asyncio.create_task(letters.play(TASK._replace(agent="random-tool"), None, forget, None))
        with pytest.raises(ExceptionGroup) as raised:
            async with asyncio.TaskGroup() as group:
                for run in (1, 2, 3):
                    group.create_task(letters.play(TASK._replace(run=run), None, forget, full))
        assert {str(one) for one in raised.value.exceptions} == {"the disk is full."}
        assert (await other).transcript.case == TASK.name
        later = letters.play(TASK._replace(agent="random-tool", run=2), None, forget, None)
        assert (await later).transcript.case == TASK.name, "the worker is free again"
        serving.cancel()
        await desk.worker.close()

    in_loop(test)


def test_what_a_request_cost_leaves_together_with_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789-secret")

    async def test(desk: Desk) -> None:
        async with FakeProvider() as provider:
            name = f"openai:gpt-5,base_url={provider.url}/v1"
            await desk.open(SPEC.with_(agents=(name,), budget=5.0))
            groups: list[list[AnyLetter]] = []
            orders: list[Order] = [PlayOrder(1, PlayTask("openai:gpt-5", 1, "0", "tracking-1"))]
            while not any(isinstance(one, PlayedLetter) for group in groups for one in group):
                groups.append(await desk.exchange(*orders))
                assert not any(isinstance(one, ProblemLetter) for one in groups[-1])
                orders = [GrantOrder(one.number) for one in groups[-1] if isinstance(one, AskLetter)]
            assert provider.counts.total.requests > 1
            paid = [group for group in groups if any(isinstance(one, CostLetter) for one in group)]
            assert len(paid) == provider.counts.total.requests
            for group in paid:
                kinds = [type(one) for one in group]
                assert kinds.count(AnswerLetter) == 1 and kinds.count(ReturnLetter) == 2
            await desk.worker.close()

    in_loop(test)


def test_a_worker_that_cannot_open_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.chdir(tmp_path)

    async def test(desk: Desk) -> None:
        opened = await desk.open(SPEC.with_(agents=("openai:gpt-5",)))
        assert "needs a key; set OPENAI_API_KEY" in opened.problem and not opened.headers

    in_loop(test)


def test_a_problem_ends_one_conversation_and_no_other() -> None:
    async def test(desk: Desk) -> None:
        await desk.open(SPEC)
        (letter,) = await desk.exchange(PlayOrder(1, TASK._replace(name="no-such-case")))
        assert isinstance(letter, ProblemLetter) and "no-such-case" in letter.sentence
        assert (await desk.play(TASK)).transcript.case == TASK.name
        await desk.worker.close()

    in_loop(test)


def test_the_private_seed_travels_and_is_in_no_letter() -> None:
    async def test(desk: Desk) -> None:
        seed = "a-long-private-seed-0123456789"
        opened = await desk.open(SPEC.with_(private_seed=Secret(seed), agents=("oracle",)))
        assert opened.headers[0].case_seed.startswith("private:") and seed not in str(opened)
        await desk.worker.close()

    in_loop(test)


def test_letters_that_are_written_before_others_get_their_turn_are_handed_out_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(worker, "PARCEL", 0)

    async def main() -> None:
        outbox, cost, risk = Outbox(), CostLetter(1.0), RiskLetter(2.0)
        outbox.add(cost)
        outbox.add(risk)
        await asyncio.sleep(0)
        outbox.add(cost)
        assert read_letters(await outbox.fetch()) == [cost, risk]
        assert read_letters(await outbox.fetch()) == [cost]
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(outbox.fetch(), 0.05)

    asyncio.run(main())
