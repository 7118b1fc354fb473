"""GateBaseline: what an agent did on these cases, as a small file that later versions are compared with."""

from collections.abc import Set
from datetime import date

from msgspec.structs import replace

from supportagentbench.records.agent_version import AgentVersion
from supportagentbench.records.name import AgentName, Id
from supportagentbench.records.record import Record
from supportagentbench.records.run import Channel, DeskKind

MISSING = "-"


class GateBaseline(Record, tag_field="record", tag="baseline/1"):
    """The results of one agent's runs by metric and case, and digests of everything they depend on."""

    agent: AgentName
    world: str
    world_digest: str
    policy_digest: str
    set: str
    case_seed: str
    seed: int
    customer: str
    turn_limit: int
    package: str
    """Version of this package."""
    runs: tuple[int, ...]
    """Their numbers, in order."""
    conversations: dict[Id, tuple[str, ...]]
    """By case, the digest of the transcript in each run; empty where there is none."""
    results: dict[str, dict[Id, str]]
    """By metric and case, a character per run: 1 if true, 0 if false, - if unknown."""
    channel: Channel = "email"
    version: AgentVersion = AgentVersion()
    """What the agent was made of."""
    desk: DeskKind = "prompt"
    draws: tuple[str, ...] = ()
    """The draw of each run; empty: all are of `case_seed`."""
    made: date | None = None
    """The day of its last conversation; None: not known."""
    hosts: dict[str, str] = {}
    """By role, agent or customer, the server that got its model's requests."""

    def numbers(self, most: int = 0) -> dict[int, str]:
        """The runs by number, with the draw of each: of every draw at most this number, 0 for all."""
        found: dict[int, str] = {}
        for run, draw in zip(self.runs, self.draws or [self.case_seed] * len(self.runs), strict=True):
            if not most or list(found.values()).count(draw) < most:
                found[run] = draw
        return found

    def with_draws(self, wanted: Set[str]) -> "GateBaseline":
        """The same with the runs of these draws only."""
        kept = [at for at, draw in enumerate(self.numbers().values()) if draw in wanted]
        return replace(
            self,
            runs=tuple(self.runs[at] for at in kept),
            draws=tuple(self.draws[at] for at in kept) if self.draws else (),
            conversations={
                case: tuple(digests[at] for at in kept) for case, digests in self.conversations.items()
            },
            results={
                metric: {case: "".join(letters[at] for at in kept) for case, letters in found.items()}
                for metric, found in self.results.items()
            },
        )

    def result(self, metric: str, case: str, run: int) -> bool | None:
        """What this metric says about a conversation; None if nothing."""
        letters = self.results.get(metric, {}).get(case, "")
        found = letters[self.runs.index(run)] if letters and run in self.runs else MISSING
        return None if found == MISSING else found == "1"

    def digest_of(self, case: str, run: int) -> str:
        """The digest of a conversation's transcript; empty if there is none."""
        digests = self.conversations.get(case, ())
        return digests[self.runs.index(run)] if digests and run in self.runs else ""

    def counts(self, metric: str, draw: str, case: str) -> tuple[int, int]:
        """In how many runs of a draw this metric was true of a case, and in how many it is known."""
        found = [self.result(metric, case, run) for run, its in self.numbers().items() if its == draw]
        return sum(one is True for one in found), sum(one is not None for one in found)
