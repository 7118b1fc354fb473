"""Recorded voice: a customer says again what it said in a record, and a voice continues from there."""

from random import Random

from supportagentbench.customer.chat import ChatHabits
from supportagentbench.customer.model_voice import ModelSpeaker
from supportagentbench.customer.voice import (
    ScriptedSpeaker,
    ScriptedVoice,
    Speaker,
    TurnPlan,
    Voice,
    WordedMessage,
)
from supportagentbench.language.listening import Listening
from supportagentbench.language.reader import Reader
from supportagentbench.records.case import Brief
from supportagentbench.records.transcript import CustomerState, SpeechActs
from supportagentbench.records.usage import Usage


class ContinuedVoice:
    """Continues conversations that a model's customer began, or that a model's customer takes over."""

    def __init__(self, live: Voice, key: str) -> None:
        self.name = live.name
        self._live = live
        self._key = key
        """What makes this conversation's live words its own; the recorded ones are the same for all."""

    def speaker(self, brief: Brief, rng: Random, reader: Reader, chat: ChatHabits | None = None) -> Speaker:
        seed = rng.getrandbits(31)  # A model's speaker draws one first, and the script continues from there.
        script = ScriptedSpeaker(brief, rng, reader, chat)
        if self._live.name == ScriptedVoice.name:
            return script
        live = self._live.speaker(brief, Random(f"{seed}/{self._key}"), reader, chat)
        if isinstance(live, ModelSpeaker):
            live.script = script
        return live


class RecordedSpeaker:
    """Hears and says in one turn what the record has; no model is asked."""

    def __init__(self, text: str, conduct: CustomerState, script: ScriptedSpeaker) -> None:
        self.script: ScriptedSpeaker = script
        self._text = text
        self._conduct = conduct

    async def hear(self, words: str, listening: Listening) -> SpeechActs:
        await self.script.hear(words, listening)
        return self._conduct.heard

    async def word(self, part: TurnPlan) -> WordedMessage:
        recorded, text = self._conduct, self._text
        if recorded.worded_by == "fallback":
            text = (await self.script.word(part)).text
        return WordedMessage(text, recorded.worded_by, recorded.faults, recorded.shown)

    def clear(self) -> tuple[Usage, ...]:
        return ()
