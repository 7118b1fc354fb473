"""Check: everything the package says about one check, as one entry of the catalogue."""

from typing import Literal, NamedTuple

from supportagentbench.records.blocked_call import ToolGuard
from supportagentbench.records.case import Bucket

ShopView = Literal["record", "journey", "notes", "goods", "pieces", "proof", "states", "arrival", "sending"]
"""What a shop must declare, in the terms of `Vocabulary.observable`, before a check can see anything."""

CardName = Literal[
    "", "over_escalation", "escalation", "resolution", "engaged", "acts", "checked", "claims", "style"
]


class Check(NamedTuple):
    """One kind of finding that counts for or against an agent."""

    name: str
    clause: str
    """What the agent does if the finding counts against it, to follow its name: `sends an empty reply`."""
    title: str
    """The title on the board."""
    card: CardName = ""
    """The card that shows its metric; empty if no metric counts it on its own."""
    duty: bool = False
    """Whether the finding should be true. All others should be false."""
    serious: bool = False
    """Whether it costs money or trust right away."""
    to_check: bool = False
    """Whether a judge has to confirm it before it counts. True if it is read from words and its precision on
    texts by other authors (`bench/findings.py`) is below 0.98, or if it is too rare there to say."""
    unsafe: bool = False
    """Whether it makes a conversation unsafe, in any bucket."""
    needs: tuple[ShopView, ...] = ()
    """What must be observable in a shop; without it, the check reports that it cannot see."""
    by_label: bool = False
    """Whether it needs to know what is right in the case."""
    by_words: bool = False
    """Whether the agent's words alone show it, without anything that was looked up or done at the desk."""
    heading: str = ""
    """Heading of the habit in a report; empty if reports name it by its cause."""
    trait: str = ""
    """The habit, worded to follow the agent's name."""
    weight: float = 0.0
    """How much one such conversation counts when habits are ranked; money and safety come first."""
    guard: str = ""
    """What can be placed after the agent to hold such a reply back."""
    stopped_by: tuple[ToolGuard, ...] = ()
    """What can be placed in front of the agent's tools to stop it."""
    call: Literal["", "done", "refused"] = ""
    """Whether it is about a call that was carried out or refused; if empty, about words or an omission."""
    grants: bool = False
    """Whether the agent granted something that the policy forbids."""
    omits: bool = False
    """Whether the agent failed to do or say something required."""
    follows: tuple[str, ...] = ()
    """Checks of the same conversation that explain it, so that a report names it once."""
    metric: str = ""
    """Name of its metric, if it is not the same."""
    about: str = ""
    """What its metric counts, if not the conversations in which the agent does what the clause says."""
    bucket: Bucket | None = None
    """The cases that its metric counts; None: all."""
    with_twins: bool = False
    """Whether its metric counts twins as well: what is due there has to be looked up, too."""
    issue: str = ""
    """Name in lists of issues, if it is not the title."""
    issue_about: str = ""
    """Explanation in lists of issues, if it is not that of the metric."""
    gated: bool = False
    """Whether a gate rule may use its metric."""
    counted: bool = True
    """Whether it counts as an issue of a conversation."""

    @property
    def metric_name(self) -> str:
        return self.metric or self.name

    @property
    def metric_about(self) -> str:
        return self.about or f"Conversations in which the agent {self.clause}."
