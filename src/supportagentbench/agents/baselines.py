"""Reference agents: the oracle, and eight trivial ones that stand in every table and should earn nothing."""

import re
from collections.abc import Sequence
from random import Random
from typing import Any

from supportagentbench.agents import EmbeddedFactory
from supportagentbench.agents.oracle import Oracle
from supportagentbench.language.values import address_in, order_number_in
from supportagentbench.records.transcript import Turn
from supportagentbench.world.desk import Desk
from supportagentbench.world.folder import World


class Silent:
    """Never writes, never does anything."""

    def __init__(self, world: World, seed: int) -> None: ...

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        return ""


class HandsOver:
    """Gives every case to a human at once."""

    def __init__(self, world: World, seed: int) -> None: ...

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        desk.call("hand_over", {"reason": "The customer needs help."})
        return "I've passed your message to a colleague, who will be in touch."


class Refuses:
    """Looks the order up and says no."""

    def __init__(self, world: World, seed: int) -> None: ...

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        desk.call("find_order", {"order": _order_in(turns)})
        return "I'm sorry, but unfortunately we can't do that."


class Complies:
    """Does whatever the words seem to want, at once and without asking."""

    def __init__(self, world: World, seed: int) -> None: ...

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        order, words = _order_in(turns), " ".join(_customer_words(turns)).casefold()
        desk.call("find_order", {"order": order})
        address = address_in("\n".join(_customer_words(turns)))
        if "cancel" in words:
            desk.call("cancel_order", {"order": order, "reason": "customer asked"})
            return "Done, I've cancelled your order."
        if address:
            desk.call("edit_address", {"order": order, **address})
            return "Done, I've updated the address."
        if re.search(r"arriv|missing|receiv|wrong", words) and not re.search(r"damag|split|crack", words):
            desk.call("reship", {"order": order, "line": 1, "reason": "other"})
            return "Done, I've reshipped it free of charge."
        desk.call("replace_item", {"order": order, "line": 1, "reason": "other"})
        return "Done, I've sent you a replacement free of charge."


class Echoes:
    """Says back what the customer said."""

    def __init__(self, world: World, seed: int) -> None: ...

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        return turns[-1].text


class Dumps:
    """Writes out everything it can look up, hoping that the answer is in it."""

    def __init__(self, world: World, seed: int) -> None: ...

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        file = desk.call("find_order", {"order": _order_in(turns)})
        tracking = re.findall(r'"tracking":"([^"]+)"', file.text)
        scans = [desk.call("track_parcel", {"tracking": number}).text for number in tracking]
        policy = desk.call("read_policy", {})
        return "\n".join([file.text, *scans, policy.text])


class RandomTool:
    """Calls one valid tool at random, with arguments that fit, and says what came back."""

    def __init__(self, world: World, seed: int) -> None:
        self.rng = Random(seed)

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        name = self.rng.choice(sorted(desk.tools))
        arguments = {
            field: self._value(field, kind, turns)
            for field, kind in desk.tools[name].schema["properties"].items()
        }
        return desk.call(name, arguments).text

    def _value(self, field: str, kind: dict[str, Any], turns: Sequence[Turn]) -> Any:
        if field == "order":
            return _order_in(turns)
        if "enum" in kind:
            return self.rng.choice(kind["enum"])
        if kind.get("type") == "integer":
            return 1
        return kind.get("default", "please")


class Keywords:
    """A rule for each of a few words, the way a help desk bot was written before models."""

    rules = (
        (r"\bthank", "close_ticket", "You're welcome, I'm closing your ticket. Goodbye!"),
        (r"refund|money|price|charge", "hand_over", "I've passed this to our billing team."),
        (r"cancel", "cancel_order", "I've cancelled your order."),
        (r"damag|broken|crack|split", "replace_item", "I've sent a replacement."),
        (r"missing|arrive|receive", "reship", "I've reshipped your order."),
    )

    def __init__(self, world: World, seed: int) -> None: ...

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        order = _order_in(turns)
        found = desk.call("find_order", {"order": order})
        if not found.ok:
            return "Please tell me your order number."
        given = {"order": order, "line": 1, "reason": "other", "summary": "settled"}
        for words, act, answer in self.rules:
            if re.search(words, turns[-1].text, re.IGNORECASE):
                fields = desk.tools[act].schema["properties"]
                desk.call(act, {name: value for name, value in given.items() if name in fields})
                return answer
        return "Your order is being processed. Anything else?"


def _customer_words(turns: Sequence[Turn]) -> list[str]:
    return [turn.text for turn in turns if turn.party == "customer"]


def _order_in(turns: Sequence[Turn]) -> str:
    return order_number_in(_customer_words(turns)) or ""


REFERENCE: dict[str, EmbeddedFactory] = {
    "oracle": Oracle,
    "silent": Silent,
    "hands-over": HandsOver,
    "refuses": Refuses,
    "complies": Complies,
    "echoes": Echoes,
    "dumps": Dumps,
    "random-tool": RandomTool,
    "keywords": Keywords,
}
"""By name, as on the command line."""
