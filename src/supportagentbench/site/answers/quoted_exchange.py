"""Quoted exchange: the words that best show a habit, and what the agent did, checked against the record."""

import re
from collections.abc import Callable, Collection
from typing import NamedTuple

from supportagentbench.language.customer import SENTENCE
from supportagentbench.language.reader import reader_of
from supportagentbench.records.vocabulary import CLOSE_TICKET, HAND_OVER
from supportagentbench.site.answers.trouble_kind import meaning
from supportagentbench.site.answers.troubles import OwnPlace, Trouble, leverage_in, ticket_features
from supportagentbench.site.data.agent_stats import AgentStats
from supportagentbench.site.data.moment import LOUD, PUSHES, Exchange, IssueMoment
from supportagentbench.site.data.quote import Cite, Quote, Said, checked, cut
from supportagentbench.site.data.site_data import IssueEvidence

LONGEST = 200
"""The most characters of a message in an exchange; the rest is one click away."""

SHORTEST = 40
"""A customer's message with at least this many characters makes sense by itself."""

LEFT = {
    "undone": "it refused, though a rule grants it",
    "left undone": "the change that a rule grants was never made",
    "untold": "it left out part of what the customer needs to know",
    "opposite": "what it told the customer is wrong",
}
"""The result, if no tool was called."""

WITH_VALUES = ("other value", "other entry", "elsewhere", "unrequested", "attempted_unrequested")
"""Habits that only a call's values show."""

ENDED = {HAND_OVER: "it handed over to a person", CLOSE_TICKET: "it closed the ticket"}


class QuotedExchange(NamedTuple):
    """What the customer wrote, what the agent answered, and what it then did, word for word."""

    place: OwnPlace
    """The conversation."""
    message: int
    """The number of the customer's message in the reader."""
    customer: str
    agent: str
    is_cut: tuple[tuple[bool, bool], tuple[bool, bool]]
    did: str
    rule: str
    """The rule that was broken; empty if the issue is about none."""
    rule_text: str
    link: str


def exchange_of(
    trouble: Trouble, stats: AgentStats, said: Said, used: Collection[OwnPlace] = ()
) -> QuotedExchange | None:
    """The gravest exchange of a habit, then the one that shows it best, among those in the folder.

    One conversation shows two habits only if the second has no other.
    """
    kept = {(row.case, row.run) for row in stats.data.rows if row.is_kept and row.agent == stats.results.name}
    shows = _shows(trouble, stats)
    found = [
        (moment, moment.exchange)
        for moment in trouble.moments
        if moment.exchange is not None and (moment.case, moment.run) in kept
    ]
    if not found:
        return None
    moment, exchange = max(
        found,
        key=lambda one: (
            (one[0].case, one[0].run) not in used,
            _answers(one[1], trouble),
            one[0].gravity,
            shows(*one),
            _reads_alone(one[1]),
        ),
    )
    return _quoted(moment, exchange, trouble, stats, said)


def _answers(exchange: Exchange, trouble: Trouble) -> bool:
    """Whether there is a reply to read; an empty one is quoted only if that is the habit."""
    return bool(exchange.said.text.strip()) or trouble.name == "blank_reply"


def _reads_alone(exchange: Exchange) -> int:
    """Whether the quote is uncut, and long enough to make sense without context."""
    heard, said = len(exchange.heard.text), len(exchange.said.text)
    return 2 * (SHORTEST <= heard <= LONGEST) + (said <= LONGEST)


Shows = Callable[[IssueMoment, Exchange], int]
"""How well an exchange shows the cause that a heading names; higher is better."""


def _shows(trouble: Trouble, stats: AgentStats) -> Shows:
    leverage = _leverage(stats)
    by_name: dict[str, Shows] = {
        "excepts": lambda _, one: bool(_pressing(one.heard.text, leverage, stats)),
        "gives in": lambda moment, one: moment.refusals + 3 * _is_push(one),
        "waives": lambda moment, one: moment.asked_for_proof + _is_push(one),
        "at once": lambda moment, _: not moment.refusals,
        "angry": lambda _, one: 2 * bool(LOUD.search(one.heard.text)) + _is_cross(one),
        "unseen": _shows_blindness,
        "skips": _shows_blindness,
        "undone": lambda moment, _: moment.refusals,
    }
    if trouble.name in ("foreign", "questions"):
        has = ticket_features(stats)[trouble.name]
        evidence = stats.data.evidence.get(stats.results.name, IssueEvidence())
        such = {(one.case, one.run) for one in evidence.habits if has(one)}
        asks = trouble.name == "questions"
        return lambda moment, one: 2 * ((moment.case, moment.run) in such) + (asks and "?" in one.heard.text)
    return by_name.get(trouble.name, lambda moment, _: bool(moment.quote))


def _shows_blindness(moment: IssueMoment, exchange: Exchange) -> int:
    """A decision without the facts: an action before a statement before a question."""
    is_question = exchange.said.text.rstrip().endswith("?")
    return 4 * (not moment.knew) + 2 * bool(moment.act) + (not is_question)


def _is_push(exchange: Exchange) -> bool:
    conduct = exchange.heard.conduct
    return conduct is not None and any(move in PUSHES for move in conduct.moves)


def _is_cross(exchange: Exchange) -> bool:
    conduct = exchange.heard.conduct
    return conduct is not None and conduct.mood < 0


def _leverage(stats: AgentStats) -> frozenset[str]:
    return leverage_in(stats.data.evidence.get(stats.results.name, IssueEvidence()))


def _pressing(text: str, leverage: frozenset[str], stats: AgentStats) -> str:
    """The first sentence in which a customer tells one of these facts; empty: there is none."""
    words = reader_of(stats.header.vocabulary).customer
    return next((one for one in SENTENCE.split(text) if leverage & {*words.disclosed(one)}), "")


def _telling_words(exchange: Exchange, moment: IssueMoment, trouble: Trouble, stats: AgentStats) -> str:
    """The customer's words that the quote must contain."""
    text = exchange.heard.text
    if moment.check == "escalated" and exchange.heard.conduct:
        return _pressing(text, frozenset(exchange.heard.conduct.discloses), stats)
    if trouble.name == "excepts":
        return _pressing(text, _leverage(stats), stats)
    if trouble.name == "angry" and (loud := LOUD.search(text)):
        return loud[0]
    return ""


def _quoted(
    moment: IssueMoment, exchange: Exchange, trouble: Trouble, stats: AgentStats, said: Said
) -> QuotedExchange:
    heard = Cite(stats.slug, moment.case, moment.run, exchange.heard_at)
    answered = Cite(stats.slug, moment.case, moment.run, exchange.said_at)
    telling = _telling_words(exchange, moment, trouble, stats)
    customer, customer_cut = cut(exchange.heard.text, telling, longest=LONGEST)
    agent, agent_cut = cut(exchange.said.text, moment.quote, longest=LONGEST)
    checked(Quote(heard, customer, customer_cut), said)
    checked(Quote(answered, agent, agent_cut), said)
    rules = {rule.id: rule.text for rule in stats.header.rules}
    rule = next((one for one in moment.rules if one in rules), "")
    return QuotedExchange(
        place=(moment.case, moment.run),
        message=heard.message,
        customer=customer,
        agent=agent,
        is_cut=(customer_cut, agent_cut),
        did=_did(moment, trouble, stats),
        rule=rule,
        rule_text=telling_sentence(rules.get(rule, ""), moment.act),
        link=answered.link,
    )


def _did(moment: IssueMoment, trouble: Trouble, stats: AgentStats) -> str:
    """What the agent did, as text."""
    if moment.act in ENDED:
        return ENDED[moment.act]
    if moment.act:
        act = stats.data.act_title(moment.act)
        given = f" ({moment.arguments})" if trouble.name in WITH_VALUES else ""
        if trouble.name == "late":
            return f"its calls, in this order: {act}, then hand over to a person"
        if trouble.name.startswith("attempted_"):
            return f"it tried to {act}{given}; the tool refused"
        twice = ", twice" if trouble.name == "twice" else ""
        return f"it went on to {act}{twice}{given}"
    if moment.check == "escalated":
        return "it " + meaning("escalated")
    if trouble.name in LEFT:
        return LEFT[trouble.name]
    return "it " + meaning("engaged" if trouble.name in ("unlooked", "unseen", "skips") else moment.check)


def telling_sentence(text: str, act: str = "") -> str:
    """The sentence of a rule that mentions an act, or else its first sentence."""
    sentences = [one.rstrip(".") + "." for one in re.split(r"(?<=[.;])\s+(?=[A-Z])", text) if one]
    about = [part for part in act.split("_") if len(part) >= SHORTEST_STEM]
    return next(
        (one for one in sentences if any(part in one.casefold() for part in about)), "".join(sentences[:1])
    )


SHORTEST_STEM = 5
"""The fewest letters of a word in a tool's name that is searched for in a rule."""
