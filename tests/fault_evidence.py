"""Evidence in tests: what the record shows of agents with one known fault, played without a run on disk."""

from collections.abc import Callable
from functools import cache

from conversations import CASES
from supportagentbench.calibration.prove import play
from supportagentbench.checks import score
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.desk import Agent
from supportagentbench.records.record import digest
from supportagentbench.results.load import ScoredConversation
from supportagentbench.runner.run import header_of
from supportagentbench.site.data.guards import guard_hits
from supportagentbench.site.data.moment import habits_of, moments_of
from supportagentbench.site.data.site_data import IssueEvidence
from supportagentbench.storage.transcripts import Filed
from supportagentbench.world.folder import World

RUN = header_of(CASES, "core", "somebody", ScriptedVoice(), 1, 0)


Fault = Callable[[World, int], Agent]
"""A class of agents with a fault, or the oracle."""


def conversations_of(fault: Fault) -> list[ScoredConversation]:
    """The first case of every type, answered by an agent with this fault."""
    found = []
    for name in RUN.cases:
        if name.endswith("-1"):
            transcript = play(CASES, CASES.cases[name], fault(CASES.world, 0))
            filed = Filed(transcript, digest(transcript), 0.0, 0.0)
            found.append(ScoredConversation(filed, score(filed, RUN), ()))
    return found


@cache
def evidence_of(fault: Fault) -> IssueEvidence:
    """How its issues came about, and which guards would have stopped them."""
    found = IssueEvidence([], [], [])
    for one in conversations_of(fault):
        found.habits.append(habits_of("somebody", one, RUN.vocabulary))
        found.moments.extend(moments_of("somebody", one, RUN))
        found.guard_hits.extend(guard_hits(one.verdict))
    return found
