"""Proposal: how an English message words what it wants a yes for."""

import re
from functools import lru_cache

SAID_AGAIN = 4096
"""Sentences that are remembered."""

_ALL_OF_IT = re.compile(r"\b(?:both|all of (?:it|this|these)|these changes|everything)\b", re.IGNORECASE)

_FREE_OF_CHARGE = re.compile(
    r"\b(?:free|no (?:extra )?(?:charge|cost|fee)|at our (?:expense|cost)|nothing to pay"
    r"|without (?:charge|cost)|cost you (?:nothing|anything)|on us)\b",
    re.IGNORECASE,
)

_COLLEAGUE = re.compile(
    r"\b(?<!your )(?:colleague|human|supervisor|manager|specialist|some(?:body|one) else)s?\b"
)

_YES = re.compile(r"\b(?:yes|confirm(?:ation)?|approv(?:e|al)|agree(?:ment)?|go[- ]ahead|okay|ok)\b")

_LEFT_TO_YOU = re.compile(
    r"\b(?:if you|should you|would you|do you|shall i|may i|tell me|let me know|just ask"
    r"|say (?:so|the word)|(?:you )?only (?:have|need) to (?:say|ask))\b"
)


def is_one_yes_for_all(words: str) -> bool:
    """Whether one yes is asked for to several things."""
    return bool(_ALL_OF_IT.search(words))


def is_free_of_charge(words: str) -> bool:
    """Whether it is said that something costs nothing."""
    return bool(_FREE_OF_CHARGE.search(words))


def asks_for_a_yes(sentence: str) -> bool:
    """Whether a plain sentence that offers something mentions the yes it needs."""
    return bool(_YES.search(sentence))


@lru_cache(SAID_AGAIN)
def proposes_a_colleague(sentence: str) -> bool:
    """Whether a plain sentence asks whether a colleague should decide."""
    return bool(_COLLEAGUE.search(sentence) and _LEFT_TO_YOU.search(sentence))
