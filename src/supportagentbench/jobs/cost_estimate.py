"""Cost estimate: the oracle runs a job's conversations once, offline, to estimate what models will be sent.

The characters that a model would have been sent are counted. Real models write more and take detours, so
this is the low end of the estimate; the high end is the same conversation extended to the turn limit.
"""

from itertools import cycle, islice

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
from supportagentbench.runner.conversation import TURN_LIMIT, Sitting, converse, customer_of
from supportagentbench.world.desk import DeskSetup
from supportagentbench.world.drawn_cases import DrawnCases

CUSTOMER_PROMPT = 2_600
"""Characters in an average prompt of a customer's model, without the message itself."""


async def plan_costs(job: Job) -> list[CostPlan]:
    """One cost plan per model of the job, if all of it is run."""
    cases, spec, runs = job.cases, job.spec, job.times
    customer, desk = spec.customer, spec.desk
    models = [agent.model for agent in map(resolve, spec.agents) if agent.model]
    check_keys([*models, customer])
    if not models and not is_model(customer):
        return []
    # Every draw is drawn before anybody agrees to spend: a case that does not fit stops the plan.
    chosen, *_ = [drawn.named(",".join(spec.chosen) or spec.set_name) for drawn in job.draws.values()]
    sitting = Sitting(channel=spec.channel, desk=desk)
    agent, voice = [Workload(), Workload()], [Workload(), Workload()]
    for case in chosen:
        setup = cases.desk_for(case, spec.channel, desk)
        session, scripted = DeskSession(setup), customer_of(case, ScriptedVoice(), sitting, cases.reader)
        talk = await converse(case, HouseSeat(Oracle(cases.world, 0)), session, scripted)
        short = talk.on(case, sitting, cases.start_of(case))
        if desk == "handbook":
            short = _with_a_section(short, cases, session)
        for side, transcript in enumerate((short, _at_turn_limit(short))):
            agent[side] = agent[side].plus(_agent_workload(transcript, setup))
            voice[side] = voice[side].plus(_customer_workload(transcript))
    low, high = (workload.times(runs) for workload in agent)
    plans = [planned(name, low, len(chosen) * runs, spec.concurrency, "agent", high) for name in models]
    if is_model(customer):
        times = runs * len(spec.agents)
        low, high = (workload.times(times) for workload in voice)
        plans.append(planned(customer, low, len(chosen) * times, spec.concurrency, "customer", high))
    return plans


def _with_a_section(transcript: Transcript, cases: DrawnCases, session: DeskSession) -> Transcript:
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
