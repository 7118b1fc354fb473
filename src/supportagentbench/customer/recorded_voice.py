"""Recorded voice: says again what a model said in a recorded conversation, and then speaks live."""

from collections.abc import Sequence
from random import Random

from supportagentbench.customer.chat import ChatHabits
from supportagentbench.customer.model_voice import ModelSpeaker
from supportagentbench.customer.voice import ScriptedSpeaker, Speaker, TurnPlan, Voice, WordedMessage
from supportagentbench.language.listening import Listening
from supportagentbench.language.reader import Reader
from supportagentbench.records.case import Brief
from supportagentbench.records.transcript import CustomerState, SpeechActs, Turn
from supportagentbench.records.usage import Usage


class RecordedVoice:
    """A voice for one conversation: recorded words as far as they go, then those of another voice."""

    def __init__(self, recorded: Sequence[Turn], live: Voice, key: str) -> None:
        self.name = live.name
        self._recorded = recorded
        """The customer's turns after the opening."""
        self._live = live
        self._key = key
        """What makes this conversation's live words its own; the recorded ones are the same for all."""

    def speaker(
        self, brief: Brief, rng: Random, reader: Reader, chat: ChatHabits | None = None
    ) -> "RecordedSpeaker":
        seed = rng.getrandbits(31)  # A model's speaker draws one first, and the script continues from there.
        script = ScriptedSpeaker(brief, rng, reader, chat)
        live: Speaker = script
        if self._live.name != "scripted":
            live = self._live.speaker(brief, Random(f"{seed}/{self._key}"), reader, chat)
        if isinstance(live, ModelSpeaker):
            live.script = script
        return RecordedSpeaker(self._recorded, script, live)


class RecordedSpeaker:
    """One customer who repeats a record before speaking freely."""

    def __init__(self, recorded: Sequence[Turn], script: ScriptedSpeaker, live: Speaker) -> None:
        self._left = list(recorded)
        self._script = script
        self._live = live

    async def hear(self, words: str, listening: Listening) -> SpeechActs:
        if not self._left:
            return await self._live.hear(words, listening)
        await self._script.hear(words, listening)
        return _conduct(self._left[0]).heard

    async def word(self, part: TurnPlan) -> WordedMessage:
        if not self._left:
            return await self._live.word(part)
        turn = self._left.pop(0)
        conduct = _conduct(turn)
        said = await self._script.word(part) if conduct.worded_by == "fallback" else None
        text = said.text if said else turn.text
        return WordedMessage(text, conduct.worded_by, conduct.faults, conduct.shown)

    def clear(self) -> tuple[Usage, ...]:
        return self._live.clear()


def _conduct(turn: Turn) -> CustomerState:
    return turn.conduct or CustomerState(moves=())
