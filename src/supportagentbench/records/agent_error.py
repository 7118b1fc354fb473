"""Agent error: a conversation that the agent's own code broke, with the traceback that its author needs."""

from supportagentbench.records.name import Id, RunNumber
from supportagentbench.records.record import Record
from supportagentbench.records.transcript import Cause

MOST_ERRORS = 0.05
"""Share of an agent's conversations that its own errors may break; above, it has neither word nor rank."""


class AgentError(Record, tag_field="record", tag="agent_error/1"):
    """One such conversation."""

    case: Id
    run: RunNumber
    cause: Cause
    kind: str
    """The exception's class, or the cause if there was none: errors of one kind are counted together."""
    detail: str
    """The cause recorded in the transcript."""
    traceback: str = ""
    """From the agent's code on, without keys, cut in the middle if long; empty if nothing was raised."""


def has_too_many_errors(errors: int, conversations: int) -> bool:
    """Whether this number of errors says more about the agent's code than its figures say about the agent."""
    return errors > MOST_ERRORS * conversations
