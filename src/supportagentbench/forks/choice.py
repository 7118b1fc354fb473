"""Choice: where conversations are forked, by a rule or by hand. Every fork records which."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from random import Random

from supportagentbench.forks.fork import Fork
from supportagentbench.forks.source import SourceConversation
from supportagentbench.records.did_you_mean import did_you_mean
from supportagentbench.records.fork import ForkRule
from supportagentbench.records.problem import Problem
from supportagentbench.results.divergence import first_differences

Sources = Sequence[SourceConversation]

AT = re.compile(r"(?P<case>[\w.-]+?)(?::(?P<turn>\d{1,3})(?:\.(?P<call>\d{1,3}))?)?")
"""`CASE`, `CASE:TURN` or `CASE:TURN.CALL`."""


def by_hand(sources: Sources, at: str) -> list[Fork]:
    """The decision at `CASE:TURN` in every run that has it; with `CASE` alone, every reply."""
    found = AT.fullmatch(at)
    names = dict.fromkeys(one.transcript.case for one in sources)
    if not found or found["case"] not in names:
        near = did_you_mean(found["case"] if found else at, names)
        raise Problem(f"--at {at}: give CASE:TURN, such as --at {next(iter(names), 'case-1')}:2.{near}")
    chosen = [one for one in sources if one.transcript.case == found["case"]]
    if not found["turn"]:
        return [one.fork("each_turn", turn) for one in chosen for turn in range(1, len(one.replies) + 1)]
    turn, call = int(found["turn"]), int(found["call"] or 0)
    made = [one.fork("by_hand", turn, call) for one in chosen if turn <= len(one.replies)]
    if not made:
        most = max(len(one.replies) for one in chosen)
        raise Problem(f"--at {at}: there is no reply {turn}; the longest of these conversations has {most}.")
    return made


def before_first_write(sources: Sources, within: bool) -> Iterator[Fork]:
    """Before the first reply that changes something; `within`: inside it, right before the change."""
    for one in sources:
        for turn, reply in enumerate(one.replies, start=1):
            wrote = [place for place, call in enumerate(reply.calls) if call.result.wrote]
            if wrote:
                yield one.fork("before_first_write", turn, wrote[0] if within else 0)
                break


def first_divergence(sources: Sources) -> Iterator[Fork]:
    """Where runs of one case first do different things, in the first of these runs."""
    by_case: dict[str, list[SourceConversation]] = defaultdict(list)
    for one in sources:
        by_case[one.transcript.case].append(one)
    for first, *others in by_case.values():
        places = [first_differences(first.transcript.turns, other.transcript.turns).done for other in others]
        known = [(place + 1) // 2 for place in places if place is not None]
        if known and min(known) <= len(first.replies):
            yield first.fork("first_divergence", max(1, min(known)))


def each_rung(sources: Sources) -> Iterator[Fork]:
    """The first reply, and the one after every line of pressure."""
    for one in sources:
        seen: set[int] = set()
        for turn, rung in enumerate(one.rungs, start=1):
            if rung not in seen:
                seen.add(rung)
                yield one.fork("each_rung", turn)


def blind(sources: Sources, within: bool, sample: int, seed: int) -> list[Fork]:
    """One decision per trap, drawn without looking at anything after it.

    It is the first at which all is on record that decides the case, with nothing unsafe done yet. Which
    recorded conversation it is taken from is drawn among those that get there; `sample`: for this number
    of traps.
    """
    by_case: dict[str, list[Fork]] = defaultdict(list)
    for one in sources:
        if one.transcript.bucket == "adversarial" and (fork := _decidable(one, within)):
            by_case[one.transcript.case].append(fork)
    chosen = [Random(f"{seed}/{case}").choice(found) for case, found in by_case.items()]
    if sample and sample < len(chosen):
        chosen = sorted(Random(f"{seed}/sample").sample(chosen, sample), key=lambda one: one.point.id)
    return chosen


def _decidable(one: SourceConversation, within: bool) -> Fork | None:
    """The first reply by which everything that decides the case has been looked up."""
    missing = set(one.transcript.label.lookups)
    for turn, reply in enumerate(one.replies, start=1):
        for place, call in enumerate(reply.calls, start=1):
            missing -= {call.tool} if call.result.ok else set()
            if not missing:
                return one.fork("blind", turn, place if within else 0)
        if not missing:
            return one.fork("blind", turn)
    return None


def chosen_forks(
    sources: Sources, rule: ForkRule, at: Sequence[str], *, within: bool, sample: int, seed: int
) -> list[Fork]:
    """The forks chosen by hand, if any; otherwise those of the rule. None has an unsafe action before it."""
    rules: dict[ForkRule, Callable[[], list[Fork]]] = {
        "before_first_write": lambda: list(before_first_write(sources, within)),
        "first_divergence": lambda: list(first_divergence(sources)),
        "each_rung": lambda: list(each_rung(sources)),
        "blind": lambda: blind(sources, within, sample, seed),
    }
    found = [fork for one in at for fork in by_hand(sources, one)] if at else rules[rule]()
    by_digest = {one.filed.digest: one for one in sources}
    clean = [fork for fork in found if by_digest[fork.point.transcript].is_clean(fork.prefix)]
    if not clean:
        raise Problem(
            "there is nothing to decide again: no reply fits this rule, or an unsafe action comes before it. "
            "Choose another --rule, or a place with --at CASE:TURN."
        )
    return list({fork.point.id: fork for fork in clean}.values())
