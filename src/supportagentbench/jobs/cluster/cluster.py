"""Cluster: has the conversations of a job played by the actors of a Ray cluster."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import NamedTuple, cast

from supportagentbench.desk import AgentFailure, Desk
from supportagentbench.desk.doors.house import HouseDoor
from supportagentbench.jobs.cluster.correspondence import ClusterJob
from supportagentbench.jobs.cluster.engine import connected, refuse_unfit
from supportagentbench.jobs.cluster.leases import Lender
from supportagentbench.jobs.cluster.roster import GUILTY, PlayKey, Roster
from supportagentbench.jobs.cluster.station import RayStation
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.models.answer_cache import AnswerKeeper, forget
from supportagentbench.models.budget import Budget
from supportagentbench.models.http_client import Retry
from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import Transcript, Turn
from supportagentbench.records.usage import Usage
from supportagentbench.runner.play import Played, Player, Plays, PlayTask, play


@asynccontextmanager
async def played_on_cluster(
    spec: JobSpec,
    player: Player,
    budget: Budget,
    on_retry: Callable[[PlayTask, Retry], None],
    *,
    wants_turns: bool,
) -> AsyncIterator[Plays]:
    """Who plays the conversations of this job: workers, which are replaced when they are lost."""
    refuse_unfit(spec)
    headers = {name: agent.header for name, agent in player.agents.items()}
    job = ClusterJob(spec, headers, Lender(budget, spec.at_once), on_retry, wants_turns)
    try:
        async with connected(spec.cluster) as processes, asyncio.TaskGroup() as group:
            stations = [RayStation(job) for _ in range(min(processes, spec.at_once))]
            roster = Roster(stations)
            work = [group.create_task(station.work(roster)) for station in stations]
            yield Cluster(player, roster)
            await asyncio.gather(*(station.close() for station in stations))
            for one in work:
                one.cancel()
    except* Problem as problems:
        raise _first(problems) from None


def _first(problems: BaseExceptionGroup[Problem]) -> Problem:
    found = problems.exceptions[0]
    return _first(found) if isinstance(found, BaseExceptionGroup) else found


class Cluster(NamedTuple):
    """The workers of a job."""

    player: Player
    roster: Roster

    async def __call__(
        self,
        task: PlayTask,
        *,
        hear: Callable[[Turn], None] | None = None,
        keep: AnswerKeeper = forget,
        note: Callable[[Transcript, float], None] | None = None,
    ) -> Played:
        """Have a conversation played; one that ends every process that plays it is the agent's error."""
        key = PlayKey.of(task)
        if self.roster.is_guilty(key):
            return await self._broken(task)
        station = cast(RayStation, await self.roster.enter(key))
        try:
            return await station.letters.play(task, hear, keep, note)
        finally:
            self.roster.leave(station, key)

    async def _broken(self, task: PlayTask) -> Played:
        spent = [answer.usage for answer in task.answers.values()]
        agent = self.player.agents[task.agent]
        agents = {task.agent: agent._replace(door=HouseDoor(lambda seed: EndedAgent(spent)))}
        return await play(task, self.player._replace(agents=agents))


class EndedAgent(NamedTuple):
    """In place of an agent that ended its process whenever it was played."""

    spent: list[Usage]
    """What models cost until then."""

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        for usage in self.spent:
            desk.spend(usage)
        words = f"the process that played it ended each time, {GUILTY} times or more"
        raise AgentFailure("agent_error", words)
