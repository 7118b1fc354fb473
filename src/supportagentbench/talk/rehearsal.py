"""Rehearsal: the oracle holds a job's conversations once, offline, to see what models will be asked for.

What a model would have been sent on the way is counted letter by letter. Real models write more and take
detours, so this is the low side of a guess.
"""

from supportagentbench.agents.oracle import Oracle
from supportagentbench.case import Case
from supportagentbench.model.plan import Plan, Weight, check_keys, planned
from supportagentbench.model.provider import is_model
from supportagentbench.record import to_json
from supportagentbench.talk.conversation import converse
from supportagentbench.talk.voice import ScriptedVoice
from supportagentbench.transcript import Transcript, Turn
from supportagentbench.world.desk import Desk
from supportagentbench.world.generate import CaseSet

CUSTOMER_PROMPT = 2_600
"""Letters a customer's model is told each time it reads or writes a message, the message aside; the mean."""


async def rehearse(
    cases: CaseSet, set_name: str, agents: list[str], customer: str, runs: int, at_once: int
) -> list[Plan]:
    """One plan for every model that will be asked."""
    models = [name for name in agents if is_model(name)]
    check_keys([*models, customer])
    if not models and not is_model(customer):
        return []
    chosen = cases.named(set_name)
    at_desk, writing = Weight(), Weight()
    for case in chosen:
        transcript = await _held(cases, case)
        at_desk = at_desk.and_also(_desk_weight(transcript, cases.desk_for(case)))
        writing = writing.and_also(_customer_weight(transcript))
    plans = [planned(name, at_desk.times(runs), len(chosen) * runs, at_once) for name in models]
    if is_model(customer):
        talks = runs * len(agents)
        plans.append(planned(customer, writing.times(talks), len(chosen) * talks, at_once))
    return plans


async def _held(cases: CaseSet, case: Case) -> Transcript:
    start, desk = cases.start_of(case), cases.desk_for(case)
    return await converse(case, Oracle(0), desk, ScriptedVoice(), run=1, seed=0, start=start)


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
