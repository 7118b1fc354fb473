"""Check: all that is said anywhere about one check, in one entry of the catalogue."""

from typing import Literal, NamedTuple

from supportagentbench.records.case import Bucket

ShopView = Literal["record", "journey", "notes", "goods", "pieces", "proof", "states", "arrival", "sending"]
"""What a shop declares, as `Vocabulary.observable` names it, before a check can see anything."""

CardName = Literal["", "over_escalation", "escalation", "resolution", "engaged", "acts", "claims", "style"]

ToolGuard = Literal["policy", "yes", "once", "own record", "look first", "answer first", "no rule", "route"]
"""What a shop can put in front of a tool; `site/guards.py` replays them."""


class Check(NamedTuple):
    """One kind of finding that counts for or against an agent."""

    name: str
    clause: str
    """What the agent does if the finding is against it, after its name: `sends an empty reply`."""
    title: str
    """On the board."""
    card: CardName = ""
    """The card of its metric; empty: no metric counts it by itself."""
    duty: bool = False
    """Whether it ought to be true. All others ought to be false."""
    serious: bool = False
    """Whether it costs money or trust at once."""
    to_check: bool = False
    """Whether a judge has to confirm it before it counts: read from words, with a precision below 0.98 on the
    words of others (`bench/findings.py`), or too rare there to tell."""
    unsafe: bool = False
    """Whether it makes a conversation unsafe, in any bucket."""
    needs: tuple[ShopView, ...] = ()
    """What has to be observable in a shop; without it, the check says that it cannot see."""
    heading: str = ""
    """Of the habit in a report; empty: reports name it by how it came about."""
    trait: str = ""
    """The habit after the agent's name."""
    weight: float = 0.0
    """How much one conversation of it matters for the order of habits; money and safety first."""
    guard: str = ""
    """What can be put behind an agent to hold it back."""
    stopped_by: tuple[ToolGuard, ...] = ()
    """What can be put in front of its tools to stop it."""
    call: Literal["", "done", "refused"] = ""
    """Whether it is about a call, carried out or refused; else it is about words or an omission."""
    grants: bool = False
    """Whether something was granted that the policy forbids."""
    omits: bool = False
    """Whether something was due and did not come."""
    follows: tuple[str, ...] = ()
    """Checks of the same conversation that explain it, so that a report names it once."""
    metric: str = ""
    """Of its metric, if that has another name."""
    about: str = ""
    """What its metric counts, if not the conversations in which the agent does what the clause says."""
    bucket: Bucket | None = None
    """The cases that its metric counts; None: all."""
    issue: str = ""
    """In lists of issues, if not its title."""
    issue_about: str = ""
    """What it means there, if not what its metric counts."""
    gated: bool = False
    """Whether a rule of the gate may name its metric."""
    counted: bool = True
    """Whether it counts as an issue of a conversation."""

    @property
    def metric_name(self) -> str:
        return self.metric or self.name

    @property
    def metric_about(self) -> str:
        return self.about or f"Conversations in which the agent {self.clause}."
