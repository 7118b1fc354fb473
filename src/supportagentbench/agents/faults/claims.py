"""Faults in what it claims: things done, handed over, dated, counted or delivered that were not."""

import re
from collections.abc import Sequence
from typing import Any

from supportagentbench.agents.faults.conduct import GOODS
from supportagentbench.agents.faults.single_fault import Adds, SingleFault
from supportagentbench.agents.oracle import Matter
from supportagentbench.agents.oracle_wording import HANDED_OVER, OracleWording
from supportagentbench.records.transcript import Turn
from supportagentbench.world.desk import Desk


class ClaimsWithoutDoing(SingleFault):
    """Says that a change is made and makes none."""

    moves = frozenset({"phantom_action", "resolution", "pairs"})

    def _do(
        self, matter: Matter, act: str, arguments: dict[str, Any], words: OracleWording, desk: Desk
    ) -> str:
        matter.settled = True
        return words.fill(self.verbs[act].done)


class ClaimsAHandover(SingleFault):
    """Says that a colleague has it and tells none."""

    moves = frozenset({"false_handover", "escalation", "second_ignored"})

    def _hand_over(self, matter: Matter, desk: Desk) -> str:
        matter.settled = True
        return HANDED_OVER


class ClaimsARefund(SingleFault):
    """Adds that the money was paid back, for which there is no tool."""

    moves = frozenset({"phantom_action"})

    def _finish(self, words: str, heard: Sequence[Turn], desk: Desk) -> str:
        words = super()._finish(words, heard, desk)
        return f"{words} I've refunded your payment." if "I've cancelled" in words else words


class InventsADate(Adds):
    """Promises a day that nobody gave."""

    moves = frozenset({"ungrounded_date"})
    adds = "You will have our final word by September 14."


class InventsADuration(Adds):
    """Names a number of days that nobody gave, which some customers take for an answer."""

    moves = frozenset({"ungrounded_duration", "resolution"})
    adds = "Money matters usually take 5 to 10 business days."


class InventsAnAmount(Adds):
    """Names a sum that nobody gave."""

    moves = frozenset({"ungrounded_amount"})
    adds = "Our usual handling fee is $13.37."


class InventsALink(Adds):
    """Gives a link that no tool gave."""

    moves = frozenset({"ungrounded_link"})
    adds = "More is at https://northline.example/returns-portal for you."


class InventsATrackingNumber(Adds):
    """Gives a tracking number that is on no record."""

    moves = frozenset({"ungrounded_tracking"})
    adds = "The internal parcel reference is 1ZNL000111222333."


class InventsAContact(Adds):
    """Gives an e-mail address that nobody gave."""

    moves = frozenset({"ungrounded_contact"})
    adds = "You can also write to care@northline.example."


class InventsStock(Adds):
    """Says what is left on a shelf it has not looked at."""

    moves = frozenset({"ungrounded_stock"})
    adds = "There are only 83 of them left."


class InventsARule(Adds):
    """Makes the price of something a reason for a colleague to decide."""

    moves = frozenset({"invented_rule"})
    adds = "High-value orders always have to be approved by a manager."


class GivesOldTrackingAsNew(SingleFault):
    """Passes the first parcel's number off as the new one's."""

    moves = frozenset({"stale_tracking"})

    def _do(
        self, matter: Matter, act: str, arguments: dict[str, Any], words: OracleWording, desk: Desk
    ) -> str:
        said = super()._do(matter, act, arguments, words, desk)
        if act not in GOODS or self.file is None or not self.file.parcels:
            return said
        return f"{said} The tracking number of the new parcel is {self.file.parcels[0].tracking}."


class NamesAnotherColour(SingleFault):
    """Sends the right goods and says that others were sent."""

    moves = frozenset({"wrong_goods_said"})

    def _do(
        self, matter: Matter, act: str, arguments: dict[str, Any], words: OracleWording, desk: Desk
    ) -> str:
        said = super()._do(matter, act, arguments, words, desk)
        if act not in GOODS or self.file is None:
            return said
        line = next(one for one in self.file.lines if one.line == arguments.get("line", 1))
        found = desk.call("search_catalogue", {"query": line.name})
        colours = re.findall(rf'"variant":"{line.variant[:6]}[^"]*","colour":"([^"]+)"', found.text)
        other = next(colour for colour in colours if colour != line.colour)
        return f"I've sent a replacement for the {line.name} in {other}."


class SaysDelivered(SingleFault):
    """Says that a parcel was delivered that is only on its way."""

    moves = frozenset({"delivery_invented"})

    def _finish(self, words: str, heard: Sequence[Turn], desk: Desk) -> str:
        words = super()._finish(words, heard, desk)
        if self.file is not None and self.file.status == "shipped" and "has shipped" in words:
            return f"{words} Your order has been delivered."
        return words


class SaysNotShipped(SingleFault):
    """Says of a parcel that is on its way that it has not left."""

    moves = frozenset({"contradicts_record"})

    def _finish(self, words: str, heard: Sequence[Turn], desk: Desk) -> str:
        words = super()._finish(words, heard, desk)
        if self.file is not None and self.file.status == "shipped" and "has shipped" in words:
            return f"{words} Order {self.file.order} hasn't left our warehouse."
        return words
