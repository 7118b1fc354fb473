"""A framework's agent: what it is told, when it may be silent, and whose error is whose."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest

from conversations import CASES, HEADER
from supportagentbench.agents.own_agent import door_of
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.desk import AgentFailure, ServiceFailure
from supportagentbench.desk.doors.framework import FrameworkAgents, FrameworkDesk, FrameworkSeat
from supportagentbench.desk.doors.outage import ProviderFailed
from supportagentbench.desk.session import MOST_CALLS, DeskSession
from supportagentbench.models import Message
from supportagentbench.records.transcript import Transcript, Turn
from supportagentbench.runner.conversation import Sitting, hold
from supportagentbench.runner.hired_agent import HiredAgent

CASE = CASES.cases["cancel_before_ship-1"]
OPENING = Turn("customer", CASE.opening, sender=CASE.sender)
HAND_OVER = {"reason": "a person is needed"}

Saying = Callable[[FrameworkDesk, Sequence[Message]], Awaitable[str]]


class ToyTalk:
    """A framework that does what a test says, and keeps what it was told."""

    def __init__(self, desk: FrameworkDesk, say: Saying) -> None:
        self.desk = desk
        self.say = say
        self.told: list[Sequence[Message]] = []
        self.is_closed = False

    async def answer(self, messages: Sequence[Message]) -> str:
        self.told.append(messages)
        return await self.say(self.desk, messages)

    async def close(self) -> None:
        self.is_closed = True


def held(say: Saying) -> tuple[Transcript, list[ToyTalk]]:
    """A conversation with this framework, through the door of a user's own agent."""
    talks: list[ToyTalk] = []

    def begin(desk: FrameworkDesk) -> ToyTalk:
        talks.append(ToyTalk(desk, say))
        return talks[-1]

    door = door_of("toy", FrameworkAgents(begin, begin))
    return asyncio.run(hold(CASES, CASE, door(1), ScriptedVoice(), Sitting())), talks


def test_each_conversation_has_one_talk_and_every_message_is_told_once() -> None:
    async def say(desk: FrameworkDesk, messages: Sequence[Message]) -> str:
        desk.call("find_order", {"order": CASE.subject})
        return f"  You wrote {len(messages[-1].text)} letters.\n"

    transcript, (talk,) = held(say)
    asked = [turn for turn in transcript.turns if turn.party == "customer"]
    assert len(talk.told) == sum(turn.party == "agent" for turn in transcript.turns) > 1
    assert [len(told) for told in talk.told] == [1] * len(talk.told)
    assert talk.told[1][0] == Message("user", asked[1].text)
    assert transcript.turns[1].text.startswith("You wrote") and transcript.turns[1].text.endswith(".")
    assert all(turn.calls[0].result.ok for turn in transcript.turns if turn.party == "agent")
    assert talk.is_closed and transcript.refused == ()


def test_silence_is_a_reply_once_the_ticket_is_settled() -> None:
    async def hands_over(desk: FrameworkDesk, messages: Sequence[Message]) -> str:
        assert desk.call("hand_over", HAND_OVER)
        return ""

    async def only_tries(desk: FrameworkDesk, messages: Sequence[Message]) -> str:
        desk.call("hand_over", {})
        return " "

    assert held(hands_over)[0].ending.kind == "handed_over"
    ending = held(only_tries)[0].ending
    assert (ending.kind, ending.cause) == ("broke", "empty_reply")


def test_a_desk_that_breaks_off_is_no_error_of_the_agent_s_code() -> None:
    async def wraps(desk: FrameworkDesk, messages: Sequence[Message]) -> str:
        try:
            for _ in range(100):
                desk.call("find_order", {"order": CASE.subject})
        except Exception as error:
            raise ValueError("a tool failed") from error
        return "never"

    async def fails(desk: FrameworkDesk, messages: Sequence[Message]) -> str:
        raise ValueError("mine")

    first, second = held(wraps)[0], held(fails)[0]
    assert first.ending.cause == "too_many_calls" and len(first.turns[1].calls) > MOST_CALLS
    assert second.ending.cause == "agent_error" and second.ending.detail == "ValueError: mine"


def test_usage_is_read_in_the_framework_s_words() -> None:
    async def spends(desk: FrameworkDesk, messages: Sequence[Message]) -> str:
        desk.spend({"input_tokens": 100, "output_tokens": 7, "input_token_details": {"cache_read": 40}}, "m")
        desk.spend({"input_tokens": 1, "output_tokens": 1}, "")
        return "Hello."

    first, second = held(spends)[0].turns[1].usage
    assert (first.model, first.input, first.cache_read, first.output) == ("m", 60, 40, 7)
    assert second.model == "unnamed"


def test_an_agent_that_is_made_in_the_middle_is_told_all_of_it() -> None:
    told: list[Any] = []

    async def say(desk: FrameworkDesk, messages: Sequence[Message]) -> str:
        told.extend(messages)
        return "Yes."

    agent = FrameworkSeat(lambda desk: ToyTalk(desk, say), __name__)
    desk = DeskSession(CASES.desk_for(CASE)).open_turn(2)
    asyncio.run(agent.reply((OPENING, Turn("agent", "Hello."), Turn("customer", "Well?")), desk))
    assert [one.role for one in told] == ["user", "assistant", "user"] and told[-1].text == "Well?"


def test_nothing_is_closed_that_never_began() -> None:
    asyncio.run(FrameworkSeat(lambda desk: pytest.fail("it was begun"), __name__).leave())


def test_a_typed_failure_stays_as_it_is() -> None:
    async def stops(desk: FrameworkDesk, messages: Sequence[Message]) -> str:
        raise AgentFailure("refusal", "I do not want to")

    assert held(stops)[0].ending.cause == "refusal"


class Claiming(FrameworkAgents):
    """A subclass is the user's code, whatever it raises."""

    def __call__(self, seed: int) -> Any:
        raise ServiceFailure("provider_error", "503")


def test_no_agent_says_of_itself_that_its_provider_failed() -> None:
    async def claims(desk: FrameworkDesk, messages: Sequence[Message]) -> str:
        raise ServiceFailure("provider_error", "503")

    async def fails(desk: FrameworkDesk, messages: Sequence[Message]) -> str:
        raise ProviderFailed("503")

    for say in (claims, fails):
        assert held(say)[0].ending.cause == "agent_error"
    door = door_of("toy", Claiming(lambda desk: ToyTalk(desk, claims), claims))
    agent = HiredAgent(door, HEADER, CASE.id, None)
    found = asyncio.run(hold(CASES, CASE, agent, ScriptedVoice(), Sitting()))
    assert found.ending.cause == "agent_error"
