"""Telling: whether the agent said what a case requires, the opposite of it, or neither.

Four results: right; wrong, if the opposite or another value was said; missing, if only a certain number, name
or link could have said it and none was given; and undecided by code, if it may have been said in other words.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from supportagentbench.checks.evidence import copies_in
from supportagentbench.language.statements import spoken, stance
from supportagentbench.records.case import Statement
from supportagentbench.records.run import RuleText
from supportagentbench.records.transcript import EXTERNAL_CAUSES, Transcript
from supportagentbench.records.vocabulary import HAND_OVER, Vocabulary

ENGLISH = "en"

MANY = 3
"""A reply that recites this many rules unrelated to the case does not answer anything."""


class Told(NamedTuple):
    """Whether the agent said something."""

    value: bool | None
    """None: undecided by code."""
    reason: str
    turns: tuple[int, ...] = ()
    quote: str = ""
    about: str = ""
    """The statement that it is about, if any."""


class Replies:
    """What an agent wrote in one conversation, limited to what can inform a customer.

    Pasted tool results and rules recited in a block are not answers, and repeating the customer's own
    sentences says nothing new.
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
        """The replies that say something, by turn."""
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
    def is_cut_short(self) -> bool:
        """Whether an external cause broke it off before the last reply was written."""
        is_external = self.transcript.ending.cause in EXTERNAL_CAUSES
        return is_external and any(
            turn.party == "agent" and not turn.text.strip() for turn in self.transcript.turns[-1:]
        )

    @cached_property
    def explains(self) -> bool:
        """Whether it may have said something in other words: it wrote a reply and did not hand over."""
        calls = (call for turn in self.transcript.turns for call in turn.calls)
        handed = any(call.tool == HAND_OVER and call.result.ok for call in calls)
        return not handed and any(text.strip() for _, text in self._all)

    def _recites(self, text: str, foreign: Sequence[RuleText]) -> bool:
        """Whether a reply says what many other rules require."""
        said = (all(stance(one, text, ENGLISH).says for one in rule.tells) for rule in foreign)
        return sum(said) >= MANY

    def tell(self, statement: Statement, until: int) -> Told:
        """Whether the agent said this before a turn."""
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
            return Told(True, f"mentioned {about}", (at,), quote, about)
        if self.is_cut_short and until >= len(self.transcript.turns):
            return Told(None, f"broke off before the reply that could have mentioned {about}", about=about)
        if statement.only_so or not self.explains:
            return Told(False, f"never mentioned {about}", about=about)
        return Told(None, f"undecided by code: {about}", about=about)


def all_told(statements: Iterable[Statement], replies: Replies, until: int) -> Told:
    """Whether the agent said all of it; wrong or missing statements take precedence over undecided ones."""
    found = [replies.tell(one, until) for one in statements]
    for value in (False, None):
        if worst := next((one for one in found if one.value is value), None):
            return worst
    return Told(
        True, "everything required was said", tuple(sorted({at for one in found for at in one.turns}))
    )
