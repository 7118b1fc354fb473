"""Counts: tokens and dollars as a provider reports them; what is missing or cannot be right is unknown."""

from collections.abc import Iterator, Sequence

import msgspec

from supportagentbench.models import Completion, ModelRequest
from supportagentbench.models.dialect import scrubbed
from supportagentbench.records.tool_spec import ToolSpec
from supportagentbench.records.usage import CostBy, Usage
from supportagentbench.records.usage_counts import NoCount, UsageNames, cost_in, counts_in

MOST_LETTERS = 10
"""Characters that tokens hold on average at most, in any text with words: English has four or five."""

MOST_WORDS = 2
"""Words that tokens hold on average at most: most tokenizers split at blanks, so that it is less than one."""

LONGEST_SENT = 160
"""Characters that are kept of counts that cannot be right."""


def read_usage(model: str, sent: object, names: UsageNames) -> Usage:
    """What a request used, by a dialect's names; unknown if that is missing or cannot be right."""
    try:
        if not isinstance(sent, dict):
            raise NoCount
        found = counts_in(sent, names)
        if not found.input + found.cache_read + found.cache_write:
            raise NoCount  # Nothing is asked without a word.
    except NoCount:
        found = Usage(model, unread=_as_sent(sent))
    cost = cost_in(sent) if isinstance(sent, dict) else None
    by: CostBy = "" if cost is None else "provider"
    return msgspec.structs.replace(found, model=model, cost=cost, cost_by=by)


def with_credible_usage(completion: Completion, request: ModelRequest) -> Completion:
    """The completion; token counts that are too low for the words sent and written are unknown."""
    usage = completion.usage
    sent = [message.text for message in request.messages]
    sent += _tool_words(request.tools)
    calls = [(call.tool, call.arguments) for call in completion.calls]
    doubt = doubt_of(usage, sent, [completion.text], calls)
    if not doubt:
        return completion
    return msgspec.structs.replace(completion, usage=Usage(usage.model, unread=doubt))


def doubt_of(
    usage: Usage, sent: Sequence[str], written: Sequence[str], calls: Sequence[tuple[str, object]]
) -> str:
    """Why counts cannot be right for what was sent, written and called (tool, arguments); empty: they can."""
    if usage.unread:
        return ""
    read = usage.input + usage.cache_read + usage.cache_write
    given = [arguments if isinstance(arguments, dict) else {} for _, arguments in calls]
    texts = [*written, *(one for values in given for one in values.values() if isinstance(one, str))]
    least = sum(1 + len(values) for values in given)
    if _is_too_few(read, sent):
        return f"{read} tokens of input for {sum(map(len, sent)):,} characters"
    if read == usage.cache_read:
        return f"all {read} tokens of input from the cache, where at least the last message is new"
    if _is_too_few(usage.output, texts):
        return f"{usage.output} tokens of output for {sum(map(len, texts)):,} characters"
    if usage.output < least:
        return f"{usage.output} tokens of output for tool calls with {least} names"
    return ""


class ToolWords:
    """The words of a desk's tools, which are the same in all requests of a conversation."""

    def __init__(self) -> None:
        self._tools: tuple[ToolSpec, ...] = ()
        self._words: tuple[str, ...] = ()

    def __call__(self, tools: tuple[ToolSpec, ...]) -> tuple[str, ...]:
        if tools != self._tools:
            self._words = tuple(words for tool in tools for words in _described(tool))
            self._tools = tools
        return self._words


_tool_words = ToolWords()


def _described(tool: ToolSpec) -> Iterator[str]:
    """The words of a tool that every provider passes on, however it writes the rest of the schema."""
    yield tool.about
    fields = tool.schema.get("properties")
    for field in fields.values() if isinstance(fields, dict) else ():
        if isinstance(field, dict):
            yield str(field.get("description", ""))


def _is_too_few(count: int, texts: Sequence[str]) -> bool:
    """Whether no tokenizer makes so few tokens of these texts; their words are only counted in doubt."""
    letters = sum(map(len, texts))
    if count * MOST_LETTERS >= letters:
        return False
    return count * MOST_WORDS < sum(len(text.split()) for text in texts)


def _as_sent(sent: object) -> str:
    return scrubbed(msgspec.json.encode(sent).decode())[:LONGEST_SENT]
