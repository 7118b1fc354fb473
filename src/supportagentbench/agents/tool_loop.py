"""Tool loop: a language model at the desk. It sees only the policy, the tools and the conversation."""

from collections.abc import Sequence
from functools import lru_cache

from supportagentbench.desk import AgentFailure, Desk
from supportagentbench.desk.told_turns import told_turns
from supportagentbench.models import Completion, Message, Model, ModelError, ModelRequest
from supportagentbench.records.tool_spec import ToolSpec
from supportagentbench.records.transcript import Turn
from supportagentbench.records.vocabulary import TICKET_ACTS

PROMPT = "tool_loop/1"
"""Version of what we send besides instructions, tools and messages; runs of two versions are never mixed."""

MOST_STEPS = 12
"""Requests to the model in one turn."""

MOST_MALFORMED = 3
"""Calls in one turn whose arguments could not be read."""


class ToolLoop:
    """One model in one conversation: asked again after every round of tool calls until it writes a reply."""

    def __init__(self, model: Model, seed: int) -> None:
        self.model = model
        self.seed = seed
        self._messages: list[Message] = []
        self._tools: tuple[ToolSpec, ...] = ()
        self._heard = 0
        """How many turns of the conversation its messages contain."""
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
            if was_over and not has_worked:  # It keeps working on a ticket that it has closed.
                self._heard = place + 1
                return completion.text.strip()
            if malformed >= MOST_MALFORMED:
                raise AgentFailure(
                    "malformed_call", f"{malformed} tool calls in one turn were not JSON objects"
                )
        raise AgentFailure("too_many_calls", f"{MOST_STEPS} rounds of tool calls in one turn and no answer")

    def _take_in(self, turns: Sequence[Turn], desk: Desk) -> None:
        """Add the turns since; a conversation or reply that others began is presented as the model's own."""
        if not self._messages:
            self._messages.append(_system(desk.instructions))
            self._tools = tuple(desk.tools)
        self._messages += told_turns(turns, self._heard)
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
    """What precedes the conversation; the same object for every desk with the same instructions."""
    return Message("system", instructions)


def _words(completion: Completion, is_over: bool) -> str:
    """What the customer gets, if anything."""
    if completion.stop == "refusal":
        raise AgentFailure("refusal", completion.text or "the model refused to answer")
    if completion.stop == "length":
        raise AgentFailure("cut_off", "the reply was cut off at the limit of its length")
    if not completion.text.strip() and not is_over:
        raise AgentFailure("empty_reply", "the model neither answered nor called a tool")
    return completion.text.strip()


def _is_begun(turns: Sequence[Turn]) -> bool:
    """Whether others began the reply: its first calls are made, but its text is not written yet."""
    return turns[-1].party == "agent"
