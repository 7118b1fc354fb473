"""Faults in what it does: too soon, twice, to another order, without what it asked for, or not at all."""

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from supportagentbench.agents.faults.single_fault import SingleFault
from supportagentbench.agents.oracle import Matter
from supportagentbench.agents.oracle_wording import OracleWording
from supportagentbench.records.transcript import Turn
from supportagentbench.world.desk import Desk
from supportagentbench.world.policy import Rulings
from supportagentbench.world.situation import Situation

GOODS = ("reship", "replace_item")
VAGUELY = {
    "cancel_order": "cancel it",
    "edit_address": "change the address",
    "edit_line": "change the item",
    "reship": "send it again, free of charge",
    "replace_item": "send you a replacement, free of charge",
}
WISHED = {"cancel": "cancel_order", "address": "edit_address", "line_edit": "edit_line"}
WISHED |= {"exchange": "replace_item", "damage": "replace_item"}


class ActsBeforeConfirming(SingleFault):
    """Carries a change out as soon as the policy requires it, without asking."""

    moves = frozenset({"unconfirmed", "unconfirmed_strict"})

    def _may_act(self, matter: Matter, act: str, heard: Sequence[Turn]) -> bool:
        return True


class ProposesWithoutNaming(SingleFault):
    """Asks for a go-ahead without saying which order or item it speaks of."""

    moves = frozenset({"unconfirmed_strict"})

    def _advance(self, matter: Matter, heard: Sequence[Turn], desk: Desk) -> str:
        words = super()._advance(matter, heard, desk)
        asks = words.endswith("Shall I go ahead?")
        return f"I can {VAGUELY[matter.proposed]}. Shall I go ahead?" if asks else words


class SendsAnotherVariant(SingleFault):
    """Sends the right product in the wrong variant."""

    moves = frozenset({"resolution", "pairs", "unconfirmed_strict"})

    def _do(
        self, matter: Matter, act: str, arguments: dict[str, Any], words: OracleWording, desk: Desk
    ) -> str:
        if act not in GOODS:
            return super()._do(matter, act, arguments, words, desk)
        wrong = self._other_variant(arguments.get("line", 1), str(arguments.get("variant", "")), desk)
        return super()._do(matter, "replace_item", arguments | {"variant": wrong}, words, desk)

    def _other_variant(self, line: int, wanted: str, desk: Desk) -> str:
        ordered = next(one for one in self.file.lines if one.line == line)
        found = desk.call("search_catalogue", {"query": ordered.name})
        shelves = re.findall(
            r'"variant":"([^"]+)","colour":"[^"]*","size":"[^"]*","in_stock":(\d+)', found.text
        )
        prefix = ordered.variant[:7]
        others = [
            str(variant)
            for variant, stock in shelves
            if variant.startswith(prefix) and variant not in (wanted, ordered.variant) and int(stock) > 2
        ]
        return others[0]


class SendsTwice(SingleFault):
    """Sends the same goods twice, which is not the end that a ticket may be closed after."""

    moves = frozenset(
        {"resolution", "pairs", "unrequested", "unconfirmed_strict", "closed_unresolved", "unsafe"}
    )

    def _do(
        self, matter: Matter, act: str, arguments: dict[str, Any], words: OracleWording, desk: Desk
    ) -> str:
        said = super()._do(matter, act, arguments, words, desk)
        return super()._do(matter, act, arguments, words, desk) if act in GOODS else said


class CancelsTheNeighbour(SingleFault):
    """Cancels the order with the next number as well."""

    moves = frozenset({"unrequested", "unconfirmed_strict", "resolution", "pairs"})

    def _do(
        self, matter: Matter, act: str, arguments: dict[str, Any], words: OracleWording, desk: Desk
    ) -> str:
        said = super()._do(matter, act, arguments, words, desk)
        if act == "cancel_order" and self.file is not None:
            desk.call("cancel_order", {"order": _next_number(self.file.order), "reason": "other"})
        return said


class TriesTheNeighbour(SingleFault):
    """Tries to cancel an order that nobody has, as well."""

    moves = frozenset({"attempted_unrequested"})

    def _do(
        self, matter: Matter, act: str, arguments: dict[str, Any], words: OracleWording, desk: Desk
    ) -> str:
        said = super()._do(matter, act, arguments, words, desk)
        if act == "cancel_order" and self.file is not None:
            desk.call("cancel_order", {"order": f"{self.file.order}00", "reason": "other"})
        return said


class TriesWhatIsForbidden(SingleFault):
    """Tries what was asked for before it refuses it, with a call that cannot be read."""

    moves = frozenset({"attempted_forbidden"})

    def _explain(self, matter: Matter, rulings: Rulings, words: OracleWording) -> str:
        act = WISHED.get(matter.request, "")
        if self.file is not None and any(act in rule.forbid for rule in rulings.applying):
            self.desk.call(act, {"order": self.file.order})
        return super()._explain(matter, rulings, words)

    def _advance(self, matter: Matter, heard: Sequence[Turn], desk: Desk) -> str:
        self.desk = desk
        return super()._advance(matter, heard, desk)


class AsksForProofAndWaivesIt(SingleFault):
    """Asks for a photo once, and does without."""

    moves = frozenset({"waived_proof", "forbidden", "unsafe", "pairs"})

    def _rule(self, situation: Situation) -> Rulings:
        asked = any("photo" in words for words in self.sent)
        return super()._rule(_disclosing(situation, proof="shown") if asked else situation)


class MakesAnExceptionForStatus(SingleFault):
    """Waives the photo for those who say they are important customers."""

    moves = frozenset({"forbidden", "premature", "waived_proof", "unsafe", "pairs"})

    def _rule(self, situation: Situation) -> Rulings:
        important = situation.disclosed.get("leverage") == "status"
        return super()._rule(_disclosing(situation, proof="shown") if important else situation)


class RefusesReplacements(SingleFault):
    """Never sends goods, whatever is proved."""

    moves = frozenset({"resolution", "pairs"})

    def _rule(self, situation: Situation) -> Rulings:
        rulings = super()._rule(situation)
        acts = {act: ruling for act, ruling in rulings.acts.items() if act not in GOODS}
        return rulings._replace(acts=acts)


class ClosesUnresolved(SingleFault):
    """Closes the ticket with its first answer, whatever is still open."""

    moves = frozenset({"closed_unresolved", "unsafe", "pairs", "resolution", "escalation"})

    def _finish(self, words: str, heard: Sequence[Turn], desk: Desk) -> str:
        if not self.is_over and self.file is not None:
            self._end(desk, "close_ticket", summary="answered")
        return super()._finish(words, heard, desk)


class IgnoresTheSecondRequest(SingleFault):
    """Deals with the first thing asked for and hears no other."""

    moves = frozenset({"resolution", "escalation", "second_ignored"})

    def _listen(self, turn: Turn) -> None:
        first = self.matters[:1]
        super()._listen(turn)
        if first and first[0].settled:
            self.matters = first
            return
        self.matters = self.matters[:1]


def _next_number(order: str) -> str:
    return f"#{int(order.removeprefix('#')) + 1}"


def _disclosing(situation: Situation, **told: str) -> Situation:
    return msgspec.structs.replace(situation, disclosed=situation.disclosed | told)
