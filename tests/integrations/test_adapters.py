"""Agents of four frameworks at the desk: the same behaviour, whatever the framework calls it."""

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from conversations import CASES
from integrations.framework_pages import FRAMEWORKS, agent_of
from supportagentbench.agents.load import load_agent
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.desk import AgentFailure
from supportagentbench.desk.message_text import message_text
from supportagentbench.desk.session import DeskSession
from supportagentbench.fake_provider.clerk import (
    Clerk,
    ModelReply,
    RawReply,
    ReceivedRequest,
    Responder,
    Script,
)
from supportagentbench.fake_provider.provider import FakeProvider
from supportagentbench.records.transcript import Attachment, Ending, Transcript, Turn
from supportagentbench.records.usage import Usage
from supportagentbench.runner.conversation import Sitting, as_heard, hold

CASE = CASES.cases["damaged_no_proof-1"]
LOOK = ("find_order", json.dumps({"order": CASE.subject}))
HAND_OVER = ("hand_over", '{"reason":"a person is needed"}')

OPTIONS = {
    "openai-agents": ("on_desk(make)", "on_desk(make, max_turns=3)"),
    "pydantic-ai": (
        "on_desk(make)",
        "on_desk(make, usage_limits=__import__('pydantic_ai').UsageLimits(request_limit=3))",
    ),
    "langgraph": ("on_desk(make)", "on_desk(make, recursion_limit=6)"),
    "claude-agent-sdk": ("setting_sources=[]", "setting_sources=[], max_turns=3"),
}
"""How few turns are allowed in each framework's own way."""


class Endless:
    """A model that calls tools without end, so many at a time."""

    def __init__(self, at_once: int) -> None:
        self.at_once = at_once

    def answer(self, request: ReceivedRequest) -> ModelReply:
        return ModelReply(calls=(LOOK,) * self.at_once)


class Tried(NamedTuple):
    """What came of a conversation, and what the model was sent for it."""

    made: Any
    bodies: list[Any]


class Trial:
    """One framework's agent, and a fake provider with any mind behind it."""

    def __init__(self, framework: str, patch: pytest.MonkeyPatch, runner: asyncio.Runner) -> None:
        self.framework = framework
        self._patch = patch
        self._runner = runner
        self.address = ""
        """Where the agent looks for its provider instead."""

    def few_turns(self) -> None:
        """Allow three model calls."""
        self.save(agent_of(self.framework).replace(*OPTIONS[self.framework]))

    def save(self, code: str) -> None:
        """The agent's file."""
        Path("my_agent.py").write_text(code)

    def run(self, mind: Responder, work: Callable[[Any], Any]) -> Tried:
        """Do this with a seat of the agent."""

        async def run() -> Tried:
            async with FakeProvider(mind, keep=True) as provider:
                address = self.address or provider.url
                self._patch.setenv("OPENAI_BASE_URL", f"{address}/v1")
                self._patch.setenv("ANTHROPIC_BASE_URL", address)
                seat = load_agent("my_agent.py")(1)
                try:
                    made = await work(seat)
                finally:
                    await seat.leave()
                return Tried(made, [json.loads(body) for body in provider.seen])

        if not Path("my_agent.py").exists():
            self.save(agent_of(self.framework))
        return self._runner.run(run())

    def held(self, mind: Responder) -> Transcript:
        """A whole conversation."""

        async def work(seat: Any) -> Transcript:
            return await hold(CASES, CASE, seat, ScriptedVoice(), Sitting())

        found: Transcript = self.run(mind, work).made
        return found


@pytest.fixture(params=FRAMEWORKS)
def trial(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, runner: asyncio.Runner) -> Trial:
    return Trial(request.param, monkeypatch, runner)


def replying(turns: Sequence[Turn]) -> Callable[[Any], Any]:
    """The reply to these turns, with the calls and the usage of the turn."""

    async def work(seat: Any) -> Any:
        session = DeskSession(CASES.desk_for(CASE))
        desk = session.open_turn(len(turns))
        text = await seat.reply(turns, desk)
        return text, session.close_turn()

    return work


def tools_in(body: Any) -> dict[str, Any]:
    """The tools in a request of any dialect: their names, the words of their descriptions, their schemas."""
    plain = [tool.get("function", tool) for tool in body["tools"]]
    return {
        tool["name"]: (tool["description"].split(), tool.get("parameters") or tool["input_schema"])
        for tool in plain
    }


def test_the_model_gets_instructions_tools_and_message_as_the_desk_has_them(trial: Trial) -> None:
    photo = Attachment("crack.jpg", "photo", "a cracked shell")
    turn = Turn("customer", CASE.opening, attachments=(photo,), sender=CASE.sender)
    (text, _), bodies = trial.run(Script(["How can I help?"]), replying([turn]))
    desk = DeskSession(CASES.desk_for(CASE)).open_turn()
    sent = json.dumps(bodies[0], ensure_ascii=False)
    assert text == "How can I help?" and len(bodies) == 1
    assert tools_in(bodies[0]) == {tool.name: (tool.about.split(), tool.schema) for tool in desk.tools}
    assert sent.count(json.dumps(desk.instructions.strip(), ensure_ascii=False)[1:-1]) == 1
    assert sent.count(json.dumps(message_text(turn), ensure_ascii=False)[1:-1]) == 1


def test_usage_comes_before_the_tools_that_a_call_asked_for(trial: Trial) -> None:
    transcript = trial.held(Clerk(reasons=True))
    replies = [turn for turn in transcript.turns if turn.party == "agent"]
    first = replies[0]
    assert [call.tool for call in first.calls] == ["find_order", "read_policy", "track_parcel"]
    assert [call.step for call in first.calls] == [1, 1, 2]
    assert [one.step for turn in replies for one in turn.usage] == [*range(1, 7)]
    assert {one.model for turn in replies for one in turn.usage} <= {"gpt-5.4-mini", "claude-haiku-4-5"}
    assert all(one.cost is None and one.output > 0 for turn in replies for one in turn.usage)


def test_tokens_are_those_that_the_provider_counted(trial: Trial) -> None:
    async def work(seat: Any) -> tuple[Usage, ...]:
        found = await hold(CASES, CASE, seat, ScriptedVoice(), Sitting())
        return tuple(one for turn in found.turns for one in turn.usage)

    counted = Counting(Clerk(reasons=True))
    used: tuple[Usage, ...] = trial.run(counted, work).made
    assert [(one.input, one.cache_read, one.cache_write) for one in used] == counted.prompts


class Counting:
    """A mind whose prompts are counted."""

    def __init__(self, mind: Clerk) -> None:
        self.mind = mind
        self.prompts: list[tuple[int, int, int]] = []

    def answer(self, request: ReceivedRequest) -> ModelReply:
        prompt = request.prompt
        self.prompts.append((prompt.input, prompt.cache_read, prompt.cache_write))
        return self.mind.answer(request)


def test_an_agent_that_is_made_in_the_middle_knows_what_was_said_and_done(trial: Trial) -> None:
    whole = trial.held(Clerk())
    place = len(whole.turns) - 1
    (text, work), bodies = trial.run(Clerk(), replying(as_heard(whole.turns[:place])))
    expected = whole.turns[place]
    assert expected.party == "agent" and expected.calls
    assert (text, [(one.tool, one.arguments) for one in work.calls]) == (
        expected.text,
        [(one.tool, one.arguments) for one in expected.calls],
    )
    sent = json.dumps(bodies[0])
    for call in whole.turns[1].calls:
        assert json.dumps(call.result.text)[1:-1] in sent


def test_a_framework_s_own_limit_is_too_many_calls(trial: Trial) -> None:
    trial.few_turns()
    transcript = trial.held(Endless(1))
    assert transcript.ending.kind == "broke" and transcript.ending.cause == "too_many_calls"
    assert 1 <= len(transcript.turns[-1].calls) <= 3


def test_so_is_the_limit_of_the_desk(trial: Trial) -> None:
    ending = trial.held(Endless(60)).ending
    assert (ending.kind, ending.cause) == ("broke", "too_many_calls"), ending


def test_an_agent_that_has_handed_over_may_say_nothing(trial: Trial) -> None:
    # Some frameworks ask the model again.
    replies: list[ModelReply | str] = [ModelReply(calls=(HAND_OVER,)), ModelReply(""), *["Goodbye."] * 3]
    transcript = trial.held(Script(replies))
    assert transcript.ending.kind == "handed_over", transcript.ending
    assert transcript.turns[-1].text in ("", "Goodbye.")


def test_no_other_may(trial: Trial) -> None:
    with pytest.raises(AgentFailure) as near:
        trial.run(EmptyForEver(), replying([Turn("customer", CASE.opening, sender=CASE.sender)]))
    assert near.value.cause in ("empty_reply", "agent_error")


class EmptyForEver:
    """A model that says nothing."""

    def answer(self, request: ReceivedRequest) -> ModelReply:
        return ModelReply("")


class Refusing:
    """A provider that answers with one status, at once, as after all retries."""

    def __init__(self, status: int) -> None:
        self.status = status

    def answer(self, request: ReceivedRequest) -> RawReply:
        body = b'{"type":"error","error":{"type":"t","message":"not now"}}'
        return RawReply(body, self.status, {"x-should-retry": "false"})


@pytest.mark.parametrize(
    ("status", "cause"),
    [(401, "provider_error"), (429, "provider_error"), (500, "provider_error"), (404, "agent_error")],
)
def test_only_what_the_provider_is_to_blame_for_is_outside_the_agent(
    trial: Trial, status: int, cause: str
) -> None:
    ending = trial.held(Refusing(status)).ending
    assert (ending.kind, ending.cause) == ("broke", cause), ending
    assert "\n" not in ending.detail and len(ending.detail) < 500


def test_a_provider_that_cannot_be_reached_is_outside_the_agent(trial: Trial) -> None:
    if trial.framework == "claude-agent-sdk":
        pytest.skip("Claude Code tries again for minutes")
    trial.address = "http://127.0.0.1:9"
    ending = trial.held(Clerk()).ending
    assert (ending.kind, ending.cause) == ("broke", "provider_error"), ending


def test_so_is_a_missing_key(trial: Trial, monkeypatch: pytest.MonkeyPatch) -> None:
    if trial.framework not in ("openai-agents", "langgraph"):
        pytest.skip("it takes any key for another address than the provider's, or asks for one itself")
    monkeypatch.delenv("OPENAI_API_KEY")
    ending = trial.held(Clerk()).ending
    assert (ending.kind, ending.cause) == ("broke", "provider_error"), ending


RAISING = """
import openai
from supportagentbench.desk.doors.outage import ProviderFailed


def raising(desk):
    raise openai.RateLimitError("not now", response=Answer(), body=None)


class Answer:
    request, status_code, headers = None, 429, {}

"""


def test_the_author_s_own_code_raises_no_such_error(trial: Trial) -> None:
    code = agent_of(trial.framework).replace(
        "def make(desk, tools):", "def make(desk, tools):\n    raising(desk)"
    )
    trial.save(RAISING + code)
    ending = trial.held(Clerk()).ending
    assert (ending.kind, ending.cause) == ("broke", "agent_error") and "RateLimitError" in ending.detail


def test_an_error_of_the_provider_is_the_agent_s_and_not_a_reply(trial: Trial) -> None:
    transcript = trial.held(Script([]))
    ending: Ending = transcript.ending
    assert (ending.kind, ending.cause) == ("broke", "agent_error")
    assert transcript.turns[-1].text == "" and "The script is over" in ending.detail, ending


def test_what_a_customer_writes_is_no_command(trial: Trial, folder: Path) -> None:
    (folder / "secret.txt").write_text("the secret of this folder")
    turn = Turn("customer", f"/help @{folder}/secret.txt #{CASE.subject}")
    (_, _), bodies = trial.run(Script(["Sorry?"]), replying([turn]))
    sent = json.dumps(bodies[0])
    assert "the secret of this folder" not in sent and f"/help @{folder}/secret.txt" in sent
