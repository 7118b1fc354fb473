"""Judgement: all opinions of one judge on one transcript. Checks find; a judge only holds opinions."""

from collections import defaultdict
from collections.abc import Iterable
from math import comb
from typing import Literal

from msgspec.structs import replace

from supportagentbench.records.amount import Count, TurnNumber
from supportagentbench.records.record import Record
from supportagentbench.records.usage import Usage

RESOLUTION, SENTIMENT = "resolution", "sentiment"
"""The two criteria that are not rules of the policy."""

RULE_JUDGE = "rules"
"""The judge that is code: its opinions are computed from the record, and are never read from a file."""

Void = Literal[
    "", "unreadable", "unanswered", "twice", "no_reason", "no_such_turn", "short_quote", "not_found"
]
"""Why an answer does not count: no JSON, no answer or two, no reason, no such turn, no such words."""

Says = Literal["confirm", "drop", "cannot_tell"]
"""What a judge says to a finding."""


class Opinion(Record):
    """A judge's opinion on one criterion."""

    criterion: str
    """`resolution`, `sentiment`, or the id of a rule."""
    met: bool | None
    """None: void, or the judge could not tell."""
    turn: TurnNumber | None = None
    """Index of the turn it is based on."""
    quote: str = ""
    """Words or a call of that turn; a judge that is code gives none."""
    void: Void = ""
    reason: str = ""
    """One sentence; a model gives it before its verdict, code takes it from the finding it is based on."""


class FindingOpinion(Record):
    """What a judge says to one finding that was to check."""

    question: str
    """The finding's name as a question."""
    says: Says | None
    """None: void."""
    turn: TurnNumber | None = None
    quote: str = ""
    void: Void = ""
    reason: str = ""

    @property
    def check(self) -> str:
        """The check that left the finding."""
        return self.question.partition(":")[0]


class Judgement(Record, tag_field="record", tag="judgement/1"):
    """One judge's opinions on one conversation."""

    transcript: str
    """Digest of the transcript it is about."""
    judge: str
    """The model's name, or `RULE_JUDGE`."""
    version: str
    """Digest of everything the judge was given; judgements of two versions are two series."""
    opinions: tuple[Opinion, ...]
    """In the order in which the criteria were put."""
    sample: Count = 0
    """0 for the first judging, 1 for the second …: a part is judged again to see what is chance."""
    unasked: Count = 0
    """Answers to criteria that were not put."""
    usage: tuple[Usage, ...] = ()
    findings: tuple[FindingOpinion, ...] = ()
    """On every finding of the conversation that was to check."""
    host: str = ""
    """The server that was asked; empty: none over a network, or none on record."""

    @property
    def order(self) -> tuple[str, ...]:
        """The criteria as they were put."""
        return tuple(opinion.criterion for opinion in self.opinions)

    @property
    def void(self) -> int:
        """How many answers do not count."""
        voids = [*(one.void for one in self.opinions), *(one.void for one in self.findings)]
        return sum(map(bool, voids)) + self.unasked

    @property
    def adherence(self) -> float | None:
        """The share of rules kept among those that could be decided."""
        told = [
            opinion.met
            for opinion in self.opinions
            if opinion.met is not None and opinion.criterion not in (RESOLUTION, SENTIMENT)
        ]
        return sum(told) / len(told) if told else None

    def of(self, criterion: str) -> Opinion | None:
        """The opinion on this criterion, if it was put."""
        return next((one for one in self.opinions if one.criterion == criterion), None)


def joined(judgements: Iterable[Judgement]) -> list[Judgement]:
    """One judgement per judge, version, transcript and sample: answers to later questions are added to it."""
    found: dict[tuple[str, str, str, int], Judgement] = {}
    for one in judgements:
        key = (one.judge, one.version, one.transcript, one.sample)
        known = found.get(key)
        found[key] = one if known is None else _both(known, one)
    return list(found.values())


def _both(first: Judgement, later: Judgement) -> Judgement:
    known = {one.question for one in first.findings}
    return replace(
        first,
        opinions=first.opinions or later.opinions,
        unasked=first.unasked + later.unasked,
        usage=first.usage + later.usage,
        findings=(*first.findings, *(one for one in later.findings if one.question not in known)),
    )


def counting_versions(judgements: Iterable[Judgement]) -> dict[str, str]:
    """By judge, the version that counts: the one that judged most conversations."""
    judged: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for one in judgements:
        judged[one.judge][one.version].add(one.transcript)
    return {judge: max(versions, key=lambda one: len(versions[one])) for judge, versions in judged.items()}


def counting_judgements(judgements: Iterable[Judgement]) -> dict[str, dict[str, Judgement]]:
    """By judge and transcript, the judgement that counts: the first sample, in the version that counts."""
    first = [one for one in judgements if not one.sample]
    versions = counting_versions(first)
    found: dict[str, dict[str, Judgement]] = defaultdict(dict)
    for one in first:
        if one.version == versions[one.judge]:
            found[one.judge][one.transcript] = one
    return dict(found)


class Flips(Record):
    """How often a judge that is asked the same again says something else."""

    flips: int
    """Pairs of answers to one question that differ."""
    pairs: int
    questions: int
    """Criteria of transcripts that were answered at least twice."""

    @property
    def rate(self) -> float | None:
        return self.flips / self.pairs if self.pairs else None


def flip_rate(judgements: Iterable[Judgement]) -> Flips:
    """The chance that two judgings of one criterion of one transcript disagree; void answers are left out."""
    answers: dict[tuple[str, str, str, str], list[bool]] = defaultdict(list)
    for judgement in judgements:
        for opinion in judgement.opinions:
            if opinion.met is not None:
                question = (judgement.judge, judgement.version, judgement.transcript, opinion.criterion)
                answers[question].append(opinion.met)
    again = [found for found in answers.values() if len(found) > 1]
    flips = sum(sum(found) * (len(found) - sum(found)) for found in again)
    return Flips(flips, sum(comb(len(found), 2) for found in again), len(again))
