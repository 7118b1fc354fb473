"""Station: one place of the cluster, with the actor that plays there; the next one, if that is lost."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from supportagentbench.jobs.cluster.bench import Bench
from supportagentbench.jobs.cluster.correspondence import ClusterJob, Correspondence
from supportagentbench.jobs.cluster.letters import Order, read_letters
from supportagentbench.jobs.cluster.roster import Roster, Workplace
from supportagentbench.jobs.cluster.worker import Worker
from supportagentbench.records.problem import Problem

OPENING = 600.0
"""Seconds that a worker has to open what it plays, and a cluster to find room for the first one."""

CLOSING = 10.0
"""Seconds that a worker has to close what its agents opened."""

OPTIONS = {"num_cpus": 1, "max_restarts": 0, "max_task_retries": 0, "scheduling_strategy": "SPREAD"}
"""Of an actor: it is not Ray that starts the next one, because that has to open the job again."""


class RayStation(Workplace):
    """Where one actor at a time plays."""

    def __init__(self, job: ClusterJob) -> None:
        super().__init__()
        self._job = job
        self._bench = Bench()
        self._actor: Any = None
        self._node = ""
        """The machine of the present actor, by Ray's name for it."""
        self.letters = Correspondence(job, self._send)

    async def work(self, roster: Roster) -> None:
        """Let one actor after the other play here, as long as the job goes on."""
        from ray.exceptions import RayError

        while True:
            self._actor, self._node, self.letters = None, "", Correspondence(self._job, self._send)
            try:
                await self._serve(roster)
            except (RayError, TimeoutError) as error:
                why = " ".join(str(error).split())[:300].rstrip(".") + "."
            finally:
                self._leave()
            was_useful = self.letters.was_useful
            if self.plays and not await asyncio.to_thread(_is_gone, self._node):
                was_useful |= roster.lose(self)
            self.letters.give_up()
            await asyncio.sleep(self._bench.wait(why, was_useful=was_useful))

    async def _serve(self, roster: Roster) -> None:
        """Start an actor and exchange letters with it."""
        import ray

        self._actor = ray.remote(Worker).options(**OPTIONS).remote()
        self._node = await self._found(self._actor.node.remote(), roster)
        async with asyncio.timeout(OPENING):
            opened = await self._actor.open.remote(self._job.spec, self._job.wants_turns)
        self.letters.check(read_letters(opened))
        self.is_open = True
        roster.changed()
        while True:
            for letter in read_letters(await self._actor.fetch.remote(self.letters.take_orders())):
                self.letters.read(letter)

    async def _found(self, node: Any, roster: Roster) -> str:
        """The machine that has room for the worker; others may play while the cluster looks for one."""
        answer = asyncio.wrap_future(node.future())
        answer.add_done_callback(lambda found: found.cancelled() or found.exception())
        while not (await asyncio.wait([answer], timeout=OPENING))[0]:
            if not roster.is_open:
                raise Problem(
                    f"the cluster had no room for any worker within {OPENING:.0f} s; see `ray status`."
                )
        return str(answer.result())

    def _send(self, orders: Sequence[Order]) -> None:
        if self._actor:
            self._actor.take.remote(orders)

    def _leave(self) -> None:
        """End the actor, or what is left of it; nothing more is heard of it."""
        import ray

        self.is_open = False
        self.letters.close()
        if self._actor:
            ray.kill(self._actor)
        self._actor = None

    async def close(self) -> None:
        """Have the actor close what its agents opened."""
        from ray.exceptions import RayError

        if self.is_open:
            with suppress(RayError, TimeoutError):
                await asyncio.wait_for(self._actor.close.remote(), CLOSING)


def _is_gone(node: str) -> bool:
    """Whether the machine was lost, and not only the worker on it."""
    import ray

    return any(one["NodeID"] == node and not one["Alive"] for one in ray.nodes())
