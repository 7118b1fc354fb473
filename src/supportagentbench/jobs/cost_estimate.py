"""Cost estimate: the oracle runs a job's conversations once, offline, to estimate what models will be sent.

The characters that a model would have been sent are counted. Real models write more and take detours, so
this is the low end of the estimate; the high end is the same conversation extended to the turn limit.
"""

from functools import reduce
from itertools import cycle, islice
from typing import NamedTuple

import msgspec

from supportagentbench.agents.resolve import resolve
from supportagentbench.calibration.oracle import Oracle
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.desk.doors.house import HouseSeat
from supportagentbench.desk.session import DeskSession
from supportagentbench.jobs.job import Job
from supportagentbench.models.cost_plan import CostPlan, Workload, check_keys, planned
from supportagentbench.models.provider import is_model
from supportagentbench.records.record import to_json
from supportagentbench.records.transcript import ToolCall, Transcript, Turn
from supportagentbench.runner.conversation import TURN_LIMIT, Sitting, begun, converse
from supportagentbench.world.cases import PlannedCases
from supportagentbench.world.desk import DeskSetup

CUSTOMER_PROMPT = 2_600
"""Characters in an average prompt of a customer's model, without the message itself."""


class CaseWorkload(NamedTuple):
    """What models are sent and write in one case: at least, and if it goes on until the turn limit."""

    agent: tuple[Workload, Workload]
    customer: tuple[Workload, Workload]

    @property
    def expected(self) -> int:
        """Characters; a measure of how much there is to do."""
        return self.agent[0].sent + self.agent[0].written

    def plus(self, other: "CaseWorkload") -> "CaseWorkload":
        return CaseWorkload(_added(self.agent, other.agent), _added(self.customer, other.customer))


def _added(one: tuple[Workload, Workload], other: tuple[Workload, Workload]) -> tuple[Workload, Workload]:
    return one[0].plus(other[0]), one[1].plus(other[1])


NO_WORK = CaseWorkload((Workload(), Workload()), (Workload(), Workload()))


async def plan_costs(job: Job) -> list[CostPlan]:
    """One cost plan per model of the job, if all of it is run; of a shard, if all its conversations are."""
    spec, runs = job.spec, job.times
    models = [agent.model for agent in map(resolve, spec.agents) if agent.model]
    check_keys([*models, spec.customer])
    if not models and not is_model(spec.customer):
        return []
    found = await case_workloads(job)
    every = reduce(CaseWorkload.plus, found.values(), NO_WORK)
    share = runs / (spec.shard.of if spec.shard else 1)
    low, high = (workload.times(share) for workload in every.agent)
    count = round(len(found) * share)
    plans = [planned(name, low, count, spec.concurrency, "agent", high) for name in models]
    if is_model(spec.customer):
        times = share * len(spec.agents)
        low, high = (workload.times(times) for workload in every.customer)
        count = round(len(found) * times)
        plans.append(planned(spec.customer, low, count, spec.concurrency, "customer", high))
    return plans


async def case_workloads(job: Job) -> dict[str, CaseWorkload]:
    """What each case of the first draw takes, by its name."""
    cases, spec = job.cases, job.spec
    # Every draw is drawn before anybody agrees to spend: a case that does not fit stops the plan.
    chosen, *_ = [drawn.named(",".join(spec.chosen) or spec.set_name) for drawn in job.draws.values()]
    sitting = Sitting(channel=spec.channel, desk=spec.desk)
    found = {}
    for case in chosen:
        setup = cases.desk_for(case, spec.channel, spec.desk)
        session, scripted, history = await begun(cases, case, ScriptedVoice(), sitting)
        talk = await converse(case, HouseSeat(Oracle(cases.world, 0)), session, scripted, history)
        short = talk.on(case, sitting, cases.start_of(case))
        if spec.desk == "handbook":
            short = _with_a_section(short, cases, session)
        long = _at_turn_limit(short)
        found[case.id] = CaseWorkload(
            (_agent_workload(short, setup), _agent_workload(long, setup)),
            (_customer_workload(short), _customer_workload(long)),
        )
    return found


def _with_a_section(transcript: Transcript, cases: PlannedCases, session: DeskSession) -> Transcript:
    """The conversation with a section of average length opened: the oracle needs none, a model does."""
    sections = sorted(cases.world.opened_handbook().sections, key=lambda one: len(one.text))
    arguments: dict[str, str] = {"section": sections[len(sections) // 2].name}
    opened = ToolCall("read_policy", arguments, session.run("read_policy", arguments))
    turns = [
        msgspec.structs.replace(turn, calls=(opened, *turn.calls)) if number == 1 else turn
        for number, turn in enumerate(transcript.turns)
    ]
    return msgspec.structs.replace(transcript, turns=tuple(turns))


def _at_turn_limit(transcript: Transcript) -> Transcript:
    """The same conversation, repeated until the turn limit."""
    pairs = list(zip(transcript.turns[::2], transcript.turns[1::2], strict=False))
    turns = [turn for pair in islice(cycle(pairs), TURN_LIMIT) for turn in pair]
    return msgspec.structs.replace(transcript, turns=tuple(turns))


def _agent_workload(transcript: Transcript, desk: DeskSetup) -> Workload:
    """The agent's requests: each sends the whole conversation, most of which was sent before."""
    specs = [tool.spec for tool in desk.tools.values()]
    tools = sum(len(tool.name) + len(tool.about) + len(to_json(tool.schema)) for tool in specs)
    length = len(desk.instructions) + tools
    workload, repeated = Workload(), 0
    for turn in transcript.turns:
        if turn.party == "customer":
            length += len(turn.text)
            continue
        for written, given in _rounds(turn):
            workload = workload.plus(Workload(1, length, repeated, written))
            repeated = length
            length += written + given
    return workload


def _rounds(turn: Turn) -> list[tuple[int, int]]:
    """Characters written and received per request of one turn: one per call, and one for the reply."""
    calls = [(len(call.tool) + len(to_json(call.arguments)), len(call.result.text)) for call in turn.calls]
    return [*calls, (len(turn.text), 0)]


def _customer_workload(transcript: Transcript) -> Workload:
    """The customer's requests: one to read each reply, one to write each answer."""
    answers = [turn for turn in transcript.turns[1:] if turn.party == "customer"]
    heard = sum(len(turn.text) for turn in transcript.turns if turn.party == "agent")
    said = sum(len(turn.text) for turn in answers)
    sent = 2 * CUSTOMER_PROMPT * len(answers) + 2 * heard
    return Workload(2 * len(answers), sent, 0, said + 100 * len(answers))
