"""Self-test: what the benchmark saw when agents with known faults sat at its desk."""

from supportagentbench.records.record import Record


class Killed(Record):
    """One single-fault agent: what is wrong with it, which metrics should notice, and which did."""

    fault: str
    about: str
    meant: tuple[str, ...]
    """Metrics that have to move; no other may."""
    moved: dict[str, int]
    """By how many conversations each metric moved, against the agent without a fault."""

    @property
    def is_caught(self) -> bool:
        """Whether exactly the metrics moved that should."""
        return set(self.meant) == set(self.moved)


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


class SelfTest(Record, tag_field="record", tag="selftest/1"):
    """The kill matrix, the doses read back, and the pairs that agents win who take no trouble."""

    package: str
    world: str
    world_digest: str
    case_seed: int
    cases: int
    kills: tuple[Killed, ...]
    doses: tuple[Dosed, ...]
    pairs: dict[str, float]
    """By trivial agent, the share of trap-and-twin pairs it wins."""
