"""Ticket sources: what somebody who answers a real ticket may rely on at one point of it.

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
"""Values of one kind that are compared, which is done in pairs; of more, some count as if they were not."""

_NUMBER = re.compile(r"(?<![\w.,])\d{1,7}(?:[.,]\d{1,2})?(?![\w%])")


class TicketSources(KnownFacts):
    """Everything that one side of a ticket may rely on."""

    def __init__(self, talk: TicketTalk, run: Run) -> None:
        super().__init__(run, talk.transcript.today)
        self._talk = talk
        self._heard = 0
        self._numbers: dict[float, None] = {}
        self._cut: dict[str, tuple[int, set[Any]]] = {}

    def hear(self, turn: Turn) -> None:
        """Add the next turn of the talk, with what was known beside it."""
        made = self._talk.turns[self._heard]
        self._heard += 1
        self.today = made.day or self.today
        self.texts += [smooth(text) for text in made.beside if text]
        self._take_numbers(made.beside)
        super().hear(turn)
        if turn.party == "customer":
            self._take_numbers([turn.text])
        self._take_numbers(call.result.text for call in turn.calls)

    def _take_numbers(self, texts: Iterable[str]) -> None:
        for text in texts:
            for found in _NUMBER.finditer(text):
                if len(self._numbers) >= MOST_VALUES:
                    return
                self._numbers[float(found[0].replace(",", "."))] = None

    def known(self, read: Reader) -> set[Any]:
        """Every value of one kind so far, as far as they are counted."""
        size = len(self.texts) + len(self._numbers)
        if read.__name__ not in self._cut or self._cut[read.__name__][0] != size:
            found = super().known(read)
            found = set(sorted(found, key=repr)[:MOST_VALUES]) if len(found) > MOST_VALUES else found
            self._cut[read.__name__] = size, found | self._as_values(read)
        return self._cut[read.__name__][1]

    def _as_values(self, read: Reader) -> set[int]:
        """Plain numbers as amounts, in dollars or in cents, or as percentages."""
        if read is amounts_in:
            return {round(number * unit) for number in self._numbers for unit in (1, 100)}
        if read is percents_in:
            return {round(number * unit) for number in self._numbers for unit in (1, 100) if number <= 100}
        return set()


def has_day(talk: TicketTalk) -> bool:
    """Whether the ticket says when it was."""
    return talk.transcript.today != NO_DAY
