"""Rehearsal: the oracle holds a job's conversations once, offline, to see what models will be asked for.

What a model would have been sent on the way is counted letter by letter. Real models write more and take
detours, so this is the low side of a guess; the high side is the same talk drawn out to the last turn.
"""

from itertools import cycle, islice

import msgspec

from supportagentbench.agents.oracle import Oracle
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.models.cost_plan import CostPlan, Weight, check_keys, planned
from supportagentbench.models.provider import is_model
from supportagentbench.records.case import Case
from supportagentbench.records.record import to_json
from supportagentbench.records.transcript import Transcript, Turn
from supportagentbench.runner.conversation import TURN_LIMIT, converse
from supportagentbench.world.desk import Desk
from supportagentbench.world.generate import CaseSet

CUSTOMER_PROMPT = 2_600
"""Letters a customer's model is told each time it reads or writes a message, the message aside; the mean."""


async def rehearse(
    cases: CaseSet, set_name: str, agents: list[str], customer: str, runs: int, at_once: int
) -> list[CostPlan]:
    """One plan for every model that will be asked."""
    models = [name for name in agents if is_model(name)]
    check_keys([*models, customer])
    if not models and not is_model(customer):
        return []
    chosen = cases.named(set_name)
    at_desk, writing = [Weight(), Weight()], [Weight(), Weight()]
    for case in chosen:
        short, desk = await _held(cases, case), cases.session_for(case).desk
        for side, transcript in enumerate((short, _drawn_out(short))):
            at_desk[side] = at_desk[side].and_also(_desk_weight(transcript, desk))
            writing[side] = writing[side].and_also(_customer_weight(transcript))
    low, high = (weight.times(runs) for weight in at_desk)
    plans = [planned(name, low, len(chosen) * runs, at_once, "agent", high) for name in models]
    if is_model(customer):
        talks = runs * len(agents)
        low, high = (weight.times(talks) for weight in writing)
        plans.append(planned(customer, low, len(chosen) * talks, at_once, "customer", high))
    return plans


def _drawn_out(transcript: Transcript) -> Transcript:
    """The same talk, if both went on in the same way until the last turn."""
    pairs = list(zip(transcript.turns[::2], transcript.turns[1::2], strict=False))
    turns = [turn for pair in islice(cycle(pairs), TURN_LIMIT) for turn in pair]
    return msgspec.structs.replace(transcript, turns=tuple(turns))


async def _held(cases: CaseSet, case: Case) -> Transcript:
    start, session = cases.start_of(case), cases.session_for(case)
    return await converse(case, Oracle(cases.world, 0), session, ScriptedVoice(), run=1, seed=0, start=start)


def _desk_weight(transcript: Transcript, desk: Desk) -> Weight:
    """The agent's requests: every one sends the whole talk, most of it for the second time."""
    tools = sum(len(tool.name) + len(tool.about) + len(to_json(tool.schema)) for tool in desk.tools.values())
    talk = len(desk.instructions) + tools
    weight, before = Weight(), 0
    for turn in transcript.turns:
        if turn.party == "customer":
            talk += len(turn.text)
            continue
        for written, given in _rounds(turn):
            weight = weight.and_also(Weight(1, talk, before, written))
            before = talk
            talk += written + given
    return weight


def _rounds(turn: Turn) -> list[tuple[int, int]]:
    """Letters written and given back, for every request of one turn: one a call, and one for the reply."""
    calls = [(len(call.tool) + len(to_json(call.arguments)), len(call.result.text)) for call in turn.calls]
    return [*calls, (len(turn.text), 0)]


def _customer_weight(transcript: Transcript) -> Weight:
    """The customer's requests: one to read each reply, one to word each answer."""
    answers = [turn for turn in transcript.turns[1:] if turn.party == "customer"]
    heard = sum(len(turn.text) for turn in transcript.turns if turn.party == "agent")
    said = sum(len(turn.text) for turn in answers)
    sent = 2 * CUSTOMER_PROMPT * len(answers) + 2 * heard
    return Weight(2 * len(answers), sent, 0, said + 100 * len(answers))
