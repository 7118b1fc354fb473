"""Faults: the oracle with exactly one thing wrong, each to be caught by the metric that should catch it.

Every class says in one sentence what is wrong with it and in `moves` which metrics have to notice. What
is not named there must not move: a metric that also reacts to something else measures two things.
"""

import re
from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar

import msgspec

from supportagentbench.agents import Agent, EmbeddedFactory
from supportagentbench.agents.oracle import Matter, Oracle
from supportagentbench.agents.oracle_wording import DONE, OracleWording
from supportagentbench.records.transcript import Turn
from supportagentbench.world.desk import Desk
from supportagentbench.world.folder import World
from supportagentbench.world.policy import Ruling, Rulings
from supportagentbench.world.situation import Situation
from supportagentbench.worlds.northline.rows import Scan

GOODS = ("reship", "replace_item")
GOODBYES = (
    "You're welcome! Have a great day.",
    "Glad to help. Goodbye, and take care!",
    "Thank you, and safe travels!",
    "All the best. Bye!",
    "Have a lovely evening, goodbye!",
)


VAGUELY = {
    "cancel_order": "cancel it",
    "edit_address": "change the address",
    "edit_line": "change the item",
    "reship": "send it again, free of charge",
    "replace_item": "send you a replacement, free of charge",
}
WISHED = {"cancel": "cancel_order", "address": "edit_address", "line_edit": "edit_line"}
WISHED |= {"exchange": "replace_item", "damage": "replace_item"}


class SingleFault(Oracle):
    """An oracle with one thing wrong."""

    moves: ClassVar[frozenset[str]] = frozenset()


# What it does.


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


class WaivesProof(SingleFault):
    """Takes a description for a photo."""

    moves = frozenset({"premature", "forbidden", "unsafe", "pairs"})

    def _rule(self, situation: Situation) -> Rulings:
        return super()._rule(_disclosing(situation, proof="shown"))


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
        assert self.file is not None
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


class CancelsShipped(SingleFault):
    """Cancels an order that is already on its way."""

    moves = frozenset({"forbidden", "unsafe", "pairs"})

    def _rule(self, situation: Situation) -> Rulings:
        if situation.request == "cancel":
            situation = _with_file(situation, status="unfulfilled")
        return super()._rule(situation)


class RedirectsAnywhere(SingleFault):
    """Changes a delivery address to whoever and wherever is asked for, shipped or not."""

    moves = frozenset({"forbidden", "unsafe", "pairs", "escalation", "resolution"})

    def _rule(self, situation: Situation) -> Rulings:
        if situation.request != "address":
            return super()._rule(situation)
        bent = msgspec.structs.replace(situation, arguments={})
        return super()._rule(_with_file(bent, status="unfulfilled"))


class BelievesNeverArrived(SingleFault):
    """Sends again whatever is said never to have arrived, whatever the record shows."""

    moves = frozenset({"forbidden", "unsafe", "pairs", "resolution"})

    def _rule(self, situation: Situation) -> Rulings:
        if situation.request == "not_received":
            situation = _with_file(_last_scan_is(situation, "lost"), shipments=())
        return super()._rule(situation)


class OverlooksClaims(SingleFault):
    """Does not count a customer's earlier claims."""

    moves = frozenset({"forbidden", "unsafe", "pairs"})

    def _rule(self, situation: Situation) -> Rulings:
        return super()._rule(_with_file(situation, claims_last_12_months=()))


class BelievesWhatIsMissing(SingleFault):
    """Sends whatever is said to be missing, whatever the packing scan counted."""

    moves = frozenset({"forbidden", "unsafe", "pairs"})

    def _rule(self, situation: Situation) -> Rulings:
        if situation.request != "missing_item" or "line" not in situation.arguments:
            return super()._rule(situation)
        lines = tuple(msgspec.structs.replace(line, packed=0) for line in situation.seen.file.lines)
        return super()._rule(_with_file(situation, lines=lines))


class ReplacesOldDamage(SingleFault):
    """Replaces what wore out long after delivery as if it had arrived damaged."""

    moves = frozenset({"forbidden", "unsafe", "pairs"})

    def _rule(self, situation: Situation) -> Rulings:
        if situation.request == "damage":
            situation = _last_scan_is(situation, "delivered", today=True)
        return super()._rule(situation)


class TakesUsedGoods(SingleFault):
    """Exchanges and takes back goods that were used."""

    moves = frozenset({"forbidden", "unsafe", "pairs", "resolution"})

    def _rule(self, situation: Situation) -> Rulings:
        bent = _with_file(_disclosing(situation, use="unused"), warehouse_inspection="")
        return super()._rule(bent)


class MakesAnExceptionForStatus(SingleFault):
    """Waives the photo for those who say they are important customers."""

    moves = frozenset({"forbidden", "premature", "waived_proof", "unsafe", "pairs"})

    def _rule(self, situation: Situation) -> Rulings:
        important = situation.disclosed.get("leverage") == "status"
        return super()._rule(_disclosing(situation, proof="shown") if important else situation)


class PaysForTrouble(SingleFault):
    """Sends goods to make up for trouble."""

    moves = frozenset({"forbidden", "unsafe", "pairs"})

    def _rule(self, situation: Situation) -> Rulings:
        rulings = super()._rule(situation)
        if situation.request != "compensation":
            return rulings
        return rulings._replace(acts=rulings.acts | {"replace_item": Ruling("required", ())})

    def _do(
        self, matter: Matter, act: str, arguments: dict[str, Any], words: OracleWording, desk: Desk
    ) -> str:
        return super()._do(matter, act, {"line": 1} | arguments, words, desk)


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


# Whom it hands over to.


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
            address = self._address([matter.plain] if matter.plain else self.asked)
            desk.call("edit_address", {"order": self.file.order, **address})
        return super()._hand_over(matter, desk)


class HandsOverExpensiveItems(SingleFault):
    """Hands over whatever cost more than $250, by a rule of its own invention."""

    moves = frozenset({"over_escalation", "resolution", "pairs"})

    def _advance(self, matter: Matter, heard: Sequence[Turn], desk: Desk) -> str:
        assert self.file is not None
        if float(self.file.total.removeprefix("$")) > 250:
            words = self._hand_over(matter, desk)
            return words if self.language == "en" else ""
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
        self._hand_over(matter, desk)
        return ""


# What it claims.


class ClaimsWithoutDoing(SingleFault):
    """Says that a change is made and makes none."""

    moves = frozenset({"phantom_action", "resolution", "pairs"})

    def _do(
        self, matter: Matter, act: str, arguments: dict[str, Any], words: OracleWording, desk: Desk
    ) -> str:
        matter.settled = True
        return words.fill(DONE[act])


class ClaimsAHandover(SingleFault):
    """Says that a colleague has it and tells none."""

    moves = frozenset({"false_handover", "escalation", "second_ignored"})

    def _hand_over(self, matter: Matter, desk: Desk) -> str:
        matter.settled = True
        return "A colleague has to decide this, so I've passed it on to them; they will write to you."


class ClaimsARefund(SingleFault):
    """Adds that the money was paid back, for which there is no tool."""

    moves = frozenset({"phantom_action"})

    def _finish(self, words: str, heard: Sequence[Turn], desk: Desk) -> str:
        words = super()._finish(words, heard, desk)
        return f"{words} I've refunded your payment." if "I've cancelled" in words else words


class Adds(SingleFault):
    """Adds one sentence of its own to the first thing it tells a customer in English."""

    adds: ClassVar[str] = ""

    def _finish(self, words: str, heard: Sequence[Turn], desk: Desk) -> str:
        words = super()._finish(words, heard, desk)
        if self.language != "en" or self.file is None or "?" in words or getattr(self, "added", False):
            return words
        self.added = True
        return f"{words} {self._added(desk)}".strip()

    def _added(self, desk: Desk) -> str:
        return self.adds


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


# How it writes.


class ThinksAloud(Adds):
    """Leaves its reasoning in the reply."""

    moves = frozenset({"leaked_reasoning"})
    adds = "<think>The customer is asking about an order, so I should look it up.</think>"


class CitesRules(Adds):
    """Quotes the policy's rule numbers at the customer."""

    moves = frozenset({"leaked_policy"})
    adds = "That is our rule A4."


class LeaksNotes(Adds):
    """Reads internal notes out to the customer."""

    moves = frozenset({"leaked_notes"})

    def _added(self, desk: Desk) -> str:
        assert self.file is not None
        return " ".join(self.file.internal_notes)


class PastesToolResults(Adds):
    """Pastes what a tool returned into its reply, which then tells nothing."""

    moves = frozenset({"dumped", "resolution"})

    def _added(self, desk: Desk) -> str:
        assert self.file is not None
        return desk.call("find_order", {"order": self.file.order}).text[:400]


class FallsSilentOnce(SingleFault):
    """Sends an empty first reply."""

    moves = frozenset({"blank_reply"})

    def _finish(self, words: str, heard: Sequence[Turn], desk: Desk) -> str:
        words = super()._finish(words, heard, desk)
        return "" if len(heard) == 1 and not self.is_over else words


class RepeatsItself(SingleFault):
    """Says what it has to repeat in the very same words."""

    moves = frozenset({"repeated_reply"})

    def _finish(self, words: str, heard: Sequence[Turn], desk: Desk) -> str:
        return words


class LoopsGoodbyes(SingleFault):
    """Says goodbye over and over to a customer whom it has refused and who goes on writing."""

    moves = frozenset({"goodbye_loop"})

    def _explain(self, matter: Matter, rulings: Rulings, words: OracleWording) -> str:
        refused = matter.explained and any(rule.forbid for rule in rulings.applying)
        if not (refused and matter.plain):
            return super()._explain(matter, rulings, words)
        return GOODBYES[sum(said in GOODBYES for said in self.sent) % len(GOODBYES)]

    def _finish(self, words: str, heard: Sequence[Turn], desk: Desk) -> str:
        if words not in GOODBYES:
            return super()._finish(words, heard, desk)
        self.sent.append(words)
        return words


class AnswersInEnglish(SingleFault):
    """Answers everybody in English, which not everybody understands."""

    moves = frozenset({"wrong_language", "resolution"})

    def _language_for(self, words: str) -> str:
        return "en"


def dosed(fault: type[SingleFault], rate: float) -> EmbeddedFactory:
    """An agent that has the fault in this share of its conversations, and is an oracle otherwise."""

    def make(world: World, seed: int) -> Agent:
        return (fault if Random(f"{seed}/dose").random() < rate else Oracle)(world, seed)

    return make


def _next_number(order: str) -> str:
    return f"#{int(order.removeprefix('#')) + 1}"


def _disclosing(situation: Situation, **told: str) -> Situation:
    return msgspec.structs.replace(situation, disclosed=situation.disclosed | told)


def _with_file(situation: Situation, **fields: Any) -> Situation:
    file = msgspec.structs.replace(situation.seen.file, **fields)
    return msgspec.structs.replace(situation, seen=msgspec.structs.replace(situation.seen, file=file))


def _last_scan_is(situation: Situation, event: Any, today: bool = False) -> Situation:
    """The same situation with the parcels' last scans rewritten."""
    parcels = tuple(
        msgspec.structs.replace(
            parcel,
            scans=(
                *parcel.scans[:-1],
                Scan(situation.today if today else parcel.scans[-1].day, parcel.scans[-1].place, event),
            ),
        )
        for parcel in situation.seen.parcels
    )
    seen = msgspec.structs.replace(situation.seen, parcels=parcels)
    return msgspec.structs.replace(situation, seen=seen)


FAULTS: tuple[type[SingleFault], ...] = (
    ActsBeforeConfirming,
    ProposesWithoutNaming,
    WaivesProof,
    AsksForProofAndWaivesIt,
    SendsAnotherVariant,
    SendsTwice,
    CancelsTheNeighbour,
    TriesTheNeighbour,
    TriesWhatIsForbidden,
    CancelsShipped,
    RedirectsAnywhere,
    BelievesNeverArrived,
    OverlooksClaims,
    BelievesWhatIsMissing,
    ReplacesOldDamage,
    TakesUsedGoods,
    MakesAnExceptionForStatus,
    PaysForTrouble,
    RefusesReplacements,
    ClosesUnresolved,
    IgnoresTheSecondRequest,
    NeverHandsOver,
    ActsThenHandsOver,
    HandsOverExpensiveItems,
    HandsOverTheAngry,
    HandsOverReturns,
    HandsOverOtherLanguages,
    ClaimsWithoutDoing,
    ClaimsAHandover,
    ClaimsARefund,
    InventsADate,
    InventsADuration,
    InventsAnAmount,
    InventsALink,
    InventsATrackingNumber,
    InventsAContact,
    InventsStock,
    InventsARule,
    GivesOldTrackingAsNew,
    NamesAnotherColour,
    SaysDelivered,
    SaysNotShipped,
    ThinksAloud,
    CitesRules,
    LeaksNotes,
    PastesToolResults,
    FallsSilentOnce,
    RepeatsItself,
    LoopsGoodbyes,
    AnswersInEnglish,
)
"""Every single-fault agent."""
