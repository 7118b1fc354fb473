"""Exhibit: the conversation that best shows a habit, in a few bubbles, and what the agent did."""

import re
from collections.abc import Callable, Collection
from typing import NamedTuple

from supportagentbench.language.customer import SENTENCE
from supportagentbench.language.reader import reader_of
from supportagentbench.records.vocabulary import CLOSE_TICKET, HAND_OVER
from supportagentbench.site.answers.short_chat import ShortChat, short_chat
from supportagentbench.site.answers.trouble_kind import meaning
from supportagentbench.site.answers.troubles import OwnPlace, Trouble, leverage_in, ticket_features
from supportagentbench.site.data.agent_stats import AgentStats
from supportagentbench.site.data.moment import LOUD, PUSHES, Exchange, IssueMoment
from supportagentbench.site.data.site_data import IssueEvidence

LONGEST = 190
"""A message with at most this many characters is shown uncut."""

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


class Exhibit(NamedTuple):
    """A conversation that shows a habit."""

    chat: ShortChat
    did: str
    """What the agent did or left, if no bubble says so."""
    rule: str
    """The rule that was broken; empty if the issue is about none."""
    rule_text: str

    @property
    def place(self) -> OwnPlace:
        """The conversation."""
        return self.chat.case, self.chat.run


def exhibit_of(trouble: Trouble, stats: AgentStats, used: Collection[OwnPlace] = ()) -> Exhibit | None:
    """The gravest conversation of a habit, then the one that shows it best, among those in the folder.

    One conversation shows two habits only if the second has no further.
    """
    moment = _shown_moment(trouble, stats, used)
    chat = short_chat(moment, stats.slug, stats.said, stats.header.vocabulary) if moment else None
    if moment is None or chat is None:
        return None
    rules = {rule.id: rule.text for rule in stats.header.rules}
    rule = next((one for one in moment.rules if one in rules), "")
    told = any(bubble.kind == "did" for bubble in chat.bubbles)
    return Exhibit(
        chat,
        did="" if told and trouble.name != "late" else _did(moment, trouble, stats),
        rule=rule,
        rule_text=telling_sentence(rules.get(rule, ""), moment.act),
    )


def _shown_moment(trouble: Trouble, stats: AgentStats, used: Collection[OwnPlace]) -> IssueMoment | None:
    kept = {(row.case, row.run) for row in stats.data.rows if row.is_kept and row.agent == stats.results.name}
    shows = _shows(trouble, stats)
    found = [
        (moment, moment.exchange)
        for moment in trouble.moments
        if moment.exchange is not None and (moment.case, moment.run) in kept
    ]
    if not found:
        return None
    return max(
        found,
        key=lambda one: (
            (one[0].case, one[0].run) not in used,
            _answers(one[1], trouble),
            one[0].gravity,
            shows(*one),
            _reads_alone(one[1]),
        ),
    )[0]


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


def shortened(sentence: str) -> tuple[str, bool]:
    """A rule's sentence up to where its first part ends, and whether that part is only the condition."""
    condition, colon, _ = sentence.partition(": ")
    if colon:
        return condition, True
    for found in re.finditer(r", (?!or |and )", sentence):
        part = sentence[: found.start()]
        if len(part) >= SHORTEST and part.count("(") == part.count(")"):
            return part, False
    return sentence.rstrip("."), False


SHORTEST_STEM = 5
"""The fewest letters of a word in a tool's name that is searched for in a rule."""
