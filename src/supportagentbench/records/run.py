"""Run: the header of one agent's pass over a set of cases, with what readers need besides transcripts."""

from collections.abc import Iterable
from datetime import date
from typing import Literal

from msgspec.structs import replace

from supportagentbench.records.agent_version import AgentVersion, value_changes
from supportagentbench.records.amount import TurnNumber
from supportagentbench.records.case import Act, Statement
from supportagentbench.records.fork import ForkPoint
from supportagentbench.records.name import AgentName, Id, RunNumber
from supportagentbench.records.record import Record
from supportagentbench.records.shard import Shard
from supportagentbench.records.vocabulary import Vocabulary

Channel = Literal["email", "chat"]
"""How customers write to the desk."""

CHANNELS: dict[Channel, str] = {"email": "e-mails", "chat": "chats"}
"""What they write, in plain words."""

DeskKind = Literal["prompt", "handbook"]
"""How the agent is given the policy."""

DESKS: dict[DeskKind, str] = {
    "prompt": "the whole policy in the instructions",
    "handbook": "a handbook to look things up in",
}
"""Where the agent finds the policy, in plain words."""

IsolationKind = Literal["", "none", "process", "sandbox_network", "sandbox"]
"""What is between the benchmark and an agent's own code; empty: it has none (a model, a reference agent)."""

ISOLATIONS: dict[IsolationKind, str] = {
    "": "no code of its own",
    "none": "in the benchmark's process, trusted",
    "process": "in a separate process, with files, network and public cases open to it",
    "sandbox_network": "in a sandbox, with the network open to it",
    "sandbox": "in a sandbox, without files, network or public cases",
}
"""Where an agent's code ran, in plain words; the most trusted first."""

WALLED: frozenset[IsolationKind] = frozenset(("process", "sandbox_network", "sandbox"))
"""Kinds that keep an agent's code out of the benchmark's process."""


def least_isolated(kinds: Iterable[IsolationKind]) -> IsolationKind:
    """Of several kinds, the one that keeps least away from an agent's code."""
    return min(kinds, key=[*ISOLATIONS].index)


class RuleText(Record):
    """A rule of the policy as far as it can be read without the world."""

    id: str
    text: str
    general: bool = False
    """Holds in every conversation; any other where a label names it."""
    checks: tuple[str, ...] = ()
    """The findings that show whether it was kept."""
    requires: tuple[Act, ...] = ()
    tells: tuple[Statement, ...] = ()
    """Required statements, in English; those that depend on the record have no wordings here."""


class Run(Record, tag_field="record", tag="run/2"):
    """The header of one agent's one pass over a set of cases."""

    agent: AgentName
    run: RunNumber
    """1 for the first repetition, 2 for the second …"""
    world: str
    world_digest: str
    policy_digest: str
    policy: str
    """The text the agent was given, so that claims can be checked without the world.

    Of a handbook: the instructions, and every section that holds at this desk.
    """
    today: date
    """The day it is in that world."""
    set: str
    cases: tuple[Id, ...]
    """Every planned conversation, by case id: what is missing is known."""
    case_seed: str
    """Number of the public draw, or `private:` and the commitment of a secret one."""
    seed: int
    customer: str
    turn_limit: TurnNumber
    package: str
    """Version of this package."""
    channel: Channel = "email"
    desk: DeskKind = "prompt"
    isolation: IsolationKind = ""
    hosts: dict[str, str] = {}
    """By role, agent or customer, the server that got its model's requests."""
    sampling: dict[str, str | bool | int | float] = {}
    prices: str = ""
    """Date of the price table; empty when nothing was priced."""
    rules: tuple[RuleText, ...] = ()
    """The policy rule by rule, for judges."""
    vocabulary: Vocabulary = Vocabulary("", ())
    """What can be done, asked and told at this desk, and the words for it."""
    version: AgentVersion = AgentVersion()
    """What the agent was made of."""
    forks: tuple[ForkPoint, ...] = ()
    """In a run of forks, what `cases` are: decisions of recorded conversations that are made again."""
    replayed: bool = False
    """Whether model answers came from a recording: no model was asked when it was made."""

    hides_acts: bool = False
    """Whether the agent could not call the desk's tools, so that nothing it did can be observed."""

    unlabelled: bool = False
    """Whether it is not known what is right in its conversations, as in replayed openings of real tickets:
    then nothing counts as right, wrong or unsafe."""

    shard: Shard | None = None
    """In one part of a run that several machines share, which part it is; `cases` are the part's own."""

    @property
    def ran(self) -> str:
        """What was really run, whatever it is called here."""
        return self.version.given or self.agent

    @property
    def whole(self) -> "Run":
        """The same run with all its planned conversations, whatever part of it this is."""
        return replace(self, cases=self.shard.cases, shard=None) if self.shard else self

    def called(self, name: str) -> "Run":
        """The same run under another name; what was really run stays known."""
        given = "" if name == self.ran else self.ran
        return replace(self, agent=name, version=replace(self.version, given=given))

    def agent_changes_from(self, before: "Run") -> list[str]:
        """What changed in the agent, its settings or this package since an earlier run, as text."""
        settings = value_changes(
            before.sampling | {"the package": before.package}, self.sampling | {"the package": self.package}
        )
        return [*self.version.changes_from(before.version), *settings]
