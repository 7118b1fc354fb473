"""Ticket sources: what a person or bot that answers a real ticket may rely on at one point of it.

A real desk's results have no declared fields, so every number in them, and every number that the customer
wrote, may be an amount: a value that could have a source is not one without a source.
"""

import re
from collections.abc import Iterable
from typing import Any

from supportagentbench.checks.evidence import KnownFacts, Reader, smooth
from supportagentbench.checks.grounding import amounts_in, percents_in
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Turn
from supportagentbench.shadow.mapped_desk import NO_DAY
from supportagentbench.shadow.ticket_talk import TicketTalk

MOST_VALUES = 300
"""Values of one kind that are compared, which is done in pairs."""
MOST_SHARES = 60
"""Percentages, with each of which all amounts are multiplied."""

_NUMBER = re.compile(r"(?<![\w.,])(?<!\d[-/:])\d{1,7}(?:[.,]\d{1,2})?(?![\w%]|[-/:]\d)")
"""Not a part of a date or a time."""


class TicketSources(KnownFacts):
    """Everything that one side of a ticket may rely on."""

    def __init__(self, talk: TicketTalk, run: Run) -> None:
        super().__init__(run, talk.transcript.today)
        self.are_cut = False
        """Whether there were more values than are compared, so that one may have a source all the same."""
        self._talk = talk
        self._heard = 0
        self._amounts: dict[int, None] = {}
        """In cents; a number may be in dollars or in cents."""
        self._shares: dict[int, None] = {}
        self._kept: dict[str, tuple[int, set[Any]]] = {}

    def hear(self, turn: Turn) -> None:
        """Add the next turn of the talk, with what was known beside it."""
        made = self._talk.turns[self._heard]
        self._heard += 1
        self.today = made.day or self.today
        self.texts += [smooth(text) for text in made.beside if text]
        super().hear(turn)
        results = (*made.beside, *(call.result.text for call in turn.calls))
        said = (turn.text,) if turn.party == "customer" else ()
        self._amounts |= dict.fromkeys(
            round(number * unit) for number in _numbers((*results, *said)) for unit in (1, 100)
        )
        self._shares |= dict.fromkeys(
            round(number * unit) for number in _numbers(results) for unit in (1, 100) if number <= 100
        )

    def known(self, read: Reader) -> set[Any]:
        """Every value of one kind so far, as far as they are compared."""
        size = len(self.texts) + len(self._amounts)
        if read.__name__ not in self._kept or self._kept[read.__name__][0] != size:
            most = MOST_SHARES if read is percents_in else MOST_VALUES
            plain = self._amounts if read is amounts_in else self._shares if read is percents_in else ()
            found = [*sorted(super().known(read), key=repr), *plain]
            self.are_cut |= len(found) > most
            self._kept[read.__name__] = size, set(found[:most])
        return self._kept[read.__name__][1]


def _numbers(texts: Iterable[str]) -> Iterable[float]:
    """The plain numbers in these texts."""
    return (float(found[0].replace(",", ".")) for text in texts for found in _NUMBER.finditer(text))


def has_day(talk: TicketTalk) -> bool:
    """Whether the ticket says when it was."""
    return talk.transcript.today != NO_DAY
