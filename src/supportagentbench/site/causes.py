"""Causes: why a habit goes wrong, in sentences whose every number is counted from the record."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from supportagentbench.language.counts import counted
from supportagentbench.records.vocabulary import CLOSE_TICKET, HAND_OVER
from supportagentbench.site.agent_stats import AgentStats
from supportagentbench.site.data import IssueEvidence
from supportagentbench.site.moment import IssueMoment
from supportagentbench.site.page import spaced
from supportagentbench.site.prose.words import listed
from supportagentbench.site.quote import Cite, Quote, Said, checked, cut
from supportagentbench.site.trouble_kind import BREACHES, meaning
from supportagentbench.site.troubles import (
    MOSTLY,
    Trouble,
    habits_at,
    leverage_in,
    others_with,
    pressed_with,
    ticket_features,
    typical_message,
    unused_lookups,
)

NAMED = 3
"""Rules, actions or case types that a sentence names."""

GRANTS = ("late", "gives in", "waives", "excepts", "at once")
HANDOVERS = ("all over", "foreign", "angry", "questions", "any ticket")
KEPT = ("never", "missed", "false_handover")
TOLD = ("opposite", "untold")
BY_ACT = (
    *("twice", "elsewhere", "unrequested", "unconfirmed", "unconfirmed_strict", "other value", "other entry"),
    *("phantom_action", "closed_unresolved", "more than done"),
)

LEFT = {
    "undone": "it refused, though a rule grants it",
    "left undone": "the change that a rule grants was never made",
    "untold": "part of what the customer has to be told never came",
    "opposite": "what it told the customer is not so",
}
"""What came of it, where nothing was called."""

WITH_VALUES = ("other value", "other entry", "elsewhere", "unrequested")
"""Habits that only the values of a call show."""

ENDED = {HAND_OVER: "it handed over to a person", CLOSE_TICKET: "it closed the ticket"}


class QuotedExchange(NamedTuple):
    """What the customer wrote, what the agent answered, and what it then did, word for word."""

    message: int
    """The number of the customer's message."""
    customer: str
    agent: str
    is_cut: tuple[tuple[bool, bool], tuple[bool, bool]]
    did: str
    rule: str
    """The rule that was broken; empty if the issue is about none."""
    rule_text: str
    link: str


def count_words(trouble: Trouble) -> str:
    """How often a habit was found."""
    doubt = "; found by code, to be checked by a judge" if trouble.is_to_check else ""
    return f"{trouble.found} of {trouble.chances} {trouble.noun}{doubt}."


def causes(trouble: Trouble, stats: AgentStats) -> list[str]:
    """Why it happens, as far as the record tells, and how the other agents do."""
    evidence = stats.data.evidence.get(stats.results.name, IssueEvidence())
    said: list[str] = []
    if trouble.name == "unseen":
        said += _not_looking(trouble.moments, evidence)
    elif trouble.name in GRANTS:
        said += _granting(trouble.moments, evidence)
    elif trouble.name in HANDOVERS:
        said += _handing_over(trouble, stats, evidence)
    elif trouble.name in KEPT:
        said += _keeping(trouble.moments)
    elif trouble.name in TOLD:
        said += _telling(trouble.moments, stats)
    elif trouble.name in BY_ACT:
        said += _acting(trouble.moments, stats)
    elif trouble.name in ("undone", "left undone"):
        said += _refusing(trouble.moments)
    elif trouble.name == "unlooked":
        said += _never_looking(evidence)
    else:
        said += _speaking(trouble.moments)
    said += _where(trouble, stats)
    said += _others(trouble, stats)
    return said


def _granting(moments: list[IssueMoment], evidence: IssueEvidence) -> Iterator[str]:
    count, leverage = len(moments), leverage_in(evidence)
    refused = [one for one in moments if one.refusals and one.message]
    if 2 * len(refused) > count:
        twice = sum(one.refusals > 1 for one in refused)
        often = f", at least twice in {twice}" if twice else ""
        yield (
            f"It had said no before in {len(refused)} of {count}{often}. It typically gave way after "
            f"{counted(typical_message(refused), 'message')} from the customer."
        )
    else:
        first = sum(one.message == 1 for one in moments)
        early = f", {first} of them at the first message" if first else ""
        yield f"It did so without a word of refusal in {count - len(refused)} of {count}{early}."
    if asked := sum(one.asked_for_proof for one in moments):
        yield f"It had asked for a photo in {asked} of {count}, and did without it."
    pressed = Counter(value for one in moments for value in pressed_with(one, leverage))
    if pressed:
        yield f"The customer had brought up {_counts(pressed)} by then."
    if rules := Counter(rule for one in moments for rule in one.rules):
        yield f"Rules broken: {_counts(rules)}."


def _not_looking(moments: list[IssueMoment], evidence: IssueEvidence) -> Iterator[str]:
    if unused := unused_lookups(evidence.habits):
        yield f"It never once called {listed(sorted(unused))}, which cases of this set need."
    unseen = sum(not one.knew for one in moments)
    yield f"It had not looked up what decides the case in {unseen} of {len(moments)}."
    granted = sum(one.check in BREACHES for one in moments)
    missed = sum(one.check == "escalated" for one in moments)
    yield (
        f"What came of it: {counted(granted, 'forbidden action')}, {counted(missed, 'missed escalation')} "
        f"and {counted(len(moments) - granted - missed, 'ticket')} not settled."
    )


def _handing_over(trouble: Trouble, stats: AgentStats, evidence: IssueEvidence) -> Iterator[str]:
    moments, count = trouble.moments, trouble.found
    first = sum(one.message == 1 for one in moments)
    blind = sum(not one.has_looked for one in moments)
    pushed = sum(one.pushes > 0 for one in moments)
    yield (
        f"{first} of {count} in its first reply, {blind} before it had looked anything up, {pushed} after "
        "the customer pushed back."
    )
    solvable = [one for one in evidence.habits if stats.data.cases[one.case].bucket == "resolvable"]
    for name, has in ticket_features(stats).items():
        hits, of_all = sum(map(has, habits_at(moments, evidence))), sum(map(has, solvable))
        if hits and (name == trouble.name or trouble.name == "any ticket"):
            such = counted(of_all, "such ticket")
            yield f"{_of_these(hits, count)} {FEATURES[name]}; it had {such} in all."


FEATURES = {
    "foreign": "came from customers who do not write English",
    "angry": "came from customers who were angry from the start",
    "questions": "needed an answer and no change",
}


def _of_these(hits: int, count: int) -> str:
    return f"All {count}" if hits == count and count > 1 else f"{hits} of {count}"


def _keeping(moments: list[IssueMoment]) -> Iterator[str]:
    count = len(moments)
    if told := sum(one.check == "false_handover" for one in moments):
        yield f"It wrote that a colleague has the case in {told} of {count}, and called no handover."
        return
    refused = sum(one.refusals > 0 for one in moments)
    yield f"It answered the customer itself in all of them, with a refusal in {refused} of {count}."
    if rules := Counter(rule for one in moments for rule in one.rules):
        yield f"Rules that ask for a person: {_counts(rules)}."


def _telling(moments: list[IssueMoment], stats: AgentStats) -> Iterator[str]:
    reasons = Counter(one.reason.partition(": “")[0] for one in moments)
    yield f"What the record shows: {_counts(reasons)}."
    resolution = stats.of("resolution")
    if resolution and resolution.undecided:
        yield (
            f"Code could not decide {counted(resolution.undecided, 'further ticket')}: what had to be "
            "told may be missing there, or in other words."
        )


def _refusing(moments: list[IssueMoment]) -> Iterator[str]:
    knew, refused = sum(one.knew for one in moments), sum(one.refusals > 0 for one in moments)
    yield (
        f"It had seen what decides the case in {knew} of {len(moments)}, and said no in {refused}; the "
        "change that a rule grants was never made."
    )


def _acting(moments: list[IssueMoment], stats: AgentStats) -> Iterator[str]:
    acts = Counter(one.act for one in moments if one.act and one.act not in ENDED)
    if acts:
        titles = Counter({stats.data.act_title(act): count for act, count in acts.items()})
        yield f"What it did: {_counts(titles)}."
    first = sum(one.message == 1 for one in moments)
    if first and moments[0].message:
        yield f"{_of_these(first, len(moments))} came in answer to the customer's first message."


def _never_looking(evidence: IssueEvidence) -> Iterator[str]:
    blind = sum(not one.has_looked for one in evidence.habits)
    yield f"It called no look-up at all in {blind} of {len(evidence.habits)} conversations."


def _speaking(moments: list[IssueMoment]) -> Iterator[str]:
    said = [one for one in moments if one.message]
    if not said:
        return
    first = sum(one.message == 1 for one in said)
    looked = sum(one.has_looked for one in said)
    begun = f"{_of_these(first, len(said))} came in its first reply"
    yield f"{begun}; it had looked something up before in {looked}."


def _where(trouble: Trouble, stats: AgentStats) -> Iterator[str]:
    """The case types it is found in, if they are few or one stands out."""
    families = Counter(stats.data.cases[one.case].family for one in trouble.moments)
    top = families.most_common(NAMED)
    shown = sum(count for _, count in top)
    named = _counts(Counter({spaced(name): count for name, count in top}))
    few = len(families) <= NAMED or shown >= MOSTLY * trouble.found
    yield f"Case types: {named}." if few else f"Found in {len(families)} case types; {named}."


def _others(trouble: Trouble, stats: AgentStats) -> Iterator[str]:
    found, of_all = others_with(stats, trouble.group)
    if of_all:
        yield f"Other ranked agents: {found} of {of_all}."


def _counts(found: Counter[str]) -> str:
    """The most frequent of these with their counts."""
    parts = [
        f"{what} ({count})" for what, count in sorted(found.items(), key=lambda item: (-item[1], item[0]))
    ]
    return listed(parts[:NAMED])


def exchange_of(trouble: Trouble, stats: AgentStats, said: Said) -> QuotedExchange | None:
    """The first exchange of a habit that can be read in the folder, checked word for word."""
    kept = {(row.case, row.run) for row in stats.data.rows if row.is_kept and row.agent == stats.results.name}
    for moment in trouble.moments:
        if moment.exchange is not None and (moment.case, moment.run) in kept:
            return _quoted(moment, trouble, stats, said)
    return None


def _quoted(moment: IssueMoment, trouble: Trouble, stats: AgentStats, said: Said) -> QuotedExchange:
    exchange = moment.exchange
    assert exchange is not None
    heard = Cite(stats.slug, moment.case, moment.run, exchange.heard_at)
    answered = Cite(stats.slug, moment.case, moment.run, exchange.said_at)
    customer, customer_cut = cut(exchange.heard.text, longest=LONGEST)
    agent, agent_cut = cut(exchange.said.text, moment.quote, longest=LONGEST)
    checked(Quote(heard, customer, customer_cut), said)
    checked(Quote(answered, agent, agent_cut), said)
    rules = {rule.id: rule.text for rule in stats.header.rules}
    rule = next((one for one in moment.rules if one in rules), "")
    return QuotedExchange(
        message=exchange.heard_at // 2 + 1,
        customer=customer,
        agent=agent,
        is_cut=(customer_cut, agent_cut),
        did=_did(moment, trouble, stats),
        rule=rule,
        rule_text=telling_sentence(rules.get(rule, ""), moment.act),
        link=answered.link,
    )


LONGEST = 170
"""Characters of a message in an exchange; the rest is one click away."""


def _did(moment: IssueMoment, trouble: Trouble, stats: AgentStats) -> str:
    """What it then did, in words."""
    if moment.act in ENDED:
        return ENDED[moment.act]
    if moment.act:
        twice = ", twice" if trouble.name == "twice" else ""
        given = f" ({moment.arguments})" if trouble.name in WITH_VALUES else ""
        return f"it went on to {stats.data.act_title(moment.act)}{twice}{given}"
    if trouble.name in LEFT:
        return LEFT[trouble.name]
    return "it " + meaning("engaged" if trouble.name in ("unlooked", "unseen") else moment.check)


def telling_sentence(text: str, act: str = "") -> str:
    """The sentence of a rule that speaks of an act; its first, if none does."""
    sentences = [one.rstrip(".") + "." for one in re.split(r"(?<=[.;])\s+(?=[A-Z])", text) if one]
    about = [part for part in act.split("_") if len(part) >= SHORTEST_STEM]
    return next(
        (one for one in sentences if any(part in one.casefold() for part in about)), "".join(sentences[:1])
    )


SHORTEST_STEM = 5
"""Letters of a word in a tool's name that a rule may speak of."""
