"""Told turns: a conversation so far as messages to and from a model."""

from collections.abc import Iterator, Sequence

from supportagentbench.desk.message_text import message_text
from supportagentbench.models import Message, ToolRequest
from supportagentbench.records.transcript import Turn


def told_turns(turns: Sequence[Turn], heard: int = 0) -> Iterator[Message]:
    """The turns that were not heard yet; replies of others at the desk appear as the model's own.

    A reply that others began, its first calls made and its text not written yet, appears without its text.
    """
    for number, turn in enumerate(turns[heard:], start=heard):
        if turn.party == "customer":
            yield Message("user", message_text(turn))
            continue
        yield from _calls(turn, number)
        if number + 1 < len(turns):
            yield Message("assistant", turn.text)


def _calls(turn: Turn, number: int) -> Iterator[Message]:
    """The calls of a turn, one by one, each with its result; the reasoning behind them is left out."""
    for position, call in enumerate(turn.calls):
        name = f"call_{number}_{position}"
        yield Message("assistant", calls=(ToolRequest(name, call.tool, call.arguments),))
        yield Message("tool", call.result.text, answers=name)
