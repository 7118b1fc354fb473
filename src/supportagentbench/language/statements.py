"""Statements: whether a message makes a required statement, or states the opposite.

Agents are judged by this, so doubtful cases are neither: a question, a promise to look, a denied wording and,
for the opposite, anything that depends on a condition or repeats the customer's impression.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from re import Match, Pattern
from typing import NamedTuple

from supportagentbench.language.customer import plain
from supportagentbench.language.english import CLAUSE
from supportagentbench.language.notation import patterns
from supportagentbench.language.pattern import refuse_unsafe
from supportagentbench.language.spelling import sentences
from supportagentbench.records.case import Statement

ENGLISH = "en"

LIMIT = 1_000
"""Characters of one sentence that are read: nobody writes longer ones, and junk must stay cheap."""

_NO = re.compile(
    r"\b(?:not|no|never|nothing|nobody|none|neither|nor|without|instead of|rather than|unable)\b"
    r"(?! (?:only|later|longer|worr|problem|doubt))"
)
_ASIDE = re.compile(r"\([^()]*\)")
_AND = re.compile(r"\b(?:and|then) |, | - ")
_NO_ABROAD = re.compile(r"\b(?:no|nunca|nicht|kein\w*|ne|pas|não|nie)\b|ません")
_CLAUSE_ABROAD = re.compile(r"[,;:、]|\b(?:y|pero|et|mais|und|aber|sondern|e|mas|i|ale) ")
_SENTENCE_ABROAD = re.compile(r"(?<=[.!?])\s|[。！\n\u2190-\u2bff\U0001f000-\U0001faff]")
_LOOKS = re.compile(
    r"\bwhether\b|\blet (?:me|us) (?:\w+ )?(?:check|look|see|find|confirm|verify)"
    r"|\b(?:i|we) (?:will|can|could|am going to|would like to|want to|need to) (?:\w+ )?"
    r"(?:check|look|find out|see if|verify)\b"
)
_OPEN_QUESTION = re.compile(r"\b(?:not|no|never|unable)(?: \w+){0,4}( whether\b)")
_SEEMS = re.compile(
    r"\b(?:if|unless|in case|as though|(?<!\bi )(?<!\bwe )would|could have|understand|worr\w+|afraid of|why"
    r"|(?:look|seem|appear|sound|feel)(?:s|ed|ing)?\b(?! (?:at|into))"
    r"|you (?:say|said|write|wrote|mention\w*|think|thought|see|saw|asked|ask|want\w*))\b"
)
_LATER = re.compile(r"\b(?:once|after|when|as soon as) (?:it|they|the|your|this|that|you)\b")


class Stance(NamedTuple):
    """The words of a message about a statement; empty if there are none."""

    says: str = ""
    denies: str = ""


def stance(statement: Statement, message: str, language: str, echoes: frozenset[str] = frozenset()) -> Stance:
    """Whether a message makes or denies a statement; `echoes`: sentences that are the customer's own."""
    says, denies = _compiled(statement.says, language), _compiled(statement.denies, language)
    said = denied = ""
    for whole in spoken(message, language):
        sentence = _without_open_question(whole)
        if "?" in whole[-2:] or whole in echoes or _LOOKS.search(sentence):
            continue
        said = said or next((one[0] for one in _claims(says, sentence, language)), "")
        denied = denied or next(
            (one[0] for one in _claims(denies, sentence, language) if not _seems(one)), ""
        )
    return Stance(said, denied)


def _without_open_question(sentence: str) -> str:
    """“I can not say whether it fits”: that it can not be said is said; of the rest, nothing."""
    found = _OPEN_QUESTION.search(sentence)
    return sentence[: found.start(1)] if found else sentence


def values_in(statement: Statement, message: str, language: str) -> list[str]:
    """Every wording of a statement that occurs in a message, in any context."""
    says = _compiled(statement.says, language)
    return (
        [one[0] for sentence in spoken(message, language) for one in says.finditer(sentence)] if says else []
    )


@lru_cache(maxsize=1024)
def spoken(message: str, language: str) -> tuple[str, ...]:
    """The sentences of a message, in plain spelling, each as far as people read."""
    if language == ENGLISH:
        return tuple(text[:LIMIT] for text, _, _ in sentences(message))
    return tuple(plain(one[:LIMIT], language) for one in _SENTENCE_ABROAD.split(message) if one)


def _claims(wording: Pattern[str] | None, sentence: str, language: str) -> Iterator[Match[str]]:
    """The words in a sentence that say it and are not denied there."""
    found = wording.finditer(sentence) if wording else ()
    return (one for one in found if not _is_denied(one, language))


def _seems(found: Match[str]) -> bool:
    """Whether the words depend on something, or repeat how things look to the customer."""
    said, rest = found.string[: found.end()], CLAUSE.split(found.string[found.end() :], maxsplit=1)[0]
    whole = said + _AND.split(rest, maxsplit=1)[0]
    return _SEEMS.search(whole) is not None or _LATER.search(said) is not None


def _is_denied(found: Match[str], language: str) -> bool:
    """Whether a no comes before the words in their own clause."""
    before = _ASIDE.sub(" ", found.string[: found.start()])
    if language == ENGLISH:
        return _NO.search(_last(_AND, _last(CLAUSE, before))) is not None
    return _NO_ABROAD.search(_last(_CLAUSE_ABROAD, before)) is not None


def _last(cut: Pattern[str], text: str) -> str:
    ends: Iterator[int] = (found.end() for found in cut.finditer(text))
    return text[max(ends, default=0) :]


@lru_cache(maxsize=4096)
def _compiled(wordings: tuple[str, ...], language: str) -> Pattern[str] | None:
    if not wordings:
        return None
    found = patterns(*wordings)
    refuse_unsafe(found)
    joined = "|".join(found)
    if language == ENGLISH:
        return re.compile(rf"(?<!\w)(?:{joined})(?!\w)")
    return re.compile(rf"(?<![0-9a-zß-öø-ž])(?:{joined})")
