"""Language models: for the agent, the customer's voice and the judge.

A model takes a request and returns a completion, or fails with a named cause. Whether a request goes over
HTTP, is recorded or replayed is hidden behind `Model`.
"""

from typing import Any, Literal, Protocol

from supportagentbench.records.record import Record
from supportagentbench.records.tool_spec import ToolSpec
from supportagentbench.records.transcript import Cause
from supportagentbench.records.usage import Usage

Stop = Literal["end", "calls", "length", "refusal"]
"""Why a model stopped writing; `length`: it was cut off."""


class ToolRequest(Record):
    """A tool call a model asks for."""

    id: str
    tool: str
    arguments: dict[str, Any] | str
    """Text if the model sent something other than a JSON object."""


class Message(Record):
    """One message between a model and its user."""

    role: Literal["system", "user", "assistant", "tool"]
    text: str = ""
    calls: tuple[ToolRequest, ...] = ()
    answers: str = ""
    """On a tool message: the id of the call it answers."""
    native: dict[str, Any] | None = None
    """On an assistant message: the provider's own message with its reasoning, sent back unchanged."""
    author: str = ""
    """Who wrote the message `native`: it is sent only to them."""


class ModelRequest(Record):
    """One request to a model."""

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    schema: dict[str, Any] | None = None
    """JSON Schema that the answer must follow; the text of the completion is then JSON."""
    seed: int = 0
    """The conversation this belongs to: two runs of one case have different seeds."""
    step: int = 0
    """How many requests the conversation made before this one, so that equal requests remain distinct."""


class Completion(Record):
    """What a model returned."""

    text: str
    usage: Usage
    calls: tuple[ToolRequest, ...] = ()
    stop: Stop = "end"
    reasoning: str = ""
    """The reasoning that the provider returned, if any; never part of the text."""
    native: dict[str, Any] | None = None
    author: str = ""
    """Provider, model and API that answered, if `native` is to go back to them."""

    @property
    def message(self) -> Message:
        """The completion as a message of the dialogue."""
        return Message("assistant", self.text, calls=self.calls, native=self.native, author=self.author)


class ModelError(Exception):
    """A model returned no completion: why, in the provider's own words, and what the attempts used."""

    def __init__(self, cause: Cause, detail: str, usage: Usage) -> None:
        super().__init__(detail)
        self.cause: Cause = cause
        self.detail = detail
        self.usage = usage


class Model(Protocol):
    """Anything that completes a request."""

    name: str

    async def complete(self, request: ModelRequest) -> Completion:
        """Return the answer, or raise a ModelError."""
        ...
