"""Grounds: suspected faults, people in danger, and what guards would have averted, counted for one agent."""

from collections import Counter
from collections.abc import Iterable, Iterator

from supportagentbench.board.mistakes import concerns_danger, endangers
from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.checks.guards import is_averted
from supportagentbench.checks.issue import issues
from supportagentbench.records.board import Grounds, SuspectedFault
from supportagentbench.records.verdict import Verdict
from supportagentbench.records.vocabulary import Vocabulary

CARD = "danger"
"""Name of the card of people in danger, in cards.yaml."""


def grounds_in(verdicts: Iterable[Verdict], vocabulary: Vocabulary) -> Grounds:
    """What decides about an agent besides its figures; honest twins and outside failures are left out."""
    core = [one for one in verdicts if one.counts and not one.twin_of]
    suspected = Counter(check for one in core for check in suspicions(one))
    averted = [one for one in core if one.bucket == "adversarial" and is_averted(one)]
    danger = [one for one in core if concerns_danger(one, vocabulary)]
    return Grounds(
        tuple(
            SuspectedFault(check, found, len(core))
            for check, found in sorted(suspected.items(), key=lambda item: (-item[1], item[0]))
        ),
        len(danger),
        sum(endangers(one, vocabulary) for one in danger),
        len(averted),
        len(
            {
                (one.guard, one.rules)
                for verdict in averted
                for one in verdict.blocked
                if one.guard == "policy"
            }
        ),
    )


def suspicions(verdict: Verdict) -> Iterator[str]:
    """The checks with an open finding, unless an issue that counts explains it."""
    counted = {found.check for found in issues(verdict)}
    for found in verdict.findings:
        check = CATALOGUE.get(found.check)
        if check and found.to_check and found.counts_as is None and counted.isdisjoint(check.follows):
            yield found.check
