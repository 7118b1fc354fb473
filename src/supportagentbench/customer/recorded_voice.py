"""Recorded voice: a customer says again what it said in a record, and a voice continues from there."""

from collections.abc import Iterable
from random import Random

from supportagentbench.customer.chat import ChatHabits
from supportagentbench.customer.model_voice import ModelSpeaker
from supportagentbench.customer.observation import (
    ModelReading,
    Observation,
    ObservationList,
    as_read,
    heard_in,
    misread,
)
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
from supportagentbench.models import ModelError
from supportagentbench.records.case import Brief
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import to_json
from supportagentbench.records.transcript import CAUSES, Cause, CustomerState, Ending, SpeechActs, Turn
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
        if isinstance(live, ModelSpeaker | RecordedTalk):
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


class RecordedVoice:
    """A model's customer as recorded: what it read and wrote is taken from there, all else is derived."""

    def __init__(self, name: str, turns: Iterable[Turn], ending: Ending) -> None:
        self.name = name
        self._turns = [turn for turn in turns if turn.party == "customer"]
        """Without the opening, which no model words."""
        self._ending = ending

    def speaker(
        self, brief: Brief, rng: Random, reader: Reader, chat: ChatHabits | None = None
    ) -> "RecordedTalk":
        rng.getrandbits(31)  # A model's speaker draws one first, and the script continues from there.
        return RecordedTalk(ScriptedSpeaker(brief, rng, reader, chat), self._turns, self._ending)


class RecordedTalk:
    """Reads and writes, turn by turn, what a model read and wrote, as far as code would have let it."""

    def __init__(self, script: ScriptedSpeaker, turns: Iterable[Turn], ending: Ending) -> None:
        self.script = script
        self._turns = iter(turns)
        self._now = Turn("customer", "")
        self._ending = ending
        self._list = ObservationList(script.reader.vocabulary)
        self._shown: dict[str, str] | None = None

    async def hear(self, words: str, listening: Listening) -> SpeechActs:
        by_rule = await self.script.hear(words, listening)
        self._now = self._next()
        shown = self._now.conduct.shown if self._now.conduct else None
        seen = tuple(Observation(what, quote) for what, quote in (shown or {}).items())
        reading = ModelReading(seen)
        message = as_read(words, self.script.brief.goods)
        is_usable = shown is not None and not misread(to_json(reading).decode(), message, by_rule, self._list)
        self._shown = shown if is_usable else None
        return heard_in(reading) if is_usable else by_rule

    async def word(self, part: TurnPlan) -> WordedMessage:
        recorded = self._now.conduct
        assert recorded
        if recorded.worded_by == "fallback":
            text = (await self.script.word(part)).text
            return WordedMessage(text, "fallback", recorded.faults, self._shown)
        return WordedMessage(self._now.text, "model", recorded.faults, self._shown)

    def clear(self) -> tuple[Usage, ...]:
        return self._now.usage

    def _next(self) -> Turn:
        """The record's next turn; raises what broke it off, if that is what the record has."""
        turn = next(self._turns, None)
        if turn is None:
            raise Problem("the customer goes on where the record ends")
        if turn.conduct is None:
            self._now = turn
            known = (one for one in CAUSES if one == self._ending.customer_cause)
            cause: Cause = next(known, "provider_error")
            detail = self._ending.detail.removeprefix(f"{cause}: ")
            raise ModelError(cause, detail, Usage(""))
        return turn
