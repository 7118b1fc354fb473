"""Oracle: a colleague who reads the policy and the record, asks before acting, and says what is so.

It knows nothing of cases or labels: it looks things up like any agent, hears the customer by rule, and
puts what it saw before the policy engine.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from supportagentbench.agents.oracle_wording import (
    AGAIN,
    ASK,
    ASKS_AGAIN,
    DOING,
    DONE,
    HANDED_OVER,
    OracleWording,
)
from supportagentbench.language import values
from supportagentbench.language.customer import answer
from supportagentbench.language.identify import language_of
from supportagentbench.language.reader import reader_of
from supportagentbench.records.transcript import Turn
from supportagentbench.world.desk import Desk
from supportagentbench.world.folder import World
from supportagentbench.world.policy import Rulings
from supportagentbench.world.situation import Situation
from supportagentbench.worlds.northline.facts import Seen
from supportagentbench.worlds.northline.lookups import Found, OrderFile
from supportagentbench.worlds.northline.rows import OrderLine, Parcel


class Matter:
    """One thing the customer wants, and how far it has got."""

    def __init__(self, request: str, plain: str = "") -> None:
        self.request = request
        self.plain = plain
        """The wish in plain words, if the customer gave it so."""
        self.proposed = ""
        self.explained = 0
        self.settled = False


class Oracle:
    """Solves what can be solved, refuses what must be refused, hands over what a person must decide."""

    def __init__(self, world: World, seed: int) -> None:
        self.policy = world.policy
        self.words = reader_of(world.vocabulary).customer
        self.today = world.desk.today
        self.file: OrderFile | None = None
        self.is_stale = False
        """Whether something was changed since the file was opened."""
        self.parcels: tuple[Parcel, ...] = ()
        self.matters: list[Matter] = []
        self.disclosed: dict[str, str] = {}
        self.language = "en"
        self.sent: list[str] = []
        self.is_over = False
        """Whether it handed the ticket over or closed it."""

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        heard = [turn for turn in turns if turn.party == "customer"]
        return self._finish(self._answer(heard, desk), heard, desk)

    def _finish(self, words: str, heard: Sequence[Turn], desk: Desk) -> str:
        """The last look at a reply before it goes out: never the same words twice."""
        said, count = words, self.sent.count(words)
        if count and self.language == "en":
            leads = ASKS_AGAIN if words.endswith("?") else AGAIN
            said = f"{leads[(count - 1) % len(leads)]} {words}"
        self.sent.append(words)
        return said

    def _answer(self, heard: Sequence[Turn], desk: Desk) -> str:
        if len(heard) == 1:
            self.language = self._language_for(heard[0].text)
        self._listen(heard[-1])
        if not self._look_up([turn.text for turn in heard], desk):
            return ASK["order_number"][self.language]
        if self.disclosed.get("threat"):
            self.matters = self.matters or [Matter("status")]
        waiting = [matter for matter in self.matters if not matter.settled]
        if not waiting:
            return ASK["wish"][self.language]
        return " ".join(dict.fromkeys(self._advance(matter, heard, desk) for matter in waiting))

    def _language_for(self, words: str) -> str:
        return language_of(words)

    def _listen(self, turn: Turn) -> None:
        """Take up what the message discloses and asks for; plain words count more than guesses."""
        self.disclosed |= self.words.disclosed(turn.text)
        if any(file.kind == "photo" for file in turn.attachments):
            self.disclosed["proof"] = "shown"
        settled = [matter for matter in self.matters if matter.settled]
        waiting = [matter for matter in self.matters if not matter.settled]
        if plain := self.words.plain_requests(turn.text):
            self.matters = settled + [Matter(kind, words) for kind, words in plain]
        elif answer(turn.text, self.language) == "no":
            self.matters = settled
        else:
            kinds = self.words.requests(turn.text)
            known = {matter.request for matter in self.matters}
            answered = all(matter.explained for matter in waiting)
            if answered and len(kinds) == 1 and not known & set(kinds):
                self.matters = [*settled, Matter(kinds[0])]

    def _look_up(self, texts: list[str], desk: Desk) -> bool:
        """Open the order's file and its parcels; again only when something was changed."""
        order, email = values.order_number_in(texts), values.email_in(texts)
        if self.file is not None and not self.is_stale and order in (None, self.file.order):
            return True
        asked = {"order": order} if order else {"email": email} if email else None
        found = desk.call("find_order", asked).read(OrderFile) if asked else None
        if found is None:
            return False
        self.file, self.is_stale = found, False
        tracked = (desk.call("track_parcel", {"tracking": one.tracking}) for one in found.parcels)
        self.parcels = tuple(parcel for one in tracked if (parcel := one.read(Parcel)))
        return True

    def _advance(self, matter: Matter, heard: Sequence[Turn], desk: Desk) -> str:
        """Take one matter a step further, and say so."""
        texts = [matter.plain] if matter.plain else [turn.text for turn in heard]
        arguments = self._arguments(matter, texts, desk)
        situation = self._situation(matter, arguments)
        rulings = self._rule(situation)
        if "hand_over" in rulings.required():
            return self._hand_over(matter, desk)
        if "close_ticket" in rulings.required():
            return self._close(matter, desk)
        if matter.request == "advice":
            return self._advise(matter, texts, desk)
        acts = [act for act in rulings.required() if act in DOING]
        if missing := self._missing(matter, arguments):
            return ASK[missing].get(self.language, ASK[missing]["en"])
        if not acts:
            return self._explain(matter, rulings, self._wording(situation))
        if not self._can(acts[0], arguments, desk):
            arguments |= self._arguments(matter, [turn.text for turn in heard], desk)
        return self._act(matter, acts[0], arguments, heard, desk)

    def _act(
        self, matter: Matter, act: str, arguments: dict[str, Any], heard: Sequence[Turn], desk: Desk
    ) -> str:
        """Carry out what was agreed to, or propose it."""
        words = self._wording(self._situation(matter, arguments))
        if self._may_act(matter, act, heard):
            return self._do(matter, act, arguments, words, desk)
        matter.proposed = act
        return words.fill(f"I can {DOING[act]}. Shall I go ahead?")

    def _wording(self, situation: Situation) -> OracleWording:
        return OracleWording({name: word(situation) for name, word in self.policy.kit.words.items()})

    def _can(self, act: str, arguments: dict[str, Any], desk: Desk) -> bool:
        """Whether the words say all that the tool needs to know."""
        return set(desk.tools[act].schema["required"]) <= {*self._given(arguments)}

    def _given(self, arguments: dict[str, Any]) -> dict[str, Any]:
        assert self.file is not None
        return {"order": self.file.order, "reason": "other", **arguments}

    def _situation(self, matter: Matter, arguments: dict[str, Any]) -> Situation:
        assert self.file is not None
        return Situation(
            today=self.today,
            measures=self.policy.measures,
            seen=Seen(self.file, self.parcels),
            request=matter.request,
            arguments=arguments,
            disclosed=self.disclosed,
        )

    def _rule(self, situation: Situation) -> Rulings:
        return self.policy.rule_on(situation)

    def _may_act(self, matter: Matter, act: str, heard: Sequence[Turn]) -> bool:
        """Only after this very act was proposed and the customer said yes."""
        return matter.proposed == act and answer(heard[-1].text, self.language) == "yes"

    def _hand_over(self, matter: Matter, desk: Desk) -> str:
        matter.settled = True
        self._end(desk, "hand_over", reason=f"{matter.request}: a colleague has to decide.")
        return HANDED_OVER if self.language == "en" else ""

    def _close(self, matter: Matter, desk: Desk) -> str:
        matter.settled = True
        self._end(desk, "close_ticket", summary="The customer confirms that everything is settled.")
        return "Our record agrees that everything is settled, so I've closed the ticket. Thank you!"

    def _end(self, desk: Desk, act: str, **arguments: str) -> None:
        self.is_over = desk.call(act, arguments).ok

    def _advise(self, matter: Matter, texts: list[str], desk: Desk) -> str:
        """Recommend the first two fitting products that are in stock."""
        kind = self.words.kind_of_goods(" ".join(texts))
        found = desk.call("search_catalogue", {"kind": kind} if kind else {"query": texts[-1]})
        pages = found.read(tuple[Found, ...])
        if pages is None:
            return ASK["wish"][self.language]
        fitting = [page for page in pages if any(shelf.in_stock for shelf in page.variants)]
        shown = [f"the {page.product} at {page.price} ({page.link})" for page in fitting[:2]]
        matter.settled = True
        return f"I can recommend {' or '.join(shown)}; both are in stock."

    def _missing(self, matter: Matter, arguments: dict[str, Any]) -> str:
        """What the customer has yet to name before the record can be asked."""
        if matter.request == "address" and "street" not in arguments:
            return "address"
        if matter.request == "line_edit" and not {"variant", "quantity"} & set(arguments):
            return "wish"
        if matter.request == "exchange" and "variant" not in arguments:
            return "wish"
        return ""

    def _explain(self, matter: Matter, rulings: Rulings, words: OracleWording) -> str:
        """What the rules have to say to the customer; asked again, make sure of the wish first."""
        unsure = self.language == "en" and not matter.plain
        if unsure and matter.explained >= (3 if "photo" in rulings.asks() else 1):
            return ASK["wish"][self.language]
        matter.explained += 1
        told = [rule.say_in.get(self.language, rule.say) for rule in rulings.applying if rule.say]
        asked = [ASK[topic]["en"] for topic in rulings.asks() if topic in ASK]
        again = "I understand that this is not what you hoped for. " if matter.explained > 1 else ""
        return again + words.fill(" ".join([*told, *asked]) or "I'm sorry, I can't do that.")

    def _do(
        self, matter: Matter, act: str, arguments: dict[str, Any], words: OracleWording, desk: Desk
    ) -> str:
        given = self._given(arguments)
        wanted = {name: given[name] for name in desk.tools[act].schema["properties"] if name in given}
        result = desk.call(act, wanted)
        if not result.ok:
            return f"I'm sorry, that did not work: {result.text}"
        self.is_stale = True
        matter.proposed = ""
        # Whoever wanted a ticket closed still does, once what was owed is on its way.
        matter.settled = matter.request != "closing"
        return words.fill(DONE[act])

    def _arguments(self, matter: Matter, texts: list[str], desk: Desk) -> dict[str, Any]:
        """What the customer's words name: a line, another variant, a quantity, an address."""
        assert self.file is not None
        if matter.request == "address":
            return self._address(texts)
        line = self._owed_line() if matter.request == "closing" else self._line(texts)
        if line is None:
            return {}
        arguments: dict[str, Any] = {"line": line.line}
        if matter.request in ("line_edit", "exchange"):
            arguments |= self._wanted_variant(line, texts, desk)
        if matter.request == "line_edit" and "variant" not in arguments:
            arguments |= values.quantity_in(texts, line.name, line.quantity)
        if matter.request in ("not_received", "missing_item", "wrong_item"):
            short = line.quantity - (line.packed or 0) if matter.request == "missing_item" else line.quantity
            arguments["quantity"] = max(short, 1)
        return arguments

    def _address(self, texts: list[str]) -> dict[str, Any]:
        assert self.file is not None
        found = [address for text in texts if (address := values.address_in(text))]
        if found:
            return dict(found[-1])
        saved = self.file.saved_addresses
        meant = any(values.means_saved_address(text, saved[0].label) for text in texts) if saved else False
        if saved and (meant or len(texts) > 2):
            return msgspec.structs.asdict(saved[0].address)
        return {}

    def _line(self, texts: list[str]) -> OrderLine | None:
        """The line whose goods were named last."""
        assert self.file is not None
        for text in reversed(texts):
            named = [line for line in self.file.lines if line.name.casefold() in text.casefold()]
            if named:
                return named[-1]
        return self.file.lines[0] if len(self.file.lines) == 1 else None

    def _owed_line(self) -> OrderLine | None:
        assert self.file is not None
        sent = {(one.line, one.variant) for one in self.file.shipments}
        owed = [
            line
            for line in self.file.lines
            if line.line in self.file.approved_to_send_again and (line.line, line.variant) not in sent
        ]
        return owed[0] if owed else None

    def _wanted_variant(self, line: OrderLine, texts: list[str], desk: Desk) -> dict[str, Any]:
        """The other variant of this product that the words describe."""
        found = desk.call("search_catalogue", {"query": line.name})
        pages = found.read(tuple[Found, ...]) or ()
        shelves = [one for page in pages if page.product == line.name for one in page.variants]
        for text in reversed(texts):
            for shelf in shelves:
                other_colour = shelf.colour != line.colour and values.names(text, shelf.colour)
                other_size = shelf.size != line.size and values.names_size(text, shelf.size)
                same_size, same_colour = shelf.size == line.size, shelf.colour == line.colour
                if (other_colour and same_size) or (other_size and same_colour):
                    return {"variant": shelf.variant, "wanted": f"{shelf.colour} {shelf.size}".strip()}
        return {}
