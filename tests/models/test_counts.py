"""Counts as providers report them: read if they have one meaning, unknown if they cannot be right."""

import pytest
from msgspec.structs import replace

from supportagentbench.models import Completion, Message, ModelRequest, ToolRequest
from supportagentbench.models.counts import read_usage, with_credible_usage
from supportagentbench.records.tool_spec import ToolSpec
from supportagentbench.records.usage import Usage
from supportagentbench.records.usage_counts import MOST_DOLLARS, UsageNames

NAMES = UsageNames("in", "out")


@pytest.mark.parametrize(
    ("cost", "read"),
    [(0.5, 0.5), ("0.5", 0.5), (0, 0.0), (None, None), (-1, None), ("nan", None), (True, None), ([], None)],
)
def test_a_cost_is_a_sum_of_dollars_or_unknown(cost: object, read: float | None) -> None:
    found = read_usage("m", {"in": 1, "out": 1, "cost": cost}, NAMES)
    assert (found.cost, found.cost_by) == (read, "" if read is None else "provider")
    assert read_usage("m", {"in": 1, "out": 1, "cost": MOST_DOLLARS * 2}, NAMES).cost is None


@pytest.mark.parametrize(
    ("cost", "upstream", "own_keys", "read"),
    [
        (0.95, 19, None, 19.95),  # OpenRouter's own example: its fee, and what the model's provider charges.
        (0.95, 19, True, 19.95),
        (0.95, 19, False, 19),
        (0.5, 0.5, None, 0.5),
        (0.5, 0.45, False, 0.5),
        (0.5, 0.45, True, 0.95),
        (0, 0.5, "yes", 0.5),
        (None, 0.5, None, 0.5),
        (0.5, None, True, 0.5),
        (0.5, -1, None, 0.5),
        (None, None, True, None),
    ],
)
def test_with_own_keys_the_upstream_cost_is_charged_besides(
    cost: object, upstream: object, own_keys: object, read: float | None
) -> None:
    sent = {"in": 1, "out": 1, "cost": cost, "cost_details": {"upstream_inference_cost": upstream}}
    assert read_usage("m", sent | {"is_byok": own_keys}, NAMES).cost == read


def test_unknown_counts_quote_what_was_sent_without_keys() -> None:
    found = read_usage("m", {"in": -5, "note": "sk-test-0123456789"}, NAMES)
    assert found.unread == '{"in":-5,"note":"[key]"}'
    assert (found.model, found.input, found.cost) == ("m", 0, None)


def test_a_prompt_without_a_single_token_was_not_counted() -> None:
    assert read_usage("m", {"in": 0, "out": 0}, NAMES).unread
    assert len(read_usage("m", "x" * 9_000, NAMES).unread) < 200


BOOK = "The parcel left our warehouse on Monday, and the carrier has scanned it twice since then. " * 100


def said(usage: Usage, text: str = "", calls: tuple[ToolRequest, ...] = ()) -> Usage:
    request = ModelRequest((Message("system", BOOK), Message("user", "Where is it?")))
    return with_credible_usage(Completion(text, usage, calls), request).usage


def test_counts_below_half_a_token_for_a_word_are_unknown() -> None:
    words = len(BOOK.split()) + 3
    assert said(Usage("m", input=words // 2 + 1, output=1), "Yes.").input == words // 2 + 1
    cached = Usage("m", input=1, cache_read=words, output=1)
    assert said(cached, "Yes.").cache_read == words, "however it is cached"
    found = said(Usage("m", input=words // 4, output=1, cost=0.5, cost_by="provider"), "Yes.")
    assert found == Usage("m", unread=f"{words // 4} tokens of input for {len(BOOK) + 12:,} characters")


def test_an_answer_has_tokens_as_it_has_words() -> None:
    enough = Usage("m", input=9_000)
    assert said(replace(enough, output=1), BOOK).unread == f"1 tokens of output for {len(BOOK):,} characters"
    assert said(enough, "I am looking into it.").unread
    assert said(enough, calls=(ToolRequest("1", "look_up", {}),)).unread
    assert not said(enough).unread, "nothing was written"
    assert not said(replace(enough, output=300), " " * 90_000 + "-" * 90_000).unread, "blanks are few tokens"
    assert said(Usage("m", unread="null"), BOOK).unread == "null"


def test_the_last_message_is_never_in_the_cache() -> None:
    found = said(Usage("m", cache_read=9_000, output=1), "Yes.")
    assert found.unread == "all 9000 tokens of input from the cache, where at least the last message is new"
    assert not said(Usage("m", cache_read=8_000, cache_write=1_000, output=1), "Yes.").unread


def test_tools_are_sent_as_well() -> None:
    tool = ToolSpec("look_up", BOOK, {"properties": {"order": {"description": BOOK}}})
    request = ModelRequest((Message("user", "Where is it?"),), tools=(tool,))
    low, high = (Completion("Yes.", Usage("m", input=tokens, output=1)) for tokens in (30, 2_000))
    assert with_credible_usage(low, request).usage.unread.startswith("30 tokens of input for 18,")
    assert with_credible_usage(high, request) == high


def test_a_call_has_tokens_for_its_names_and_words() -> None:
    call = ToolRequest("1", "send", {"to": "a", "text": BOOK, "copies": 2})
    enough = Usage("m", input=9_000)
    assert said(replace(enough, output=4), calls=(call,)).unread.startswith("4 tokens of output for 9,")
    short = ToolRequest("1", "send", {"to": "a", "copies": 2})
    assert said(replace(enough, output=2), calls=(short,)).unread == (
        "2 tokens of output for tool calls with 3 names"
    )
    assert not said(replace(enough, output=3), calls=(short,)).unread
