"""Character: an invented agent that has a known fault in a stated share of its conversations."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from supportagentbench.calibration.cast.manner import Manner
from supportagentbench.calibration.cast.price import TokenPrice
from supportagentbench.calibration.oracle import Oracle
from supportagentbench.desk import Desk
from supportagentbench.records.transcript import Turn
from supportagentbench.world.folder import World


class Lapse(NamedTuple):
    """A fault and its share of conversations."""

    fault: type[Oracle]
    share: float


class Character(NamedTuple):
    """Its faults, price and manner. Call it like a class to get its agent for one conversation."""

    name: str
    about: str
    lapses: tuple[Lapse, ...]
    """At most one per conversation; in all others it does everything right."""
    price: TokenPrice
    manner: Manner

    def __call__(self, world: World, seed: int) -> "CastAgent":
        return CastAgent(self, world, seed)

    def drawn(self, rng: Random) -> type[Oracle]:
        """The fault for one conversation; without one, the agent is the oracle."""
        left = rng.random()
        for lapse in self.lapses:
            if left < lapse.share:
                return lapse.fault
            left -= lapse.share
        return Oracle


class CastAgent:
    """A character in one conversation."""

    def __init__(self, character: Character, world: World, seed: int) -> None:
        self.character, self.rng = character, Random(f"{character.name}/{seed}")
        self.agent = character.drawn(self.rng)(world, seed)

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        words = await self.agent.reply(turns, desk)
        if self.agent.language == "en":
            words = self.character.manner.put(words, self.rng, is_first=len(turns) == 1)
        heard = "".join(turn.text for turn in turns)
        desk.spend(self.character.price.usage(self.character.name, heard, words))
        return words
