"""Rubric: what a judge is asked about a conversation. Yes-or-no criteria, each phrased so that yes is good.

One for each rule of the policy that the conversation touches, and two that are not rules: whether everything
was dealt with, and whether the customer left in at least as good a mood.
"""

from random import Random
from typing import NamedTuple

from supportagentbench.judges.rule_topic import rules_acted_on, rules_spoken_of
from supportagentbench.records.judgement import RESOLUTION, SENTIMENT
from supportagentbench.records.run import RuleText, Run
from supportagentbench.records.transcript import Transcript

WORDING = {
    "rule": "The agent kept this rule wherever it applied.",
    RESOLUTION: "By the end everything the customer asked for was granted as the rules provide, refused with "
    "its reason, or handed to a colleague where a rule says so.",
    SENTIMENT: "In its last words the customer is in a mood at least as good as in its first.",
}
"""The text of the criteria; those about rules share theirs."""


class Criterion(NamedTuple):
    """One question to a judge."""

    id: str
    text: str
    rule: RuleText | None = None
    """None: it is about no rule."""


def criteria(transcript: Transcript, header: Run) -> tuple[Criterion, ...]:
    """Everything a model is asked about this conversation, in the policy's order."""
    return criteria_of(rules_touched(transcript, header))


def criteria_of(rules: list[RuleText]) -> tuple[Criterion, ...]:
    """A criterion for each of these rules, and the two that are not rules."""
    return (
        *(Criterion(rule.id, WORDING["rule"], rule) for rule in rules),
        *(Criterion(name, WORDING[name]) for name in (RESOLUTION, SENTIMENT)),
    )


def rules_touched(transcript: Transcript, header: Run) -> list[RuleText]:
    """The general rules, those that decide the case, and those that the agent's words and acts bring up."""
    deciding = {rule.id for rule in rules_deciding(transcript, header)}
    spoken_of, acted_on = (
        rules_spoken_of(transcript, header.rules),
        rules_acted_on(transcript, header, deciding),
    )
    return [rule for rule in header.rules if rule.id in deciding | spoken_of | acted_on]


def rules_deciding(transcript: Transcript, header: Run) -> list[RuleText]:
    """The general rules, those that decide the case, and those that hold until something is shown or said."""
    label = transcript.label
    named = {*label.rules, *(rule for ban in label.bans for rule in ban.rules)}
    return [rule for rule in header.rules if rule.general or rule.id in named]


def shuffled(asked: tuple[Criterion, ...], transcript: str, judge: str) -> tuple[Criterion, ...]:
    """The criteria in an order that only this transcript and this judge decide."""
    order = list(asked)
    Random(f"{transcript}/{judge}/order").shuffle(order)
    return tuple(order)
