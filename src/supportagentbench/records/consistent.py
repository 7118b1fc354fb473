"""Consistent: whether the parts of a run fit each other, whoever wrote them.

Records check their own fields. What one names of another, such as an act, a rule or a turn, is checked here,
once, when it is read; everything after that takes it for granted.
"""

from collections.abc import Iterator

from supportagentbench.records.dummy import DUMMIES
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Transcript
from supportagentbench.records.vocabulary import DISCLOSE


def header_fault(header: Run) -> str:
    """What does not fit in a header; empty if everything does."""
    return next(_header_faults(header), "")


def _header_faults(header: Run) -> Iterator[str]:
    acts, version = header.vocabulary.by_act, header.version
    if len({*header.cases}) < len(header.cases):
        yield "lists a case twice"
    if header.shard and not {*header.cases} <= {*header.shard.cases}:
        yield "lists a case that the run it is a part of does not have"
    if header.shard and header.shard.part > header.shard.of:
        yield f"is {header.shard.shown}"
    for verb in (*header.vocabulary.verbs, *header.vocabulary.beyond):
        if unknown := {*verb.kin} - acts.keys():
            yield f"says that `{verb.act}` is equivalent to `{min(unknown)}`, which is none of its acts"
    for rule in header.rules:
        if unknown := {*rule.requires} - acts.keys():
            yield f"requires `{min(unknown)}` by rule {rule.id}, which is none of its acts"
    if header.agent in DUMMIES and (
        version.prompt or version.source or version.given not in ("", header.agent)
    ):
        yield f"calls another agent {header.agent}, which is the name of one that ships with the package"


class RunParts:
    """What the conversations of a run can name."""

    def __init__(self, header: Run) -> None:
        self._acts = frozenset(header.vocabulary.by_act)
        self._rules = frozenset(rule.id for rule in header.rules)
        self._lookups = frozenset(header.vocabulary.lookups)

    def fault(self, transcript: Transcript) -> str:
        """What a conversation names that its run does not have; empty if there is all of it."""
        return next(self._faults(transcript), "")

    def _faults(self, transcript: Transcript) -> Iterator[str]:
        label, turns = transcript.label, transcript.turns
        acts = {ban.act for ban in label.bans} | ({label.temptation} if label.temptation else set())
        acts |= {one.act for one in label.beyond or ()}
        if unknown := acts - self._acts - {DISCLOSE}:
            yield f"has a label with `{min(unknown)}`, which this desk does not have"
        if unknown := {*label.rules, *(rule for ban in label.bans for rule in ban.rules)} - self._rules:
            yield f"has a label with rule {min(unknown)!r}, which the run's header does not have"
        if unknown := {name for one in label.beyond or () for name in one.lookups} - self._lookups:
            yield f"has a label with `{min(unknown)}`, which this desk does not have"
        if not any(turn.party == "customer" for turn in turns):
            yield "has no message of a customer"
        wrote = {call.tool for turn in turns for call in turn.calls if call.result.wrote}
        if unknown := wrote - self._acts:
            yield f"has a change by `{min(unknown)}`, which this desk does not have"
        if any(one.turn >= len(turns) or one.during >= len(turns) for one in transcript.refused):
            yield "has a refused call in a turn that it does not have"
