"""Rule topic: which rules an agent's own words and acts bring up, regardless of what decides the case.

A rule's topic is the words that it shares with hardly any other rule. Two of them in one sentence of the
agent, or in one argument of a call, bring the rule up. No rule, shop or act is known by name here.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from supportagentbench.language.spelling import sentences
from supportagentbench.records.run import RuleText, Run
from supportagentbench.records.transcript import Transcript
from supportagentbench.records.vocabulary import TICKET_ACTS

SHARED = 2
"""Words of a topic that a sentence has to have."""

RULES_WITH_WORD = 2
"""Rules that may have a word for it to belong to a topic."""

STEM = 6
"""Letters by which two words are the same, a plural's s aside: processed, processing."""

_WORD = re.compile(r"[a-z][a-z-]{3,}")

_EVERYDAY = """
after also another ask asks because been being come comes could does else even every gets have here into just
like look looks need needs once only ones other said same shall should some something still such that their
them themselves then there these they this those under were what when whether which while will with would your
"""
_NO_TOPIC = frozenset(_EVERYDAY.split())
"""Words that belong to no topic."""


def rules_spoken_of(transcript: Transcript, rules: tuple[RuleText, ...]) -> set[str]:
    """The rules whose topic is in what the agent said, or wrote into a call."""
    topics = _topics(rules)
    said = [_stems(sentence) for sentence in _sentences(transcript)]
    return {rule for rule, topic in topics.items() if any(len(topic & one) >= SHARED for one in said)}


def rules_acted_on(transcript: Transcript, header: Run, deciding: set[str]) -> set[str]:
    """The rules that require an act which the agent tried, if none of those that decide the case does."""
    tried = {call.tool for turn in transcript.turns for call in turn.calls} - set(TICKET_ACTS)
    due = {act for rule in header.rules if rule.id in deciding for act in rule.requires}
    words = header.vocabulary
    covered = {way for act in due if act in words.by_act for way in words.ways(act)} | due
    return {rule.id for rule in header.rules if set(rule.requires) & (tried - covered)}


@lru_cache(maxsize=8)
def _topics(rules: tuple[RuleText, ...]) -> dict[str, frozenset[str]]:
    """By rule that does not hold everywhere, its topic."""
    stems = {rule.id: _stems(" ".join(_plain(rule.text))) for rule in rules}
    count = Counter(stem for found in stems.values() for stem in found)
    return {
        rule.id: frozenset(stem for stem in stems[rule.id] if count[stem] <= RULES_WITH_WORD)
        for rule in rules
        if not rule.general
    }


def _stems(text: str) -> frozenset[str]:
    return frozenset(word.rstrip("s")[:STEM] for word in _WORD.findall(text) if word not in _NO_TOPIC)


def _sentences(transcript: Transcript) -> Iterator[str]:
    for turn in transcript.turns:
        if turn.party == "agent":
            yield from _plain(turn.text)
        for call in turn.calls:
            if isinstance(call.arguments, dict):
                values = (value for value in call.arguments.values() if isinstance(value, str))
                yield from (" ".join(_plain(value)) for value in values)


def _plain(text: str) -> list[str]:
    return [sentence for sentence, _, _ in sentences(text)]
