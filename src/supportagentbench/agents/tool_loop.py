"""Tool loop: a language model at the desk. It sees the policy, the tools and the talk, and nothing else."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from supportagentbench.desk import AgentFailure, Desk
from supportagentbench.models import Completion, Message, Model, ModelError, ModelRequest, ToolRequest
from supportagentbench.records.tool_spec import ToolSpec
from supportagentbench.records.transcript import Attachment, Turn
from supportagentbench.records.vocabulary import TICKET_ACTS

PROMPT = "tool_loop/1"
"""Version of what a model is sent besides instructions, tools and messages; runs of two are never mixed."""

MOST_STEPS = 12
"""Requests to the model in one turn."""

MOST_MALFORMED = 3
"""Calls in one turn whose arguments could not be read."""


class ToolLoop:
    """One model in one conversation: asked again after every round of tools, until it answers in words."""

    def __init__(self, model: Model, seed: int) -> None:
        self.model = model
        self.seed = seed
        self._messages: list[Message] = []
        self._tools: tuple[ToolSpec, ...] = ()
        self._heard = 0
        """How many turns of the talk its messages hold."""
        self._steps = 0

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        self._take_in(turns, desk)
        place = len(turns) - _is_begun(turns)
        malformed, is_over = 0, False
        for _ in range(MOST_STEPS):
            completion = await self._ask(desk)
            self._messages.append(completion.message)
            if not completion.calls:
                self._heard = place + 1
                return _words(completion, is_over)
            was_over, has_worked = is_over, False
            for wanted in completion.calls:
                result = desk.call(wanted.tool, wanted.arguments)
                malformed += isinstance(wanted.arguments, str)
                is_over |= result.ok and wanted.tool in TICKET_ACTS
                has_worked |= result.ok
                self._messages.append(Message("tool", result.text, answers=wanted.id))
            if was_over and not has_worked:  # It goes on working at a ticket that it has closed.
                self._heard = place + 1
                return completion.text.strip()
            if malformed >= MOST_MALFORMED:
                raise AgentFailure(
                    "malformed_call", f"{malformed} tool calls in one turn were no JSON objects"
                )
        raise AgentFailure("too_many_calls", f"{MOST_STEPS} rounds of tool calls in one turn and no answer")

    def _take_in(self, turns: Sequence[Turn], desk: Desk) -> None:
        """Add what was said since; a talk, or a reply, that others began is told as if it were its own."""
        if not self._messages:
            self._messages.append(_system(desk.instructions))
            self._tools = tuple(desk.tools.values())
        for number, turn in enumerate(turns[self._heard :], start=self._heard):
            if turn.party == "customer":
                self._messages.append(from_customer(turn))
                continue
            self._messages += _retold(turn, number)
            if number + 1 < len(turns):
                self._messages.append(Message("assistant", turn.text))
        self._heard = len(turns)

    async def _ask(self, desk: Desk) -> Completion:
        request = ModelRequest(tuple(self._messages), tools=self._tools, seed=self.seed, step=self._steps)
        self._steps += 1
        try:
            completion = await self.model.complete(request)
        except ModelError as error:
            desk.spend(error.usage)
            raise
        desk.spend(completion.usage)
        return completion


@lru_cache(8)
def _system(instructions: str) -> Message:
    """What comes before the talk; the same object at every desk that has the same instructions."""
    return Message("system", instructions)


def _words(completion: Completion, is_over: bool) -> str:
    """What goes to the customer, if anything does."""
    if completion.stop == "refusal":
        raise AgentFailure("refusal", completion.text or "the model refused to answer")
    if completion.stop == "length":
        raise AgentFailure("cut_off", "the reply was cut off at the limit of its length")
    if not completion.text.strip() and not is_over:
        raise AgentFailure("empty_reply", "the model neither answered nor called a tool")
    return completion.text.strip()


def from_customer(turn: Turn) -> Message:
    """A customer's message as a model reads it: who sent it, the words, and what the files show."""
    head = [f"From: {turn.sender}"] if turn.sender else []
    return Message("user", "\n\n".join([*head, turn.text, *map(_file_line, turn.attachments)]))


def _file_line(file: Attachment) -> str:
    return f"[Attached {file.kind} {file.name}: {file.shows}]"


def _is_begun(turns: Sequence[Turn]) -> bool:
    """Whether the reply was begun by others: its first calls are made, and its words are not written."""
    return turns[-1].party == "agent"


def _retold(turn: Turn, number: int) -> Iterator[Message]:
    """What another agent did in a turn, as this one's own; its reasoning is sent to nobody."""
    for position, call in enumerate(turn.calls):
        name = f"call_{number}_{position}"
        yield Message("assistant", calls=(ToolRequest(name, call.tool, call.arguments),))
        yield Message("tool", call.result.text, answers=name)
