"""Telling: whether a customer was told what a case requires, the opposite of it, or neither.

Four ends: right; wrong, if the opposite or another value was said; missing, where nothing but a certain
number, name or link could have told it and none came; and undecided by code, where it may have been said in
other words.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from supportagentbench.checks.evidence import copies_in
from supportagentbench.language.statements import spoken, stance
from supportagentbench.records.case import Statement
from supportagentbench.records.run import RuleText
from supportagentbench.records.transcript import Transcript
from supportagentbench.records.vocabulary import HAND_OVER, Vocabulary

ENGLISH = "en"

MANY = 3
"""Rules that have nothing to do with a case: a reply that recites this many answers nobody."""


class Told(NamedTuple):
    """Whether something was told."""

    value: bool | None
    """None: undecided by code."""
    reason: str
    turns: tuple[int, ...] = ()
    quote: str = ""
    about: str = ""
    """The statement it is about, if it is about one."""


class Replies:
    """What an agent wrote in one conversation, as far as it can tell a customer anything.

    Tool results copied out and rules recited in a block are no answers, and what repeats the customer's own
    sentences is no news.
    """

    def __init__(self, transcript: Transcript, rules: Iterable[RuleText], vocabulary: Vocabulary) -> None:
        self.transcript = transcript
        self.language = transcript.language
        self.rules = rules
        self.vocabulary = vocabulary

    @cached_property
    def _all(self) -> list[tuple[int, str]]:
        return [(at, turn.text) for at, turn in enumerate(self.transcript.turns) if turn.party == "agent"]

    @cached_property
    def said(self) -> list[tuple[int, str]]:
        """What tells something, by turn."""
        copied = copies_in(self.transcript)
        decide = self.transcript.label.rules
        foreign = [
            rule
            for rule in self.rules
            if rule.id not in decide and rule.tells and all(one.says for one in rule.tells)
        ]
        return [(at, text) for at, text in self._all if at not in copied and not self._recites(text, foreign)]

    @cached_property
    def echoes(self) -> frozenset[str]:
        """The customer's own sentences."""
        heard = (turn.text for turn in self.transcript.turns if turn.party == "customer")
        return frozenset(sentence for text in heard for sentence in spoken(text, self.language))

    @cached_property
    def explains(self) -> bool:
        """Whether it may have said something in other words: it wrote, and left it to nobody else."""
        calls = (call for turn in self.transcript.turns for call in turn.calls)
        handed = any(call.tool == HAND_OVER and call.result.ok for call in calls)
        return not handed and any(text.strip() for _, text in self._all)

    def _recites(self, text: str, foreign: Sequence[RuleText]) -> bool:
        """Whether a reply tells what many other rules want told."""
        said = (all(stance(one, text, ENGLISH).says for one in rule.tells) for rule in foreign)
        return sum(said) >= MANY

    def tell(self, statement: Statement, until: int) -> Told:
        """Whether this was told before a turn."""
        found = [
            (at, stance(statement, text, self.language, self.echoes)) for at, text in self.said if at < until
        ]
        about = statement.about
        says = [(at, one.says) for at, one in found if one.says]
        denies = [(at, one.denies) for at, one in found if one.denies]
        if denies and says:
            turns = tuple(sorted({at for at, _ in (*says, *denies)}))
            return Told(None, f"said both sides of {about}", turns, denies[0][1], about)
        if denies:
            at, quote = denies[0]
            return Told(False, f"said the opposite of {about}: “{quote}”", (at,), quote, about)
        if says:
            at, quote = says[0]
            return Told(True, f"told {about}", (at,), quote, about)
        if statement.only_so or not self.explains:
            return Told(False, f"never told {about}", about=about)
        return Told(None, f"undecided by code: {about}", about=about)


def all_told(statements: Iterable[Statement], replies: Replies, until: int) -> Told:
    """Whether all of it was told; what is wrong or missing counts before what code cannot tell."""
    found = [replies.tell(one, until) for one in statements]
    for value in (False, None):
        if worst := next((one for one in found if one.value is value), None):
            return worst
    return Told(
        True, "all that is required was told", tuple(sorted({at for one in found for at in one.turns}))
    )
