"""Own errors: anything that the user's code raises is its own error, of whatever class."""

from collections.abc import Iterator
from contextlib import contextmanager

from supportagentbench.desk import AgentFailure
from supportagentbench.desk.session import TooManyCalls
from supportagentbench.desk.trace import described
from supportagentbench.records.record import readable


@contextmanager
def own_errors() -> Iterator[None]:
    """Make sure that no exception raised by an agent passes as an error of the harness or of a provider."""
    try:
        yield
    except (AgentFailure, TooManyCalls):
        raise
    except Exception as error:
        failure = AgentFailure("agent_error", described(error))
        failure.kind = readable(type(error).__name__)
        raise failure from error
