"""Possible ending: whether an agent and a customer of this kind can have broken off a conversation so.

An ending from outside the agent takes a conversation out of the figures, so a record must show how it came
about: that a model was asked, or that something unsafe was done before the job ended.
"""

from supportagentbench.checks import score
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import EXTERNAL_CAUSES, Cause, Turn
from supportagentbench.runner.conversation import INTERRUPTED
from supportagentbench.storage.transcripts import Filed

OF_PROVIDERS: tuple[Cause, ...] = ("provider_error", "time_out", "budget")
"""Causes that only a request of the benchmark to a model can have: of code, they are errors of the agent."""


def counts(filed: Filed, header: Run) -> bool:
    """Whether a conversation says anything about the agent."""
    return filed.transcript.ending.cause not in EXTERNAL_CAUSES or score(filed, header).counts


def impossible_ending(filed: Filed, header: Run) -> str:
    """Why a conversation of this run cannot have ended as recorded; empty: it can."""
    ending, turns = filed.transcript.ending, filed.transcript.turns
    if ending.cause in OF_PROVIDERS:
        if not header.version.prompt:
            return f"it ends as {ending.cause}, and its agent asks no model"
        if not _has_failed_request(turns[-1], at_server="agent" in header.hosts):
            return f"it ends as {ending.cause}, and its last turn has no request that failed"
    if ending.cause == "customer_error" and header.customer == ScriptedVoice.name:
        return "it ends as customer_error, and its customer is scripted"
    if ending.cause == INTERRUPTED.cause and not counts(filed, header):
        return "it ends as interrupted before anything unsafe was done, and no run stores that"
    return ""


def _has_failed_request(turn: Turn, *, at_server: bool) -> bool:
    """Whether the last request that a turn reports led to nothing; every request is reported.

    Tokens of a request that a server did not answer are never known; a model on this machine counts its own.
    """
    if turn.party != "agent" or turn.text or not turn.usage:
        return False
    last = turn.usage[-1]
    is_answered = at_server and (last.input or last.cache_read or last.cache_write or last.output)
    return not is_answered and last.step not in {call.step for call in turn.calls}
