"""Prefixes: restored byte for byte in both voices, and refused with the place where they differ."""

import asyncio
import json
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from conversations import CASES, HEADER, Says
from supportagentbench.agents.shipped import shipped_agent
from supportagentbench.customer.model_voice import ModelVoice
from supportagentbench.customer.voice import ScriptedVoice, Voice
from supportagentbench.desk.doors.house import HouseSeat
from supportagentbench.forks.fork import ForkPlay
from supportagentbench.forks.prefix import PrefixDiffers
from supportagentbench.forks.restore import restore
from supportagentbench.forks.source import SourceConversation
from supportagentbench.models import Completion, ModelRequest
from supportagentbench.records.record import digest
from supportagentbench.records.run import Channel
from supportagentbench.records.transcript import Transcript, Turn
from supportagentbench.records.usage import Usage
from supportagentbench.runner.conversation import Sitting, hold
from supportagentbench.runner.stopwatch import Stopwatch
from supportagentbench.storage.transcripts import Filed

TRAPS = ("damaged_no_proof-1", "abuse_pressure-1", "cancel_shipped_pressure-1")


class Pen:
    """A model that hears a question in whatever an agent writes, and words some messages and not others."""

    name = "openai:pen"

    async def complete(self, request: ModelRequest) -> Completion:
        if request.schema:
            quote = json.loads(request.messages[1].text)["message"].split()[0]
            seen = [{"what": "asks:condition", "quote": quote}]
            return Completion(json.dumps({"seen": seen}), Usage("pen"))
        given = json.loads(request.messages[1].text)["list"]
        words = " ".join(item.get("words", "Yes, please go ahead.") for item in given)
        return Completion(words if len(words) % 3 else "", Usage("pen"))


VOICES: dict[str, Voice] = {"script": ScriptedVoice(), "model": ModelVoice(Pen())}


def recorded(case: str, agent: str, voice: Voice, channel: Channel = "email") -> SourceConversation:
    """A conversation as a run would keep it."""
    header = replace(HEADER, agent=agent, customer=voice.name, channel=channel)
    agent_made = partial(shipped_agent(agent), CASES.world)(seed=1)
    sitting = Sitting(header.run, header.seed, channel)
    talk = hold(CASES, CASES.cases[case], HouseSeat(agent_made), voice, sitting)
    return as_source(asyncio.run(talk), header)


def as_source(transcript: Transcript, header: Any) -> SourceConversation:
    return SourceConversation(header, Filed(transcript, digest(transcript), 0.0, 0.0), None)


def check(one: SourceConversation, turn: int, call: int = 0) -> None:
    fork = one.fork("by_hand", turn, call)
    asyncio.run(restore(ForkPlay(CASES, {fork.point.id: fork}), one.header, fork))


@pytest.mark.parametrize("channel", ["email", "chat"])
@pytest.mark.parametrize("voice", VOICES)
@pytest.mark.parametrize("agent", ["oracle", "complies", "random-tool"])
def test_every_reply_and_every_call_can_be_restored(agent: str, voice: str, channel: Channel) -> None:
    for case in TRAPS:
        one = recorded(case, agent, VOICES[voice], channel)
        for turn, reply in enumerate(one.replies, start=1):
            for call in range(len(reply.calls) + 1):
                check(one, turn, call)


def test_a_models_words_are_replayed_and_its_failures_are_the_scripts_again() -> None:
    one = recorded("abuse_pressure-1", "refuses", VOICES["model"])
    kinds = {turn.conduct.worded_by for turn in one.transcript.turns if turn.conduct}
    assert {"model", "fallback"} <= kinds, "the test needs both"
    check(one, len(one.replies))
    fell_back = next(
        at
        for at, turn in enumerate(one.transcript.turns)
        if turn.conduct and turn.conduct.worded_by == "fallback"
    )
    with pytest.raises(PrefixDiffers, match="another text"):
        check(tampered(one, fell_back, text="Other words."), len(one.replies))


@pytest.mark.parametrize(("before", "after"), [("script", "model"), ("model", "script")])
def test_another_voice_can_go_on_after_the_recorded_words(before: str, after: str) -> None:
    one = recorded("abuse_pressure-1", "refuses", VOICES[before])
    fork = one.fork("by_hand", 3)
    play = ForkPlay(CASES, {fork.point.id: fork})
    agent = HouseSeat(Says("I'm sorry, no."))
    talk = play(one.header, fork.point.id, agent, VOICES[after], None, Stopwatch())
    turns = asyncio.run(talk).turns
    assert [turn.text for turn in turns[:5]] == [turn.text for turn in one.transcript.turns[:5]]
    live = {turn.conduct.worded_by for turn in turns[5:] if turn.conduct}
    assert live <= ({"script"} if after == "script" else {"model", "fallback"})
    assert live


@pytest.mark.parametrize(("before", "after"), [("script", "model"), ("model", "script"), ("model", "model")])
def test_facts_can_be_made_different_whoever_words_the_customer(before: str, after: str) -> None:
    one = recorded("damaged_no_proof-1", "refuses", VOICES[before])
    fork = one.fork("by_hand", 2).having(CASES, {"proof": "shown"})
    play = ForkPlay(CASES, {fork.point.id: fork})
    talk = play(
        one.header, fork.point.id, HouseSeat(Says("I'm sorry, no.")), VOICES[after], None, Stopwatch()
    )
    said = [turn.text for turn in asyncio.run(talk).turns[:3]]
    assert said[:2] == [turn.text for turn in one.transcript.turns[:2]]
    assert said[2].startswith(one.transcript.turns[2].text) and said[2].count("is attached") == 1


def test_a_customer_who_has_left_decides_nothing_any_more() -> None:
    one = recorded("tracking-1", "oracle", VOICES["script"])
    last = one.transcript.turns[-1]
    assert last.conduct and last.conduct.leaves
    longer = replace(one.transcript, turns=(*one.transcript.turns, Turn("agent", "Bye.")))
    with pytest.raises(PrefixDiffers, match=f"ends before reply {len(one.replies) + 1}"):
        check(as_source(longer, one.header), len(one.replies) + 1)


def test_a_conversation_that_is_over_before_its_decision_is_refused() -> None:
    one = recorded("abusive_threatening-1", "hands-over", VOICES["script"])
    turns = (*one.transcript.turns, *one.transcript.turns)
    with pytest.raises(PrefixDiffers, match="ends before reply 2"):
        check(as_source(replace(one.transcript, turns=turns), one.header), 2)


def tampered(one: SourceConversation, place: int, **changes: Any) -> SourceConversation:
    turns = list(one.transcript.turns)
    turns[place] = replace(turns[place], **changes)
    return as_source(replace(one.transcript, turns=tuple(turns)), one.header)


def test_another_word_of_the_customer_is_refused_with_its_turn() -> None:
    one = tampered(recorded("damaged_no_proof-1", "oracle", VOICES["script"]), 2, text="Fine, thanks.")
    check(one, 1)
    with pytest.raises(PrefixDiffers, match=r"damaged_no_proof-1 .* turn 3 \(customer\) has another text"):
        check(one, 2)


def test_another_plan_behind_the_same_words_is_refused() -> None:
    one = recorded("damaged_no_proof-1", "oracle", VOICES["script"])
    conduct = one.transcript.turns[2].conduct
    assert conduct
    with pytest.raises(PrefixDiffers, match=r"turn 3 .* another conduct"):
        check(tampered(one, 2, conduct=replace(conduct, mood=3)), 2)


def test_another_result_of_a_tool_is_refused_with_its_name() -> None:
    one = recorded("damaged_no_proof-1", "oracle", VOICES["script"])
    first, *rest = one.transcript.turns[1].calls
    changed = (replace(first, result=replace(first.result, ok=False, refusal="no")), *rest)
    with pytest.raises(PrefixDiffers, match=f"{first.tool} in turn 2 gives another result"):
        check(tampered(one, 1, calls=changed), 1, 1)


def test_another_store_is_refused() -> None:
    one = recorded("tracking-1", "oracle", VOICES["script"])
    with pytest.raises(PrefixDiffers, match="store does not open as it did"):
        check(as_source(replace(one.transcript, start="0" * 16), one.header), 1)


def test_what_a_turn_cost_is_no_part_of_a_prefix() -> None:
    one = recorded("damaged_no_proof-1", "oracle", VOICES["script"])
    paid = tampered(one, 1, usage=(Usage("pen", input=5, cost=1.0, reasoning=7),))
    check(paid, 2)
    first, second = one.fork("by_hand", 2).point, paid.fork("by_hand", 2).point
    assert first.prefix == second.prefix
    assert (first.reasoning, second.reasoning) == (0, 7)
