"""Contrast: how the talks of several agents about one opening differ, and how much."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import NamedTuple

from supportagentbench.records.replay import Contrast, ReplayTalk, TalkAct, TalkDifference
from supportagentbench.records.vocabulary import HAND_OVER, Vocabulary

MOST_QUOTES, LONGEST = 2, 2_000
"""Claims of each agent that are quoted; characters of the sentence for one difference."""

DID, HANDED, SAID_NO, OTHERWISE, TRIED = 8000, 4000, 2000, 1000, 500
ONE_ASKS, ASKS_OTHERWISE = 200, 100
CLAIMS = 20
LANGUAGE, COURSE = 4, 1
"""How much each difference weighs: a more serious one more than the less serious ones together."""


class ComparedTalks(NamedTuple):
    """What is different between talks."""

    difference: TalkDifference | None
    """None: fewer than two talks can be compared."""
    score: int
    contrasts: tuple[Contrast, ...]


class _Found(NamedTuple):
    weight: int
    contrast: Contrast


def compared(talks: Sequence[ReplayTalk], vocabulary: Vocabulary) -> ComparedTalks:
    """The differences between these talks, the most serious first; those that others broke off aside."""
    whole = [one for one in talks if one.is_whole]
    if len(whole) < 2:
        return ComparedTalks(None, 0, ())
    found = list(_Differences(whole, vocabulary).found())
    contrasts = tuple(one.contrast for one in found)
    return ComparedTalks(
        contrasts[0].kind if contrasts else "same", sum(one.weight for one in found), contrasts
    )


def titles_of(vocabulary: Vocabulary) -> dict[str, str]:
    """Acts, topics, states and look-ups in plain words."""
    subjects = (*vocabulary.topics, *vocabulary.states)
    found = {one.name: one.about.partition(":")[0] for one in subjects}
    found |= {name: name.replace("_", " ") for name in vocabulary.lookups}
    return found | {verb.act: verb.title for verb in (*vocabulary.verbs, *vocabulary.beyond)}


class _Differences:
    """What is different between the talks of one ticket."""

    def __init__(self, talks: Sequence[ReplayTalk], vocabulary: Vocabulary) -> None:
        self._talks, self._vocabulary = talks, vocabulary
        self._titles = titles_of(vocabulary)

    def found(self) -> Iterator[_Found]:
        """Each difference, the most serious first."""
        yield from self._in_acts()
        yield from self._in_questions()
        yield from self._in_claims()
        yield from self._in_course()

    def _in_acts(self) -> Iterator[_Found]:
        stances: tuple[tuple[int, Callable[[ReplayTalk], Hashable]], ...] = (
            (DID, self._ways),
            (HANDED, _is_handed_over),
            (SAID_NO, lambda talk: talk.course in ("refused", "silent", "broke") and talk.course),
            (OTHERWISE, lambda talk: tuple(sorted(map(_named, talk.acts)))),
        )
        weight = sum(weight for weight, value in stances if self._differ(value))
        if weight:
            yield self._found(weight, "acts", self._deed)
        if self._differ(lambda talk: frozenset(one.act for one in talk.tried)):
            yield self._found(TRIED, "acts", self._attempt)

    def _ways(self, talk: ReplayTalk) -> Hashable:
        """The acts in the shop; those with the same effect for a customer count as one."""
        acts = (one.act for one in talk.acts if one.act != HAND_OVER)
        return frozenset(frozenset(self._vocabulary.ways(act)) for act in acts)

    def _deed(self, talk: ReplayTalk) -> str:
        """What an agent did, or else how it answered."""
        done = dict.fromkeys(one.words for one in talk.acts if one.act != HAND_OVER)
        parts = [f"{words[:1].lower()}{words[1:]}" for words in done]
        if _is_handed_over(talk):
            parts.append("handed it over")
        if talk.course == "broke":
            parts.append(f"broke off ({talk.cause.replace('_', ' ')})")
        said = {"silent": "said nothing", "refused": "said no", "asked": "asked back", "answered": "answered"}
        return " and ".join(parts) or said[talk.course]

    def _attempt(self, talk: ReplayTalk) -> str:
        tried = dict.fromkeys(self._titles.get(one.act, one.act) for one in talk.tried)
        return f"tried to {' and to '.join(tried)}, which the desk refused" if tried else "did not try"

    def _in_questions(self) -> Iterator[_Found]:
        if self._differ(lambda talk: frozenset(talk.asked)):
            one_asks = self._differ(lambda talk: bool(talk.asked))
            yield self._found(ONE_ASKS if one_asks else ASKS_OTHERWISE, "asks", self._question)

    def _question(self, talk: ReplayTalk) -> str:
        if not talk.asked:
            return "asked for nothing"
        return f"asked for: {'; '.join(self._titles.get(one, one) for one in talk.asked)}"

    def _in_claims(self) -> Iterator[_Found]:
        told = [self._told(talk) for talk in self._talks]
        if len({frozenset(one) for one in told}) < 2:
            return
        common = set(told[0]).intersection(*told[1:])
        parts = []
        for talk, claims in zip(self._talks, told, strict=True):
            own = dict.fromkeys(quote for claim, quote in claims.items() if claim not in common)
            quotes = ", ".join(f"“{quote}”" for quote in [*own][:MOST_QUOTES])
            parts.append(f"{talk.agent} told {quotes}" if quotes else f"{talk.agent} told nothing of it")
        yield _Found(CLAIMS, Contrast("claims", "; ".join(parts)[:LONGEST]))

    def _told(self, talk: ReplayTalk) -> Mapping[tuple[str, str], str]:
        """What an agent told, with the words; acts that it did are compared as acts."""
        done = {way for one in talk.acts for way in self._vocabulary.ways(one.act)}
        return {
            (one.kind, one.what): one.quote
            for one in talk.claims
            if not (one.kind == "done" and one.what in done)
        }

    def _in_course(self) -> Iterator[_Found]:
        if self._differ(lambda talk: talk.language):
            yield self._found(LANGUAGE, "course", lambda talk: f"wrote in {talk.language or 'no language'}")
        if self._differ(lambda talk: frozenset(talk.looked_up.items())):
            yield self._found(COURSE, "course", self._look_up)
        if self._differ(lambda talk: (talk.ending, talk.closed)):
            yield self._found(COURSE, "course", _end)

    def _look_up(self, talk: ReplayTalk) -> str:
        used = (
            f"{self._titles.get(tool, tool)}{'' if found else ', in vain'}"
            for tool, found in sorted(talk.looked_up.items())
        )
        return f"used: {'; '.join(used)}" if talk.looked_up else "looked nothing up"

    def _differ(self, value: Callable[[ReplayTalk], Hashable]) -> bool:
        return len({value(talk) for talk in self._talks}) > 1

    def _found(self, weight: int, kind: TalkDifference, words: Callable[[ReplayTalk], str]) -> _Found:
        """A difference as a sentence, in which agents that did the same are named together."""
        agents: dict[str, list[str]] = {}
        for talk in self._talks:
            agents.setdefault(words(talk), []).append(talk.agent)
        said = "; ".join(f"{' and '.join(names)} {what}" for what, names in agents.items())
        return _Found(weight, Contrast(kind, said[:LONGEST]))


def _is_handed_over(talk: ReplayTalk) -> bool:
    return any(one.act == HAND_OVER for one in talk.acts)


def _named(one: TalkAct) -> tuple[str, tuple[tuple[str, str], ...]]:
    return one.act, tuple(sorted(one.names.items())) if one.act != HAND_OVER else ()


def _end(talk: ReplayTalk) -> str:
    ends = {
        "customer_left": "wrote until the customer left",
        "handed_over": "ended with the handover",
        "ticket_closed": "closed the ticket",
        "turn_limit": "wrote until its replies were used up",
        "broke": "broke off",
    }
    return ends.get(talk.ending, talk.ending.replace("_", " "))
