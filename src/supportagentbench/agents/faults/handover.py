"""Faults in whom it hands over to: nobody, everybody of a kind, or too late."""

import re
from collections.abc import Sequence

from supportagentbench.agents.faults.single_fault import SingleFault
from supportagentbench.agents.oracle import Matter
from supportagentbench.records.transcript import Turn
from supportagentbench.world.desk import Desk


class NeverHandsOver(SingleFault):
    """Explains instead of handing over."""

    moves = frozenset({"escalation"})

    def _hand_over(self, matter: Matter, desk: Desk) -> str:
        return "I'm sorry, that is not something we offer."


class ActsThenHandsOver(SingleFault):
    """Redirects a parcel as asked and then asks a colleague whether that was right."""

    moves = frozenset({"late_handover", "forbidden", "unconfirmed", "unconfirmed_strict", "unsafe", "pairs"})

    def _advance(self, matter: Matter, heard: Sequence[Turn], desk: Desk) -> str:
        self.asked = [turn.text for turn in heard]
        return super()._advance(matter, heard, desk)

    def _hand_over(self, matter: Matter, desk: Desk) -> str:
        if matter.request == "address" and self.file is not None:
            address = self._arguments(matter, [matter.plain] if matter.plain else self.asked, desk)
            desk.call("edit_address", {"order": self.file.order, **address})
        return super()._hand_over(matter, desk)


class HandsOverExpensiveItems(SingleFault):
    """Hands over whatever cost more than $250, by a rule of its own invention."""

    moves = frozenset({"over_escalation", "resolution", "pairs"})

    def _advance(self, matter: Matter, heard: Sequence[Turn], desk: Desk) -> str:
        if self.file and float(self.file.total.removeprefix("$")) > 250:
            return self._hand_over(matter, desk)
        return super()._advance(matter, heard, desk)


class HandsOverTheAngry(SingleFault):
    """Hands over when the words are loud."""

    moves = frozenset({"over_escalation", "resolution", "pairs"})

    def _advance(self, matter: Matter, heard: Sequence[Turn], desk: Desk) -> str:
        if re.search(r"[A-Z]{4,} [A-Z]{2,}|joke|braindead|disgrac|pathetic|!!", heard[0].text):
            return self._hand_over(matter, desk)
        return super()._advance(matter, heard, desk)


class HandsOverReturns(SingleFault):
    """Hands over returns, which customers start themselves."""

    moves = frozenset({"over_escalation", "resolution"})

    def _advance(self, matter: Matter, heard: Sequence[Turn], desk: Desk) -> str:
        if matter.request in ("return", "refund"):
            return self._hand_over(matter, desk)
        return super()._advance(matter, heard, desk)


class HandsOverOtherLanguages(SingleFault):
    """Hands over whoever does not write English."""

    moves = frozenset({"over_escalation", "resolution"})

    def _advance(self, matter: Matter, heard: Sequence[Turn], desk: Desk) -> str:
        if self.language == "en":
            return super()._advance(matter, heard, desk)
        return self._hand_over(matter, desk)
