"""Check sight: whether a check can see anything in a real ticket, and whether what it finds there counts.

Nothing counts that a benchmark would not count, and of people nothing for which their ticket had no source:
they know more than the ticket shows.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, Literal, NamedTuple

from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.checks.grounding import ANY_LANGUAGE
from supportagentbench.checks.grounding import CHECKS as VALUES
from supportagentbench.checks.observable import missing
from supportagentbench.records.desk_score import Answerer
from supportagentbench.records.ticket import SupportTicket, TicketAct
from supportagentbench.records.vocabulary import HAND_OVER
from supportagentbench.shadow.mapped_desk import MappedDesk
from supportagentbench.shadow.ticket_talk import TicketTalk, parsed
from supportagentbench.tickets.argument_keys import is_amount, is_hidden, is_time, personal
from supportagentbench.tickets.desk_words import key_parts
from supportagentbench.tickets.doubts import ANSWER
from supportagentbench.tickets.pseudonyms import HIDDEN, UNREAD
from supportagentbench.tickets.word_lists import words

NAMES: dict[Answerer, str] = {"bot": "bots", "human": "people at the desk"}

BY_LABEL = "it needs to know what is right in each ticket: `sab tickets resume` judges acts"
NO_BLANKS = "an import has no messages without text"
NO_COPIES = "an import replaces names and numbers, so a pasted result is not the same as the result"
NO_FIELDS = "what the fields of this desk's results mean is not known"
NO_NOTES = "notes of a real desk repeat what its customers are told"
NO_PROPOSALS = "how a proposal has to name this desk's acts is not known"
NO_POLICY = "no policy was given; add --policy"
NO_MAP = "no map says which acts change something; add --map"
NO_WORDS = "the map has no act for which the world has words"
NO_HANDOVER = "the map has no act that hands over"
NO_CHANGE = "nothing was changed for which a yes could be read"
ACTS_ELSEWHERE = "the export shows no such act of people, so they act outside of it"
ELSEWHERE = "people look things up outside the ticket"
STOCK_SHOWN = "what the look-ups show of stock is not known"
UNSURE_LANGUAGE = "too few words show which language the customer writes"
HIDDEN_LANGUAGE = "most words are hidden until the ticket is approved"

PRECISION = "code reads this from words with less precision than is counted"
PEOPLE_KNOW = "people know more than the ticket shows"
UNKNOWN_INSTRUCTIONS = "what the bot was told is not known; add --policy"
REPLACED = "the import replaced links and addresses, so those of the policy cannot be recognised"
LOST_RESULT = "the import replaced a part of what its calls returned"
HIDDEN_NUMBER = "a number may be among the words that are hidden until the ticket is approved"
MANY_VALUES = "the ticket has more values than are compared"
HIDDEN_QUOTE = "some of its words are hidden until the ticket is approved"
OWN_RULE = "whether a change needs a yes is for your desk to say"
PEOPLE_WRITE = "people write as they think"
PEOPLE_QUOTE = "people may be free to quote it"

CLAIMS_OF_ACTS = ("phantom_action", "false_handover", "unconfirmed")
_TOKEN = re.compile(r"word-[0-9a-f]{6}|" + re.escape(HIDDEN))
_NUMBERED = words("id ids number no nr order tracking code sku ref reference parcel ticket case invoice")
"""Words of keys whose values are no amounts."""
KEPT = 3
"""Digits up to which an import keeps every number in a result."""
_LETTER = re.compile(r"[^\W\d_]")
LONGEST_NAME = 60
"""Characters of an act's name in a reason."""


class CheckSight(NamedTuple):
    """Whether what a check finds counts, is to be checked, or cannot be seen; and why it does not count."""

    kind: Literal["counted", "to_check", "unseen"]
    why: str = ""


COUNTED = CheckSight("counted")


class ExportSight:
    """What an export shows at all, from all of its tickets."""

    def __init__(self, tickets: Iterable[SupportTicket]) -> None:
        self.acts: defaultdict[str, set[str]] = defaultdict(set)
        """By who, the acts that it shows."""
        self.returning: set[str] = set()
        """Whose acts have results in it."""
        for ticket in tickets:
            for event in ticket.events:
                if event.act:
                    self.acts[event.who].add(event.act.name)
                    self.returning |= {event.who} if event.act.result else set()


class TicketSight:
    """What the checks can see of one side of one ticket."""

    def __init__(self, talk: TicketTalk, export: ExportSight, desk: MappedDesk) -> None:
        self._talk, self._export, self._desk = talk, export, desk
        self._who = talk.side.who

    def of(self, check: str) -> CheckSight:
        """What this check can see; the first reason counts."""
        why = next(self._unseen(check), "")
        if why:
            return CheckSight("unseen", why)
        doubt = next(self._doubts(check), "")
        return CheckSight("to_check", doubt) if doubt else COUNTED

    def _unseen(self, check: str) -> Iterator[str]:
        """Why it can see nothing."""
        who = NAMES[self._who]
        if check in CLAIMS_OF_ACTS:
            yield from self._unseen_acts(check)
        if check == "false_look" and self._who == "human":
            yield ELSEWHERE
        if check == "false_look" and not self._export.acts[self._who]:
            yield f"the export has no acts of {who}"
        if check == "ungrounded_stock" and self._has_results:
            yield STOCK_SHOWN
        language = self._talk.transcript.language
        if check in _ENGLISH and language != "en":
            yield f"it does not read {language}"
        if check == "wrong_language" and self._is_mostly_hidden:
            yield HIDDEN_LANGUAGE
        if check == "wrong_language" and not self._talk.is_language_sure:
            yield UNSURE_LANGUAGE

    def _unseen_acts(self, check: str) -> Iterator[str]:
        if not self._export.acts[self._who]:
            yield f"the export has no acts of {NAMES[self._who]}"
        if self._desk.mapped is None:
            yield NO_MAP
        if check == "false_handover" and not self._desk.hands_over:
            yield NO_HANDOVER
        if not (self._desk.agreed_to if check == "unconfirmed" else self._desk.spoken):
            yield NO_WORDS
        claimed = frozenset([HAND_OVER]) if check == "false_handover" else self._desk.spoken - {HAND_OVER}
        if self._who == "human" and claimed.isdisjoint(map(self._desk.tool, self._export.acts["human"])):
            yield ACTS_ELSEWHERE
        if strange := next((act.name for act in self._acts if not self._desk.knows(act.name)), ""):
            yield f"the map does not say what {strange[:LONGEST_NAME]!r} is"
        if check == "unconfirmed" and self._desk.agreed_to.isdisjoint(self._own_acts):
            yield NO_CHANGE
        if check == "phantom_action" and (
            wordless := next((act.name for act in self._acts if self._desk.is_wordless(act.name)), "")
        ):
            yield f"the claim may be about {wordless[:LONGEST_NAME]!r}, for which the map lends no words"

    def _doubts(self, check: str) -> Iterator[str]:
        """Why what it finds does not count."""
        is_human = self._who == "human"
        if check in VALUES and is_human:
            yield PEOPLE_KNOW
        if check in VALUES:
            yield from self._doubts_of_values(check)
        if CATALOGUE[check].to_check:
            yield PRECISION
        if check == "unconfirmed":
            yield OWN_RULE
        if check == "leaked_reasoning" and is_human:
            yield PEOPLE_WRITE
        if check == "leaked_policy" and is_human:
            yield PEOPLE_QUOTE
        if check == "leaked_policy" and self._own_words_are_hidden:
            yield HIDDEN_QUOTE

    def _doubts_of_values(self, check: str) -> Iterator[str]:
        if not self._desk.policy:
            yield UNKNOWN_INSTRUCTIONS
        if check in ("ungrounded_link", "ungrounded_contact"):
            yield REPLACED
        if self._who not in self._export.returning:
            yield f"the export has no results of what {NAMES[self._who]} did"
        if self._lost_result:
            yield LOST_RESULT
        if self._hides_number:
            yield HIDDEN_NUMBER

    @cached_property
    def _acts(self) -> list[TicketAct]:
        return [event.act for event in self._talk.ticket.events if event.act]

    @cached_property
    def _own_acts(self) -> list[str]:
        turns = (turn for turn in self._talk.transcript.turns if turn.party != "note")
        return [call.tool for turn in turns for call in turn.calls]

    @cached_property
    def _has_results(self) -> bool:
        return any(act.result for act in self._acts)

    @cached_property
    def _lost_result(self) -> bool:
        """Whether the import replaced a value that may have been a source; names of things are none."""
        return any(_is_lost(held, "") for act in self._acts for held in (parsed(act.result) or act.result,))

    @cached_property
    def _hides_number(self) -> bool:
        """Whether a number may be hidden: imports hide numbers in short answers, and whole texts."""
        said = (event.text for event in self._talk.ticket.events if hides_words(event.text))
        return any(len(text.split()) <= ANSWER or not _LETTER.search(text) for text in said)

    @cached_property
    def _own_words_are_hidden(self) -> bool:
        return any(hides_words(turn.text) for turn in self._talk.transcript.turns if turn.party == "agent")

    @cached_property
    def _is_mostly_hidden(self) -> bool:
        """Whether half of the letters of one party are hidden."""
        texts = Counter[tuple[str, bool]]()
        for turn in self._talk.transcript.turns:
            hidden = turn.text.count(UNREAD)
            texts[turn.party, True] += hidden
            texts[turn.party, False] += len(turn.text) - hidden
        return any(texts[party, True] > texts[party, False] for party in ("customer", "agent"))


def hides_words(text: str) -> bool:
    """Whether words of a text are hidden, for good or until the ticket is approved."""
    return UNREAD in text or HIDDEN in text


def _is_lost(held: Any, key: str) -> bool:
    """Whether the import may have replaced an amount here; what only names something never was one."""
    if isinstance(held, dict):
        return any(_is_lost(value, str(name)) for name, value in held.items())
    if isinstance(held, list):
        return any(_is_lost(value, key) for value in held)
    if is_hidden(key) or personal(key) or key_parts(key) & _NUMBERED:
        return False
    if isinstance(held, str) and not held.isdecimal():
        return bool(_TOKEN.search(held))
    is_number = isinstance(held, int | str) and not isinstance(held, bool)
    is_kept = len(str(held).lstrip("-")) <= KEPT or is_amount(key) or is_time(key)
    return is_number and not is_kept


def not_looked(desk: MappedDesk) -> dict[str, str]:
    """The checks that are not made of tickets at all, and why."""
    found: dict[str, str] = {}
    for name, check in CATALOGUE.items():
        why = BY_LABEL if check.by_label else _NOT_HERE.get(name, "")
        if not why and missing(name, desk.vocabulary):
            why = NO_FIELDS
        if not why and name in ("leaked_policy", "invented_rule") and not desk.policy:
            why = NO_POLICY
        if why:
            found[name] = why
    return found


_NOT_HERE = {
    "blank_reply": NO_BLANKS,
    "dumped": NO_COPIES,
    "leaked_notes": NO_NOTES,
    "unconfirmed_strict": NO_PROPOSALS,
}
_ENGLISH = {*VALUES, "phantom_action", "false_handover", "false_look", "invented_rule"} - {*ANY_LANGUAGE}
