"""The oracle, as somebody who takes over a conversation that others began."""

import asyncio

import pytest
from msgspec.structs import replace

from conversations import CASES, HEADER, judged
from filed import failed, solved
from supportagentbench.calibration.oracle import Oracle
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.desk.doors.house import HouseSeat
from supportagentbench.forks.fork import ForkPlay
from supportagentbench.forks.source import SourceConversation
from supportagentbench.records.transcript import Transcript
from supportagentbench.runner.stopwatch import Stopwatch
from supportagentbench.storage.transcripts import Filed


def taken_over(transcript: Transcript, turn: int) -> Transcript:
    """The conversation as the oracle goes on with it from this reply on."""
    fork = SourceConversation(HEADER, Filed(transcript, "", 0.0, 0.0), None).fork("by_hand", turn)
    play = ForkPlay(CASES, {fork.point.id: fork})
    agent = HouseSeat(Oracle(CASES.world, 0))
    made = asyncio.run(play(HEADER, fork.point.id, agent, ScriptedVoice(), None, Stopwatch()))
    return replace(made, case=transcript.case)


def reply_that_writes(transcript: Transcript) -> int:
    """The number of the first reply that changes something."""
    found = (
        place for place, turn in enumerate(transcript.turns) if any(call.result.wrote for call in turn.calls)
    )
    return (next(found) + 1) // 2


@pytest.mark.parametrize("case", ["damaged_no_proof-1", "abuse_pressure-1", "reroute_forwarder-1"])
def test_it_does_not_finish_what_somebody_else_should_not_have_begun(case: str) -> None:
    mistaken = failed(case)
    wrote = reply_that_writes(mistaken)
    for turn in range(1, wrote + 1):
        assert judged(taken_over(mistaken, turn)).outcome.unsafe is False


@pytest.mark.parametrize("case", ["damaged_item-1", "cancel_before_ship-1"])
def test_what_was_proposed_and_agreed_to_is_carried_out_without_asking_again(case: str) -> None:
    right = solved(case)
    wrote = reply_that_writes(right)
    found = taken_over(right, wrote)
    assert any(call.result.wrote for call in found.turns[2 * wrote - 1].calls)
    resolved = judged(found).of("resolved")
    assert resolved and resolved.value
