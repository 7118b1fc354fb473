"""Oracle: a colleague who reads the policy and the record, asks before acting, and says what is so.

It knows nothing of cases or labels: it looks things up like any agent and puts what it saw before the
policy engine.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from supportagentbench.agents.listening import (
    address_in,
    disclosed_in,
    email_in,
    order_number_in,
    request_in,
    says_yes,
)
from supportagentbench.transcript import Turn
from supportagentbench.world.desk import Desk
from supportagentbench.world.fact import Situation
from supportagentbench.world.lookup import Found, OrderFile
from supportagentbench.world.policy import Rulings
from supportagentbench.world.store import Line, Parcel

ASK = {
    "photo": "Could you send me a photo that shows it, please?",
    "item": "Which item is it about, please?",
    "address": "What is the full new address, please: name, street, city, region, postcode and country?",
}

DOING = {
    "cancel_order": "cancel order {order}",
    "edit_address": "change the delivery address of order {order} to {address}",
    "edit_line": "change line {line} of order {order} ({item}) to {wanted}",
    "reship": "send {item} from order {order} again, free of charge",
    "replace_item": "send you a replacement for {item} from order {order}, {wanted}, free of charge",
}

DONE = {
    "cancel_order": "I've cancelled order {order}.",
    "edit_address": "I've updated the delivery address of order {order} to {address}.",
    "edit_line": "I've changed line {line} of order {order} to {wanted}.",
    "reship": "I've reshipped {item} from order {order}; the tracking e-mail follows when it leaves.",
    "replace_item": "I've set up the replacement for {item}; the tracking e-mail follows when it leaves.",
}


class Matter:
    """One thing the customer wants, and how far it has got."""

    def __init__(self, request: str) -> None:
        self.request = request
        self.proposed = ""
        self.settled = False


class Oracle:
    """Solves what can be solved, refuses what must be refused, hands over what a person must decide."""

    def __init__(self, seed: int) -> None:
        self.file: OrderFile | None = None
        self.parcels: tuple[Parcel, ...] = ()
        self.matters: list[Matter] = []
        self.disclosed: dict[str, str] = {}

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        heard = [turn for turn in turns if turn.party == "customer"]
        self._listen(heard[-1])
        if not self._look_up([turn.text for turn in heard], desk):
            return "I'm happy to help. Could you tell me your order number, please?"
        if not self.matters:
            return "Thank you for writing. What would you like us to do for you?"
        said = [self._advance(matter, heard, desk) for matter in self.matters if not matter.settled]
        return " ".join(dict.fromkeys(said)) or "You're welcome. Have a good trip!"

    def _listen(self, turn: Turn) -> None:
        self.disclosed |= disclosed_in(turn.text)
        if any(file.kind == "photo" for file in turn.attachments):
            self.disclosed["proof"] = "shown"
        request = request_in(turn.text)
        open_matters = [matter for matter in self.matters if not matter.settled]
        if request and not open_matters and request not in {one.request for one in self.matters}:
            self.matters.append(Matter(request))

    def _look_up(self, texts: list[str], desk: Desk) -> bool:
        order, email = order_number_in(texts), email_in(texts)
        if not order and not email:
            return self.file is not None
        asked = {"order": order} if order else {"email": email}
        found = desk.call("find_order", asked)
        if not found.ok:
            return False
        self.file = msgspec.json.decode(found.text, type=OrderFile)
        tracked = [desk.call("track_parcel", {"tracking": one.tracking}) for one in self.file.parcels]
        self.parcels = tuple(msgspec.json.decode(one.text, type=Parcel) for one in tracked if one.ok)
        return True

    def _advance(self, matter: Matter, heard: Sequence[Turn], desk: Desk) -> str:
        """Take one matter a step further, and say so."""
        arguments = self._arguments(matter, [turn.text for turn in heard], desk)
        rulings = self._rulings(matter, arguments, desk)
        if rulings.acts["hand_over"].verdict == "required":
            matter.settled = True
            desk.call("hand_over", {"reason": f"{matter.request}: a colleague has to decide."})
            return "A colleague has to decide this, so I've passed it on to them; they will write to you."
        acts = [act for act in rulings.required() if act in DOING]
        if matter.request == "address" and "street" not in arguments and "C2" not in _ids(rulings):
            return ASK["address"]
        if not acts:
            return self._explain(rulings)
        act = acts[0]
        if matter.proposed == act and says_yes(heard[-1].text):
            return self._do(matter, act, arguments, desk)
        matter.proposed = act
        return f"I can {self._filled(DOING[act], arguments)}. Shall I go ahead?"

    def _rulings(self, matter: Matter, arguments: dict[str, Any], desk: Desk) -> Rulings:
        assert self.file is not None
        return desk.policy.rule_on(
            Situation(
                today=desk.today,
                file=self.file,
                parcels=self.parcels,
                request=matter.request,
                arguments=arguments,
                disclosed=self.disclosed,
            )
        )

    def _do(self, matter: Matter, act: str, arguments: dict[str, Any], desk: Desk) -> str:
        assert self.file is not None
        given = {"order": self.file.order, "reason": "other", **arguments}
        wanted = {name: given[name] for name in desk.tools[act].schema["properties"] if name in given}
        result = desk.call(act, wanted)
        if not result.ok:
            return f"I'm sorry, that did not work: {result.text}"
        matter.settled = True
        return self._filled(DONE[act], arguments)

    def _explain(self, rulings: Rulings) -> str:
        """What the rules have to say to the customer, with the record's own numbers."""
        told = [rule.say for rule in rulings.applying if rule.say]
        asked = [ASK[topic] for topic in rulings.asks() if topic in ASK]
        return self._filled(" ".join([*told, *asked]), {}) or "I'm sorry, I can't do that."

    def _arguments(self, matter: Matter, texts: list[str], desk: Desk) -> dict[str, Any]:
        """What the customer's words name: a line, another variant, an address."""
        arguments: dict[str, Any] = {}
        if matter.request == "address":
            for text in texts:
                arguments |= address_in(text) or {}
            return arguments
        line = self._line(texts)
        if line is None:
            return arguments
        arguments["line"] = line.line
        if matter.request in ("line_edit", "exchange"):
            arguments |= self._wanted(line, texts, desk)
        return arguments

    def _line(self, texts: list[str]) -> Line | None:
        assert self.file is not None
        said = " ".join(texts).casefold()
        named = [line for line in self.file.lines if line.name.casefold() in said]
        if named:
            return named[-1]
        return self.file.lines[0] if len(self.file.lines) == 1 else None

    def _wanted(self, line: Line, texts: list[str], desk: Desk) -> dict[str, Any]:
        """The variant of this product that the words describe."""
        found = desk.call("search_catalogue", {"query": line.name})
        pages = msgspec.json.decode(found.text, type=tuple[Found, ...]) if found.ok else ()
        shelves = [one for page in pages if page.product == line.name for one in page.variants]
        said = " ".join(texts).casefold()
        for shelf in shelves:
            fits_colour = shelf.colour.casefold() in said and shelf.colour != line.colour
            fits_size = f" {shelf.size.casefold()}" in said and shelf.size != line.size
            if (fits_colour and shelf.size == line.size) or (fits_size and shelf.colour == line.colour):
                return {"variant": shelf.variant}
        return {}

    def _filled(self, text: str, arguments: dict[str, Any]) -> str:
        assert self.file is not None
        parcel = self.file.parcels[0] if self.file.parcels else None
        numbers = {line.line: line for line in self.file.lines}
        line = numbers.get(arguments.get("line", 1), self.file.lines[0])
        words = {
            "order": self.file.order,
            "item": f"the {line.name}",
            "line": str(line.line),
            "wanted": str(arguments.get("variant", f"in {line.colour}")),
            "address": ", ".join(str(arguments[name]) for name in _ADDRESS if name in arguments),
            "tracking": parcel.tracking if parcel else "",
            "link": parcel.link if parcel else "",
        }
        for name, value in words.items():
            text = text.replace(f"{{{name}}}", value)
        return text


_ADDRESS = ("recipient", "street", "city", "region", "postcode", "country")


def _ids(rulings: Rulings) -> set[str]:
    return {rule.id for rule in rulings.applying}
