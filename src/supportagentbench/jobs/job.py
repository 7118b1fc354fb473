"""Job: a spec with its cases, and everything that is opened to play them."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import ExitStack, asynccontextmanager
from math import ceil
from typing import NamedTuple

from msgspec.structs import replace

from supportagentbench.agents.spec import AgentSpec, ModelOpener, Surroundings
from supportagentbench.concurrency.shared_process import kept_alive
from supportagentbench.customer.model_voice import ModelVoice
from supportagentbench.customer.voice import ScriptedVoice, Voice
from supportagentbench.forks.decisions import Decisions
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.models import Model
from supportagentbench.models.answer_cache import CachedModel
from supportagentbench.models.budget import Budget
from supportagentbench.models.http_client import ConnectionPool, Retry
from supportagentbench.models.provider import Role, host_of, keep_known_keys, open_model, shown_name
from supportagentbench.models.rate_limiter import Limiter
from supportagentbench.models.recording import RecordedModel, Recording
from supportagentbench.records.fork import ForkPoint
from supportagentbench.records.name import is_agent_name
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Run
from supportagentbench.records.secrets import scrubbed_record
from supportagentbench.runner.play import CURRENT, CaseStage, Contender, Player, PlayTask, Stage
from supportagentbench.runner.run import header_of
from supportagentbench.world.cases import PlannedCases
from supportagentbench.world.drawn_cases import DrawnCases, generate
from supportagentbench.world.folder import read_world
from supportagentbench.world.seed import numbered_seeds, private


class Job(NamedTuple):
    """What a command runs, with its cases drawn."""

    spec: JobSpec
    draws: Mapping[str, PlannedCases]
    """By the names of their seeds; each is run the same number of times."""
    forked: Stage | None = None
    """Where the conversations start, if not with the first message of a case."""
    forks: tuple[ForkPoint, ...] = ()
    """Recorded decisions that are made again, instead of whole cases."""
    decisions: Decisions | None = None
    """Which of them are decided, if replays stop there."""

    @property
    def cases(self) -> PlannedCases:
        """The first draw."""
        return next(iter(self.draws.values()))

    @property
    def stage(self) -> Stage:
        """Where its conversations come from."""
        return self.forked or CaseStage(self.draws)

    @property
    def times(self) -> int:
        """How often each agent runs each case, counting replays of forks as whole conversations."""
        spec = self.spec
        if self.forks:
            return ceil(spec.runs * len(self.forks) / len({fork.case for fork in self.forks}))
        return len(spec.numbers) or spec.runs * len(self.draws)

    def is_needed(self, header: Run, name: str) -> bool:
        """Whether a planned conversation can still change the result; otherwise it is left out."""
        return self.decisions is None or self.decisions.is_open(header, name)

    def with_(self, **changed: object) -> "Job":
        """The same with something changed in its spec."""
        return self._replace(spec=self.spec.with_(**changed))


def open_job(spec: JobSpec) -> Job:
    """Draw the cases of a spec, or restore the forks that it asks for."""
    if spec.forks:
        from supportagentbench.jobs.fork import fork_job  # It imports this module.

        return fork_job(spec)[1]
    if spec.tickets:
        from supportagentbench.jobs.tickets import ticket_job  # The same.

        return ticket_job(spec)
    return Job(spec, {drawn.seed.name: drawn for drawn in draws_of(spec)})


def draws_of(spec: JobSpec) -> list[DrawnCases]:
    """The cases of a world, drawn with each of the public seeds, or with the private one."""
    secret = spec.private_seed.reveal()
    seeds = [private(secret)] if secret else numbered_seeds(spec.case_seeds)
    world = read_world(spec.world)
    return [generate(world, seed) for seed in seeds]


def _ignore(task: PlayTask, retry: Retry) -> None:
    """The default for `on_retry`: do nothing."""


@asynccontextmanager
async def opened_player(
    job: Job,
    budget: Budget,
    on_retry: Callable[[PlayTask, Retry], None] = _ignore,
    limiter: Callable[[str], Limiter] | None = None,
) -> AsyncIterator[Player]:
    """Models, customer and agents of a job, open in this process while it plays."""
    keep_known_keys()
    spec = job.spec

    def tell(retry: Retry) -> None:
        if task := CURRENT.get(None):
            on_retry(task, retry)

    async with ConnectionPool(spec.at_once, on_retry=tell, limiter=limiter) as pool:
        with ExitStack() as opened:
            model = _model_opener(spec, pool, budget, opened)
            voice = voice_of(spec.customer, model)
            around = Surroundings(job.cases.world, model, spec.wall)
            agents: dict[str, Contender] = {}
            asked = spec.agent_specs()
            if any(one.isolation_in(spec.isolation) == "none" for one in asked):
                opened.enter_context(kept_alive())
            try:
                for one in asked:
                    made = _contender(job, one, voice, around)
                    if made.header.agent in agents:
                        await made.door.aclose()
                        raise Problem(
                            f"two agents are called {made.header.agent}; run one, then the other under "
                            "another name, or name their functions apart."
                        )
                    agents[made.header.agent] = made
                yield Player(job.stage, voice, agents)
            finally:
                for agent in agents.values():
                    await agent.door.aclose()


def voice_of(name: str, model: ModelOpener) -> Voice:
    """The customer's voice: scripted, or a model's."""
    return ScriptedVoice() if name == ScriptedVoice.name else ModelVoice(model(name, "customer"))


def _model_opener(spec: JobSpec, pool: ConnectionPool, budget: Budget, opened: ExitStack) -> ModelOpener:
    """Opens the job's models: recorded, replayed, or with stored answers."""
    recording: Recording | None = None
    if path := spec.record or spec.replay:
        recording = opened.enter_context(Recording(path, records=spec.record is not None))

    def open_one(name: str, role: Role) -> Model:
        if spec.replay and recording:
            return RecordedModel(shown_name(name), recording, None)
        model = open_model(name, role, pool, budget)
        kept = CachedModel(model)  # Also when recording, so that a killed run knows what it has spent.
        return RecordedModel(model.name, recording, kept) if recording else kept

    return open_one


def _contender(job: Job, agent: AgentSpec, voice: Voice, around: Surroundings) -> Contender:
    """An agent with its door open, and the header of its first run."""
    spec = job.spec
    if not is_agent_name(agent.shown):
        raise Problem(
            f"no agent can be called {agent.shown[:80]!r}: it is too long, or has control characters."
        )
    door = agent.open(around)
    places = {"agent": agent.host, "customer": host_of(spec.customer)}
    plain = header_of(job.cases, spec.set_name, agent.shown, voice, 1, spec.seed, spec.channel, spec.desk)
    header = replace(
        plain,
        set="forks" if job.forks else spec.part or plain.set,
        cases=tuple(fork.id for fork in job.forks) or spec.chosen or plain.cases,
        forks=job.forks,
        isolation=agent.isolation_in(spec.isolation),
        hosts={role: host for role, host in places.items() if host},
        sampling=agent.sampling,
        prices=agent.prices,
        version=agent.version(),
        replayed=spec.replay is not None,
        hides_acts=agent.hides_acts,
        unlabelled=spec.is_unlabelled,
    )
    return Contender(scrubbed_record(header), door, spec.turn_timeout if agent.has_turn_limit else None)
