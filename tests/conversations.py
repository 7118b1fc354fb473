"""Conversations in tests: how to hold one, how to judge one, and an agent that plays a script."""

from collections.abc import Callable, Sequence
from typing import Any

from supportagentbench.checks import score_transcript
from supportagentbench.customer.voice import ScriptedVoice, Voice
from supportagentbench.desk import Agent, Desk
from supportagentbench.desk.doors.house import HouseSeat
from supportagentbench.desk.session import DeskSession
from supportagentbench.jobs.job import Job
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.language.reader import reader_of
from supportagentbench.records.case import Case
from supportagentbench.records.record import digest
from supportagentbench.records.transcript import Transcript, Turn
from supportagentbench.records.verdict import Verdict
from supportagentbench.runner.conversation import Sitting, converse, customer_of
from supportagentbench.runner.run import header_of
from supportagentbench.world.drawn_cases import generate
from supportagentbench.world.folder import read_world

Hold = Callable[[str, Agent], Transcript]


WORLD = read_world("northline")
CASES = generate(WORLD)
HEADER = header_of(CASES, "all", "test", ScriptedVoice(), 1, 0)
READER = reader_of(WORLD.vocabulary)


def judged(transcript: Transcript) -> Verdict:
    """The verdict on a transcript that was never on disk."""
    return score_transcript(transcript, digest(transcript), HEADER)


def job_on(set_name: str, agents: Sequence[str], *given: Any, **named: Any) -> Job:
    """A job on the cases that all tests share."""
    return Job(JobSpec("northline", tuple(agents), set_name, *given, **named), {"0": CASES})


class Says:
    """Answers with these words, one after the other, and the last for ever."""

    def __init__(self, *words: str) -> None:
        self.words = words

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        spoken = sum(turn.party == "agent" for turn in turns)
        return self.words[min(spoken, len(self.words) - 1)]


async def held(case: Case, agent: Agent, voice: Voice) -> Transcript:
    """A conversation with a customer who hears by rule, without the trained ear."""
    customer = customer_of(case, voice, Sitting(), READER)
    talk = await converse(case, HouseSeat(agent), DeskSession(CASES.desk_for(case)), customer)
    return talk.on(case, Sitting(), CASES.start_of(case))
