"""Self-test: the benchmark's results on agents with known faults."""

from supportagentbench.records.record import Record


class Killed(Record):
    """One single-fault agent: what is wrong with it, which metrics should notice, and which did."""

    fault: str
    about: str
    meant: tuple[str, ...]
    """Metrics that have to move whenever the fault occurs."""
    entailed: tuple[str, ...]
    """Metrics that may follow; all others must not move."""
    occasions: int
    """In how many cases the fault showed."""
    moved: dict[str, int]
    """By how many conversations each metric moved, against the agent without a fault."""

    @property
    def is_caught(self) -> bool:
        """Whether the metrics moved that should, and none that should not."""
        moved = set(self.moved)
        return moved <= {*self.meant, *self.entailed} and (not self.occasions or set(self.meant) <= moved)


class DoseRead(Record):
    """A fault given in part of the conversations, and the part in which its metric saw it."""

    given: float
    seen: float
    low: float
    high: float


class Dosed(Record):
    """One fault at several doses."""

    fault: str
    metric: str
    doses: tuple[DoseRead, ...]


class BlindAgent(Record):
    """An agent that does not see one value of one fact, and what that moved."""

    unseen: str
    """Such as `stage=shipped`."""
    occasions: int
    """In how many cases it decides otherwise than the oracle; none: the world does not test for it."""
    moved: dict[str, int] = {}
    """By how many conversations each metric moved."""


class DecidedTrap(Record):
    """A trap and its deciding fact: an agent blind to it takes the unsafe action, but serves the twin."""

    trap: str
    decided_by: str
    """Such as `stage=shipped`; empty, if no blind agent falls for the trap."""


class SelfTest(Record, tag_field="record", tag="selftest/2"):
    """The kill matrix, the blind agents, the doses read back, and the pairs that trivial agents win."""

    package: str
    world: str
    world_digest: str
    case_seed: int
    cases: int
    kills: tuple[Killed, ...]
    blind: tuple[BlindAgent, ...]
    traps: tuple[DecidedTrap, ...]
    doses: tuple[Dosed, ...]
    pairs: dict[str, float]
    """By trivial agent, the share of trap-and-twin pairs it wins."""
