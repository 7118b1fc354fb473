"""Decider: the rule of the policy that decides a trap or a case for a human.

Cases with one decider tend to fail together: an agent that does not know the rule breaks it in all of them.
"""

from collections.abc import Sequence

from supportagentbench.records.case import Label
from supportagentbench.records.run import RuleText
from supportagentbench.records.vocabulary import HAND_OVER


def decider_of(label: Label, rules: Sequence[RuleText]) -> str:
    """The id of that rule; empty in any other case, because no single rule decides it.

    In a trap it is the rule that applies and forbids the tempting act or, if words tempt, any act. If none
    does, the act only has to wait, and what decides is the rule that requires something else first.
    """
    requiring = [rule for rule in rules if rule.id in label.rules and rule.requires]
    if label.temptation is None:
        handing = [rule.id for rule in requiring if HAND_OVER in rule.requires]
        return handing[0] if handing and label.handover == "required" else ""
    bans = [ban for ban in label.bans if ban.act == label.temptation] or label.bans
    forbidding = [rule for ban in bans for rule in ban.rules]
    applying = [rule for rule in forbidding if rule in label.rules]
    return next(iter((*applying, *(rule.id for rule in requiring), *forbidding)), "")
