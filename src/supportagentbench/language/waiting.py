"""Waiting: how an English message says that a change was requested but is not made yet.

Use it only if a change is known to be waiting: otherwise the same words mean something else.
"""

import re

from supportagentbench.language.spelling import in_full, in_plain_type, uncontracted

_WAITS = re.compile(
    r"\b(?:queued?|queueing|pending|wait(?:s|ing)|in the (?:queue|line))\b"
    r"|\bnot\b[^.!?]{0,40}\byet\b|\byet to be\b|\bno change\b"
    r"|\bnot (?:been |actually |really )?(?:done|made|gone through|carried out|happened|\w+ed)\b"
    r"|\bstill (?:shows?|has|carries|lists?|stands?|says|the old|there|on (?:the|your))\b"
    r"|\bstill (?:\w+ ){0,3}(?:open|unchanged|as before)\b"
    r"|\b(?:can|could) not (?:yet )?(?:confirm|call it|tell you that it|say that it|say so|say it is)\b"
)


def says_it_waits(words: str) -> bool:
    """Whether the words say that it is not done yet."""
    return bool(_WAITS.search(in_full(uncontracted(in_plain_type(words.lower())))))
