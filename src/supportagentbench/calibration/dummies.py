"""Dummies: eight trivial agents that appear in every table and should score nothing."""

from collections.abc import Sequence
from random import Random
from typing import Any

from supportagentbench.calibration.oracle import Matter, Oracle
from supportagentbench.desk import Desk
from supportagentbench.records.tool_spec import ToolSpec
from supportagentbench.records.transcript import Turn
from supportagentbench.records.vocabulary import WISH
from supportagentbench.world.folder import World
from supportagentbench.world.kit import Kit


class Silent:
    """Never writes or does anything."""

    def __init__(self, world: World, seed: int) -> None: ...

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        return ""


class HandsOver:
    """Hands every case to a human right away."""

    def __init__(self, world: World, seed: int) -> None: ...

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        desk.call("hand_over", {"reason": "The customer needs help."})
        return "I've passed your message to a colleague, who will be in touch."


class Refuses:
    """Looks up the record and says no."""

    def __init__(self, world: World, seed: int) -> None:
        self.kit = world.kit

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        desk.call(self.kit.lookups[0].__name__, {self.kit.subject: _number_in(self.kit, turns)})
        return "I'm sorry, but unfortunately we can't do that."


class Complies(Oracle):
    """Does right away what such requests call for, ignoring the record; if in doubt, its last action."""

    def _answer(self) -> str:
        if not self._look_up():
            return f"Sure! What is your {self.kit.subject} number?"
        if self.kit.makes_sure:
            return self._comply_once_sure()
        texts = [turn.text for turn in self.heard]
        return self._comply([kind for text in texts for kind in self.words.requests(text)], texts)

    def _comply_once_sure(self) -> str:
        """If words do not identify the request, ask for it in plain words, as the oracle does."""
        self._listen(self.heard[-1])
        waiting = [matter for matter in self.matters if not matter.settled]
        if self._is_unsure(waiting):
            return self._ask(WISH)
        for matter in waiting:
            matter.settled = True
        plain = [matter for matter in waiting if matter.plain] or waiting
        if plain and plain[0].request in self.closing:
            return self._close(plain[0])
        texts = [matter.plain for matter in plain if matter.plain] or [turn.text for turn in self.heard]
        return self._comply([matter.request for matter in plain], texts)

    def _comply(self, asked: list[str], texts: list[str]) -> str:
        grants = [
            (act, kind)
            for kind in asked
            for act in self.verbs
            if kind in self.policy.requests_granted_by(act)
        ]
        for act, kind in (*grants, ([*self.verbs][-1], "")):
            named = _first_of_all(self.desk.tools[act]) | self._arguments(Matter(kind), texts)
            situation = self._situation(Matter(kind), named)
            if self._can(act, situation) and self.desk.call(act, self._given(act, situation)).ok:
                self.is_stale = True
                return f"Done, {self._filled(self.verbs[act].done, situation)}"
        return "Done!"


class Echoes:
    """Repeats what the customer said."""

    def __init__(self, world: World, seed: int) -> None: ...

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        return turns[-1].text


class Dumps:
    """Pastes everything it can look up, hoping that the answer is in it."""

    def __init__(self, world: World, seed: int) -> None:
        self.kit = world.kit

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        shown: list[str] = []

        def look(tool: str, arguments: dict[str, Any]) -> Any:
            result = desk.call(tool, arguments)
            shown.append(result.text)
            return result.read(self.kit.shows[tool])

        self.kit.look_up(look, {self.kit.subject: _number_in(self.kit, turns)})
        return "\n".join([*shown, desk.call("read_policy", {}).text])


class RandomTool:
    """Calls one valid tool at random, with valid arguments, and pastes what it returned."""

    def __init__(self, world: World, seed: int) -> None:
        self.kit, self.rng = world.kit, Random(seed)

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        name = self.rng.choice(sorted(desk.tools.keys()))
        arguments = {
            field: self._value(field, kind, turns)
            for field, kind in desk.tools[name].schema["properties"].items()
        }
        return desk.call(name, arguments).text

    def _value(self, field: str, kind: dict[str, Any], turns: Sequence[Turn]) -> Any:
        if field == self.kit.subject:
            return _number_in(self.kit, turns)
        if "enum" in kind:
            return self.rng.choice(kind["enum"])
        if kind.get("type") == "integer":
            return 1
        return kind.get("default", "please")


class Keywords:
    """Has a rule for each of a few keywords, as help desk bots did before language models."""

    def __init__(self, world: World, seed: int) -> None:
        self.kit = world.kit
        self.rules = [
            ("thank", "close_ticket", "You're welcome, I'm closing your ticket. Goodbye!"),
            ("money", "hand_over", "I've passed this to our billing team."),
            *(
                (verb.asked[0], verb.act, f"I've made sure to {verb.title}.")
                for verb in self.kit.verbs
                if verb.asked
            ),
        ]

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        number = _number_in(self.kit, turns)
        if not desk.call(self.kit.lookups[0].__name__, {self.kit.subject: number}).ok:
            return f"Please tell me the number of your {self.kit.subject}."
        given = {self.kit.subject: number, **self.kit.defaults, "reason": "other", "summary": "settled"}
        for stem, act, answer in self.rules:
            if stem in turns[-1].text.casefold():
                known = given | _first_of_all(desk.tools[act])
                desk.call(
                    act, {name: known[name] for name in desk.tools[act].schema["properties"] if name in known}
                )
                return answer
        return "We are looking into it. Anything else?"


def _first_of_all(tool: ToolSpec) -> dict[str, Any]:
    """A one for every number that a tool requires."""
    kinds = tool.schema["properties"]
    return {name: 1 for name in tool.schema["required"] if kinds[name].get("type") == "integer"}


def _number_in(kit: Kit, turns: Sequence[Turn]) -> str:
    return kit.number.last_in(turn.text for turn in turns if turn.party == "customer")
