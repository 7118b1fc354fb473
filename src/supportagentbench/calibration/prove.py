"""Prove: play every case's solution and mistake, and the oracle, through the real checks.

A case whose solution does not pass, whose mistake is not caught, or which the oracle cannot solve is
not fit to measure any agent.
"""

import asyncio
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from supportagentbench.calibration.oracle import Oracle
from supportagentbench.calibration.oracle_wording import UNDECIDED
from supportagentbench.checks import score_transcript
from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.desk import Agent, Desk
from supportagentbench.desk.doors.house import HouseSeat
from supportagentbench.judges.rule_judge import rule_judgement
from supportagentbench.language.customer import SENTENCE, answer, is_conditional
from supportagentbench.records.case import Case, ScriptedTurn
from supportagentbench.records.judgement import SENTIMENT, Judgement
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest
from supportagentbench.records.run import Channel, DeskKind
from supportagentbench.records.transcript import Transcript, Turn
from supportagentbench.records.verdict import Verdict
from supportagentbench.records.vocabulary import TICKET_ACTS
from supportagentbench.runner.conversation import Sitting, hold
from supportagentbench.runner.run import header_of
from supportagentbench.world.drawn_cases import DrawnCases, generate
from supportagentbench.world.folder import read_world
from supportagentbench.world.seed import numbered


class Proof(NamedTuple):
    """A case and what went wrong when it was played; no faults if it is proved."""

    case: Case
    faults: tuple[str, ...]


LONGEST_CRY = 2
"""Words of an exclamation before the question that matters: "Oh good! No extra costs, I hope?"."""


class ScriptPlayer:
    """Plays a script turn by turn, and repeats its last words as long as the customer keeps writing.

    If the next step acts and the customer has only hesitated, it repeats the proposal.
    """

    def __init__(self, script: Sequence[ScriptedTurn]) -> None:
        self.script = script
        self.played = 0

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        if self.played >= len(self.script):
            return self.script[-1].says
        step = self.script[self.played]
        proposal = self.script[self.played - 1].says if self.played else ""
        acts = {call.tool for call in step.calls} - set(TICKET_ACTS)
        if acts and "?" in proposal and _wavers(turns[-1]):
            return f"{UNDECIDED} {proposal}"
        self.played += 1
        for call in step.calls:
            desk.call(call.tool, dict(call.arguments))
        return step.says


def _wavers(turn: Turn) -> bool:
    """Whether a customer shows nothing and only asks, or agrees on a condition."""
    first, *others = SENTENCE.split(turn.text)
    is_a_cry = len(first.split()) <= LONGEST_CRY and others
    asks = "?" in (others[0] if is_a_cry else first) and not answer(turn.text, "en")
    return not turn.attachments and (asks or is_conditional(turn.text, "en"))


@cache
def drawn(world: str, seed: int) -> DrawnCases:
    """A set of cases, drawn once per process."""
    return generate(read_world(world), numbered(seed))


def prove_seed(
    world: str, set_name: str, seed: int, channel: Channel = "email", desk: DeskKind = "prompt"
) -> list[tuple[str, tuple[str, ...]]]:
    """Case ids and what is wrong with them, as plain data that can be returned from another process."""
    return [(proof.case.id, proof.faults) for proof in prove(drawn(world, seed), set_name, channel, desk)]


def misfits_in(cases: DrawnCases, set_name: str) -> list[Problem]:
    """The problem of each case that cannot be drawn, or whose family contradicts the policy."""
    found = []
    for name in cases.names(set_name):
        try:
            cases.cases[name]
        except Problem as problem:
            found.append(problem)
    return found


def prove(
    cases: DrawnCases, set_name: str = "all", channel: Channel = "email", desk: DeskKind = "prompt"
) -> Iterator[Proof]:
    """One proof per case, in order."""
    for case in cases.named(set_name):
        yield Proof(case, tuple(_faults(cases, case, channel, desk)))


def _faults(cases: DrawnCases, case: Case, channel: Channel, desk: DeskKind) -> Iterator[str]:
    for problem in _played(cases, case, ScriptPlayer(case.solution), channel, desk):
        yield f"its solution does not pass ({problem})"
    if not _played(cases, case, ScriptPlayer(case.mistake), channel, desk):
        yield "its mistake is not caught"
    for problem in _played(cases, case, Oracle(cases.world, 0), channel, desk):
        yield f"the oracle does not pass ({problem})"


def _played(cases: DrawnCases, case: Case, agent: Agent, channel: Channel, desk: DeskKind) -> list[str]:
    transcript = play(cases, case, agent, channel, desk)
    refused = [
        f"{call.tool} refused: {call.result.text}"
        for turn in transcript.turns
        for call in turn.calls
        if not (call.result.ok or call.result.pending)
    ]
    run = header_of(cases, case.id, "script", ScriptedVoice(), 1, 0, channel=channel, desk=desk)
    verdict = score_transcript(transcript, digest(transcript), run, counts_all=True)
    return refused + _blemishes(verdict) + _rules_broken(rule_judgement(transcript, run, verdict))


def _blemishes(verdict: Verdict) -> list[str]:
    """Every finding that is not clearly as it should be; a script must leave nothing undecided, either."""
    return [
        f"{one.check}: {one.reason}"
        for one in verdict.findings
        if (check := CATALOGUE.get(one.check)) and check.counted and one.value is not check.duty
    ]


def _rules_broken(judgement: Judgement) -> list[str]:
    """The rules that the rule judge considers broken, except for the customer's mood."""
    return [
        f"{opinion.criterion} is not kept: {opinion.reason}"
        for opinion in judgement.opinions
        if opinion.met is False and opinion.criterion != SENTIMENT
    ]


def play(
    cases: DrawnCases, case: Case, agent: Agent, channel: Channel = "email", desk: DeskKind = "prompt"
) -> Transcript:
    """One conversation with the scripted customer, nothing written to disk."""
    return asyncio.run(
        hold(cases, case, HouseSeat(agent), ScriptedVoice(), Sitting(channel=channel, desk=desk))
    )
