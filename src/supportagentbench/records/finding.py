"""Finding: one thing that a check established about a conversation: what, why, and where."""

from supportagentbench.records.record import Record


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
    """False: the check cannot read this conversation's language, so that `value` is not evidence."""

    @property
    def is_decided(self) -> bool:
        """Whether `value` is evidence: the conversation could be checked, and the check could tell."""
        return self.checked and self.value is not None
