"""Finding: one thing that a check established about a conversation: what, why, and where."""

from typing import Literal

from supportagentbench.records.record import Record, digest

Settled = Literal["", "confirmed", "dropped", "open"]
"""The result of a finding to check; empty: not asked, open: judges differ or cannot tell."""


_STANDINGS: dict[Settled, str] = {
    "": "to check",
    "confirmed": "confirmed by a judge",
    "dropped": "dropped by a judge",
    "open": "to check, not settled by judges",
}


class Finding(Record):
    """One thing that a check established; code reads every field but `reason`, people read `reason`."""

    check: str
    value: bool | None
    """None: could not tell. A check that does not apply leaves no finding."""
    reason: str
    """One sentence for people."""
    turns: tuple[int, ...] = ()
    """Index of the turns it is based on."""
    rules: tuple[str, ...] = ()
    """Ids of the rules that were broken, where the check is about a rule of the policy."""
    quote: str = ""
    """The agent's words that it is based on, if it is based on words."""
    checked: bool = True
    """False: the check could not look, so that `value` is not evidence: it does not read this conversation's
    language or, if it is not `observable`, nothing at this desk could show it."""
    observable: bool = True
    """False: the shop declares nothing in which the check could see anything."""
    to_check: bool = False
    """True: read from words with less than the precision that is counted; shown, and counted in no figure
    until a judge confirms it."""
    settled: Settled = ""
    """What judges said to it, if it is to check; the check itself leaves it empty."""
    act: str = ""
    """The act that it is about, if it is about one call or disclosure."""
    about: str = ""
    """What the agent had to say, if the finding is about that: `how long processing takes`."""

    @property
    def counts_as(self) -> bool | None:
        """The value as figures count it; a finding that a judge dropped counts as its opposite."""
        if not self.to_check or self.settled == "confirmed":
            return self.value
        return not self.value if self.settled == "dropped" and self.value is not None else None

    @property
    def is_decided(self) -> bool:
        """Whether it is evidence: the conversation could be checked, and the check or a judge could tell."""
        return self.checked and self.counts_as is not None

    @property
    def answer(self) -> str:
        """The value in a word or two."""
        if not self.checked:
            return "not checked" if self.observable else "not observable"
        return "undecided" if self.value is None else "yes" if self.value else "no"

    @property
    def standing(self) -> str:
        """Its state as text, if it is or was to check."""
        return _STANDINGS[self.settled] if self.to_check else ""

    @property
    def question(self) -> str:
        """Its name as a question to a judge; a finding on other words is another question."""
        return f"{self.check}:{digest([self.value, self.turns, self.quote])[:8]}"
