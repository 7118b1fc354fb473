"""Two dialects, one meaning: what is asked and answered is the same in both, whatever the wire looks like."""

import json
from typing import Any

import pytest

from supportagentbench.models import Completion, Message, ModelRequest, ToolRequest
from supportagentbench.models.anthropic import Anthropic
from supportagentbench.models.dialect import CACHE_BYTES, EncodedMessages, UnreadableAnswer, error_from
from supportagentbench.models.openai import OpenAI
from supportagentbench.models.spec import ModelSpec
from supportagentbench.records.tool_spec import ToolSpec

LOOK = ToolSpec(
    "find_order", "Find an order.", {"type": "object", "properties": {"order": {"type": "string"}}}
)
TALK = (
    Message("system", "You answer e-mails."),
    Message("user", "Where is #1101?"),
    Message(
        "assistant",
        calls=(ToolRequest("a", "find_order", {"order": "#1101"}), ToolRequest("b", "find_order", "{oops")),
    ),
    Message("tool", "shipped", answers="a"),
    Message("tool", "not run", answers="b"),
    Message("user", "And?"),
)


def openai(request: ModelRequest, dialect: OpenAI = OpenAI(), **settings: Any) -> dict[str, Any]:  # noqa: B008
    body: dict[str, Any] = json.loads(dialect.body("some-model", request, ModelSpec(**settings)))
    return body


def anthropic(request: ModelRequest, **settings: Any) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(Anthropic().body("some-model", request, ModelSpec(**settings)))
    return body


class TestOpenAI:
    def test_the_talk_goes_out_message_by_message(self) -> None:
        body = openai(ModelRequest(TALK, tools=(LOOK,)))
        assert [message["role"] for message in body["messages"]] == [
            *("system", "user", "assistant", "tool", "tool", "user")
        ]
        assert [call["id"] for call in body["messages"][2]["tool_calls"]] == ["a", "b"]
        assert body["tools"][0]["function"]["name"] == "find_order"

    def test_arguments_that_were_no_object_are_not_sent_back_broken(self) -> None:
        calls = openai(ModelRequest(TALK))["messages"][2]["tool_calls"]
        assert [json.loads(call["function"]["arguments"]) for call in calls] == [{"order": "#1101"}, {}]

    def test_only_settings_that_were_given_are_sent(self) -> None:
        assert set(openai(ModelRequest(TALK))) == {"model", "messages"}
        body = openai(
            ModelRequest(TALK, seed=7, step=2), temperature=0.0, max_tokens=9, effort="low", seed=True
        )
        assert body["temperature"] == 0
        assert body["max_tokens"] == 9
        assert body["reasoning_effort"] == "low"
        assert body["seed"] == 9

    def test_providers_call_the_limit_and_the_seed_differently(self) -> None:
        dialect = OpenAI(most="max_completion_tokens", seed="random_seed")
        body = openai(ModelRequest(TALK), dialect, max_tokens=9, seed=True)
        assert {"max_completion_tokens", "random_seed"} <= set(body)

    def test_an_answer_can_be_held_to_a_schema_or_at_least_to_json(self) -> None:
        request = ModelRequest(TALK, schema={"type": "object"})
        assert openai(request)["response_format"]["json_schema"]["schema"] == {"type": "object"}
        assert openai(request, OpenAI(schemas=False))["response_format"] == {"type": "json_object"}

    def test_reasoning_goes_back_only_to_those_who_want_it(self) -> None:
        said = Message("assistant", "Hm.", native={"content": "Hm.", "reasoning_content": "I think."})
        assert "reasoning_content" not in openai(ModelRequest((said,)))["messages"][0]
        wants = OpenAI(gives_back=("reasoning_content",))
        assert openai(ModelRequest((said,)), wants)["messages"][0]["reasoning_content"] == "I think."

    def test_a_signature_on_a_tool_call_comes_back_with_it(self) -> None:
        signed = {"tool_calls": [{"id": "a", "extra_content": {"google": {"thought_signature": "xyz"}}}]}
        said = Message("assistant", calls=(ToolRequest("a", "find_order", {}),), native=signed)
        (call,) = openai(ModelRequest((said,)))["messages"][0]["tool_calls"]
        assert call["extra_content"] == {"google": {"thought_signature": "xyz"}}

    def test_reasoning_is_kept_apart_from_the_reply(self) -> None:
        for message in (
            {"content": "Hello.", "reasoning_content": "Greet."},
            {"content": "Hello.", "reasoning": "Greet."},
            {"content": "<think>Greet.</think>\nHello."},
            {"content": [{"type": "text", "text": "Hello."}], "reasoning": "Greet."},
        ):
            completion = read({"choices": [{"message": message, "finish_reason": "stop"}]})
            assert (completion.text, completion.reasoning) == ("Hello.", "Greet.")

    def test_a_tag_in_mid_sentence_is_the_model_s_own_leak_and_stays(self) -> None:
        completion = read({"choices": [{"message": {"content": "Hello </think> you."}}]})
        assert completion.text == "Hello </think> you."

    @pytest.mark.parametrize(
        ("given", "understood"),
        [
            ('{"order": "#1101"}', {"order": "#1101"}),
            ("", {}),
            (None, {}),
            ({"order": "#1101"}, {"order": "#1101"}),
            ('{"order": ', '{"order": '),
            ("[1, 2]", "[1, 2]"),
            ("[" * 20_000, "[" * 20_000),
        ],
    )
    def test_arguments_are_an_object_or_stay_the_text_they_were(self, given: Any, understood: Any) -> None:
        call = {"id": None, "function": {"name": "find_order", "arguments": given}}
        completion = read({"choices": [{"message": {"content": None, "tool_calls": [call]}}]})
        assert completion.calls == (ToolRequest("call_0", "find_order", understood),)
        assert completion.stop == "calls"

    @pytest.mark.parametrize(
        ("finish", "message", "stop"),
        [
            ("stop", {"content": "Yes."}, "end"),
            ("length", {"content": "Ye"}, "length"),
            ("content_filter", {"content": ""}, "refusal"),
            ("stop", {"content": None, "refusal": "I can't."}, "refusal"),
        ],
    )
    def test_why_it_stopped(self, finish: str, message: dict[str, Any], stop: str) -> None:
        assert read({"choices": [{"message": message, "finish_reason": finish}]}).stop == stop

    @pytest.mark.parametrize(
        ("usage", "buckets"),
        [
            # Reasoning within the output, cached tokens within the prompt.
            (
                {
                    "prompt_tokens": 100,
                    "completion_tokens": 50,
                    "total_tokens": 150,
                    "prompt_tokens_details": {"cached_tokens": 60},
                    "completion_tokens_details": {"reasoning_tokens": 40},
                },
                (40, 60, 0, 50, 40),
            ),
            # Reasoning beside the output: only the total shows it.
            ({"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 150}, (100, 0, 0, 50, 40)),
            (
                {
                    "prompt_tokens": 100,
                    "completion_tokens": 10,
                    "total_tokens": 150,
                    "completion_tokens_details": {"reasoning_tokens": 40},
                },
                (100, 0, 0, 50, 40),
            ),
            # A cache that counts hits in a field of its own.
            (
                {"prompt_tokens": 100, "prompt_cache_hit_tokens": 64, "completion_tokens": 5},
                (36, 64, 0, 5, 0),
            ),
            # Tokens written to the cache.
            (
                {
                    "prompt_tokens": 100,
                    "prompt_tokens_details": {"cache_write_tokens": 30},
                    "total_tokens": 100,
                },
                (70, 0, 30, 0, 0),
            ),
        ],
    )
    def test_buckets_do_not_overlap_whoever_counted(
        self, usage: dict[str, Any], buckets: tuple[int, ...]
    ) -> None:
        found = read({"choices": [{"message": {"content": "x"}}], "usage": usage}).usage
        assert (found.input, found.cache_read, found.cache_write, found.output, found.reasoning) == buckets

    def test_a_cost_the_provider_names_is_kept_and_said_to_be_its_own(self) -> None:
        reply = {"model": "m-2026", "choices": [{"message": {"content": "x"}}], "usage": {"cost": 0.002}}
        usage = read(reply).usage
        assert (usage.cost, usage.cost_by, usage.model) == (0.002, "provider", "m-2026")

    def test_no_cost_is_unknown_and_not_free(self) -> None:
        assert read({"choices": [{"message": {"content": "x"}}]}).usage.cost is None

    @pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"choices": []}', b'{"choices": [{}]}', b'"x"'])
    def test_what_is_no_answer_is_unreadable(self, data: bytes) -> None:
        with pytest.raises(UnreadableAnswer):
            OpenAI().read(data)


class TestAnthropic:
    def test_a_talk_that_the_desk_began_begins_with_the_user_all_the_same(self) -> None:
        talk = (Message("system", "Be kind."), Message("assistant", "Hello!"), Message("user", "Hi."))
        body = anthropic(ModelRequest(talk))
        assert [one["role"] for one in body["messages"]] == ["user", "assistant", "user"]
        assert body["messages"][1]["content"][0]["text"] == "Hello!"

    def test_turns_alternate_and_tool_results_are_the_user_s(self) -> None:
        body = anthropic(ModelRequest(TALK, tools=(LOOK,)))
        assert body["system"][0]["text"] == "You answer e-mails."
        assert [turn["role"] for turn in body["messages"]] == ["user", "assistant", "user"]
        kinds = [block["type"] for block in body["messages"][2]["content"]]
        assert kinds == ["tool_result", "tool_result", "text"]

    def test_what_stays_the_same_is_marked_for_the_cache(self) -> None:
        body = anthropic(ModelRequest(TALK, tools=(LOOK,)))
        assert body["system"][-1]["cache_control"] == {"type": "ephemeral"}
        assert body["messages"][-1]["content"][-1]["cache_control"] == {"type": "ephemeral"}

    def test_thoughts_go_back_as_they_came(self) -> None:
        content = [
            {"type": "thinking", "thinking": "Look first.", "signature": "s"},
            {"type": "tool_use", "id": "a", "name": "find_order", "input": {"order": "#1101"}},
        ]
        reply = {"content": content, "model": "m", "usage": {}, "stop_reason": "tool_use"}
        completion = Anthropic().read(json.dumps(reply).encode())
        assert completion.reasoning == "Look first."
        assert completion.calls == (ToolRequest("a", "find_order", {"order": "#1101"}),)
        body = anthropic(
            ModelRequest((Message("user", "x"), completion.message, Message("tool", "y", answers="a")))
        )
        assert body["messages"][1]["content"] == content

    def test_effort_and_schema_share_one_field(self) -> None:
        body = anthropic(ModelRequest(TALK, schema={"type": "object"}), effort="high")
        assert body["output_config"] == {
            "effort": "high",
            "format": {"type": "json_schema", "schema": {"type": "object"}},
        }
        assert body["thinking"] == {"type": "adaptive"}

    def test_usage_is_disjoint_already(self) -> None:
        usage = {
            "input_tokens": 5,
            "output_tokens": 7,
            "cache_read_input_tokens": 11,
            "cache_creation_input_tokens": 13,
        }
        reply = {"content": [{"type": "text", "text": "Hi."}], "model": "m-1", "usage": usage}
        found = Anthropic().read(json.dumps(reply).encode()).usage
        assert (found.input, found.cache_read, found.cache_write, found.output) == (5, 11, 13, 7)
        assert found.reasoning == 0

    def test_thinking_is_counted_as_a_part_of_the_output(self) -> None:
        usage = {
            "input_tokens": 5,
            "output_tokens": 70,
            "output_tokens_details": {"thinking_tokens": 60},
        }
        found = Anthropic().read(json.dumps({"content": [], "usage": usage}).encode()).usage
        assert (found.output, found.reasoning) == (70, 60)

    @pytest.mark.parametrize(
        ("reason", "stop"), [("end_turn", "end"), ("max_tokens", "length"), ("refusal", "refusal")]
    )
    def test_why_it_stopped(self, reason: str, stop: str) -> None:
        reply = {"content": [], "model": "m", "usage": {}, "stop_reason": reason}
        assert Anthropic().read(json.dumps(reply).encode()).stop == stop

    @pytest.mark.parametrize(
        "data", [b"{", b"{}", b'{"content": [{"type": "tool_use"}], "model": "m", "usage": {}}']
    )
    def test_what_is_no_answer_is_unreadable(self, data: bytes) -> None:
        with pytest.raises(UnreadableAnswer):
            Anthropic().read(data)


class TestComplaints:
    @pytest.mark.parametrize(
        ("status", "words", "cause", "again", "slower"),
        [
            (401, "Incorrect API key provided", "provider_error", False, False),
            (404, "The model does not exist", "provider_error", False, False),
            (402, "Insufficient Balance", "provider_error", False, False),
            (429, "Rate limit reached", "provider_error", True, True),
            (429, "You exceeded your current quota (insufficient_quota)", "provider_error", False, False),
            (400, "This model's maximum context length is 8192 tokens", "context_overflow", False, False),
            (400, "prompt is too long: 210000 tokens > 200000 maximum", "context_overflow", False, False),
            (400, "The response was filtered: content_filter", "refusal", False, False),
            (403, "Your account was flagged for review", "provider_error", False, False),
            (400, "Unknown parameter: seed", "provider_error", False, False),
            (500, "oops", "provider_error", True, False),
            (529, "Overloaded", "provider_error", True, True),
        ],
    )
    def test_each_status_has_one_meaning(
        self, status: int, words: str, cause: str, again: bool, slower: bool
    ) -> None:
        found = error_from(status, json.dumps({"error": {"message": words, "type": "some_error"}}).encode())
        assert (found.cause, found.again, found.slower) == (cause, again, slower)
        assert words in found.message

    @pytest.mark.parametrize(
        "data",
        [
            b'{"error": {"message": "Incorrect API key provided: sk-proj-AbC123***xyz9."}}',
            b'{"error": "bad key sk-or-v1-0123456789abcdef"}',
            b"<html>Bearer xai-0123456789abcdef</html>",
            b'[{"error": {"message": "API key not valid: AIzaSyA1234567890abcdef"}}]',
        ],
    )
    def test_a_key_in_the_provider_s_words_is_cut_out(self, data: bytes) -> None:
        words = error_from(401, data).message
        assert "[key]" in words
        assert not any(part in words for part in ("AbC123", "0123456789", "SyA1234"))


def read(reply: dict[str, Any]) -> Completion:
    return OpenAI().read(json.dumps(reply).encode())


class TestEncodedMessages:
    def test_a_message_is_worded_once_however_often_it_goes_out(self) -> None:
        asked: list[str] = []

        def told(message: Message) -> dict[str, Any]:
            asked.append(message.text)
            return {"said": message.text}

        words, dialogue = EncodedMessages(told), [Message("user", "One?"), Message("assistant", "Two.")]
        for _ in range(3):
            assert [json.loads(bytes(words(message))) for message in dialogue] == [
                {"said": "One?"},
                {"said": "Two."},
            ]
        assert asked == ["One?", "Two."]

    def test_what_is_kept_has_a_limit_and_stays_right_beyond_it(self) -> None:
        words = EncodedMessages(lambda message: {"said": message.text})
        for number in range(10):
            text = str(number) * (CACHE_BYTES // 4)
            assert json.loads(bytes(words(Message("user", text)))) == {"said": text}
            assert sum(len(bytes(raw)) for _, raw in words._kept.values()) <= CACHE_BYTES
        assert words._kept

    def test_a_provider_gets_only_its_own_fields_again(self) -> None:
        thought = Message("assistant", "Yes.", native={"reasoning_content": "hm"})
        plain, gives_back = OpenAI(), OpenAI(gives_back=("reasoning_content",))
        assert "reasoning_content" not in openai(ModelRequest((thought,)), plain)["messages"][0]
        assert openai(ModelRequest((thought,)), gives_back)["messages"][0]["reasoning_content"] == "hm"
        assert "reasoning_content" not in openai(ModelRequest((thought,)), plain)["messages"][0]
