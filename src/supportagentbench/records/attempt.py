"""AttemptPlan: everything that must be the same for an attempt that was cut short to be resumed."""

from supportagentbench.records.agent_version import AgentVersion
from supportagentbench.records.name import Id
from supportagentbench.records.record import Record
from supportagentbench.records.run import IsolationKind
from supportagentbench.records.version import __version__


class AttemptPlan(Record, tag_field="record", tag="attempt/1"):
    """Which version of which agent is run on which cases, and with what it is compared."""

    agent: str
    version: AgentVersion
    cases: tuple[Id, ...]
    """In the order in which they are run."""
    runs: int
    baseline: str = ""
    """Digest of the baseline; empty: it is compared with nothing."""
    sampling: dict[str, str | bool | int | float] = {}
    """The settings of a model."""
    isolation: IsolationKind = ""
    """Where its code runs."""
    before: str = ""
    """Digest of an earlier version that is run as well; empty: there is none."""
    package: str = __version__
