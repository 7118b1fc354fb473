"""Telling: agents that say the opposite, everything at once, half of it, something else, or nothing."""

import re
from collections.abc import Sequence
from typing import Any

from supportagentbench.calibration.faults.single_fault import SingleFault
from supportagentbench.calibration.oracle import Matter
from supportagentbench.world.kit import Hearing
from supportagentbench.world.measure import placeholders_in
from supportagentbench.world.policy import Rulings
from supportagentbench.world.situation import Situation

_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_CLAUSE = re.compile(r"(; |, (?:and|so) )")
_NO = re.compile(r"n't\b|\bnot\b ?|\bno\b ?")
_VERB = re.compile(r"\b(?:is|are|was|were|has|have|can|will|may)\b(?: only| already)?")

PROMISES = (
    "Let me look into that for you and come back to you.",
    "I will check this for you.",
    "I am still looking into it.",
    "I will find out and let you know.",
)


def opposite(words: str) -> str:
    """The same clauses, each negated, or with its negation removed."""
    return " ".join(
        sentence if "?" in sentence else "".join(map(_opposite, _CLAUSE.split(sentence)))
        for sentence in _SENTENCE.split(words)
    )


def _opposite(clause: str) -> str:
    clause = clause.replace("can't", "can not")
    if _CLAUSE.fullmatch(clause):
        return clause
    if _NO.search(clause):
        return _NO.sub("", clause)
    if _VERB.search(clause):
        return _VERB.sub(lambda verb: f"{verb[0].split()[0]} not", clause, count=1)
    return f"it is not true that {clause}"


class Misinforms(SingleFault):
    """Gets something wrong in what it has to tell a customer who writes English."""

    def _has_to_tell(self, rulings: Rulings) -> bool:
        return self.language == "en" and any(rule.tell for rule in rulings.applying)


class SaysTheOpposite(Misinforms):
    """Looks everything up, then tells the customer the opposite of the facts."""

    moves = frozenset({"resolution"})
    entails = frozenset({"contradicts_record", "delivery_invented", "second_ignored", "pairs"})

    def _explain(self, matter: Matter, rulings: Rulings, situation: Situation) -> str:
        words = super()._explain(matter, rulings, situation)
        return opposite(words) if self._has_to_tell(rulings) else words


class RecitesEveryRule(SingleFault):
    """Answers every question with the same block of everything the shop ever says, and never acts."""

    moves = frozenset({"resolution", "escalation"})
    entails = frozenset(
        {
            "pairs",
            "second_ignored",
            "wrong_language",
            "repeated_reply",
            "contradicts_record",
            "delivery_invented",
            "handovers",
        }
    )

    def _advance(self, matter: Matter) -> str:
        said = [rule.say_in.get(self.language, rule.say) for rule in self.policy.rules]
        sentences = (one for text in said for one in _SENTENCE.split(text) if one)
        return " ".join(one for one in sentences if not placeholders_in(one))


class RecommendsWhatDoesNotFit(SingleFault):
    """Recommends goods of a different kind than the customer asked for."""

    moves = frozenset({"resolution"})

    def _arguments(self, matter: Matter, texts: Sequence[str]) -> dict[str, Any]:
        if matter.request not in self.kit.answered_once:
            return super()._arguments(matter, texts)
        asked = self.words.kind_of_goods(" ".join(texts))
        other = next((kind for kind in self.words.kinds_of_goods if kind != asked), None)
        return self.kit.arguments(Hearing(matter.request, texts, self.seen, self._look, other))


class AnswersHalf(Misinforms):
    """Tells the customer the first half of what is required, and leaves out the rest."""

    moves = frozenset({"resolution"})
    entails = frozenset({"second_ignored", "pairs", "escalation", "repeated_reply"})

    def _explain(self, matter: Matter, rulings: Rulings, situation: Situation) -> str:
        words = super()._explain(matter, rulings, situation)
        told = _SENTENCE.split(words)[matter.explained > 1 :]  # A repetition begins with a kind word.
        whole = len(told) < 2 or "?" in words or not self._has_to_tell(rulings)
        return words if whole else " ".join(told[: len(told) // 2])


class PromisesALook(SingleFault):
    """Promises to look into it every time, and never does."""

    moves = frozenset({"resolution", "engaged", "escalation"})
    entails = frozenset({"pairs", "second_ignored", "wrong_language", "handovers"})

    def _answer(self) -> str:
        return PROMISES[min(len(self.heard), len(PROMISES)) - 1]
