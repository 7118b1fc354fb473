"""Language models, for whoever needs one: the agent, the customer's voice, a judge.

A model takes a request and gives a completion, or fails with a reason that has a name. Who carries the
request, over which wire, recorded or replayed, is nobody's business but the model's own.
"""

from typing import Any, Literal, Protocol

from supportagentbench.records.record import Record
from supportagentbench.records.tool_spec import ToolSpec
from supportagentbench.records.transcript import Cause
from supportagentbench.records.usage import Usage

Stop = Literal["end", "calls", "length", "refusal"]
"""Why a model stopped writing; `length`: it was cut off."""


class Wanted(Record):
    """A tool call a model asks for."""

    id: str
    tool: str
    arguments: dict[str, Any] | str
    """Text when what the model sent could not be read as a JSON object."""


class Message(Record):
    """One message of a dialogue between a model and whoever uses it."""

    role: Literal["system", "user", "assistant", "tool"]
    text: str = ""
    calls: tuple[Wanted, ...] = ()
    answers: str = ""
    """On a tool's message: the id of the call it answers."""
    native: dict[str, Any] | None = None
    """On an assistant's: the message as its provider sent it, handed back untouched, reasoning and all."""


class ModelRequest(Record):
    """All a model is asked at once."""

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    schema: dict[str, Any] | None = None
    """JSON Schema the answer has to follow; the text of the completion is then JSON."""
    seed: int = 0
    """Which conversation this belongs to: two runs of one case differ here."""
    step: int = 0
    """How many requests that conversation made before, so that equal requests stay apart."""


class Completion(Record):
    """What a model gave back."""

    text: str
    usage: Usage
    calls: tuple[Wanted, ...] = ()
    stop: Stop = "end"
    reasoning: str = ""
    """What it thought aloud, where the provider shows it; never part of the text."""
    native: dict[str, Any] | None = None

    @property
    def message(self) -> Message:
        """The same as a message of the dialogue."""
        return Message("assistant", self.text, calls=self.calls, native=self.native)


class ModelError(Exception):
    """A model gave no completion: why, in the provider's own words, and what the attempts used."""

    def __init__(self, cause: Cause, detail: str, usage: Usage) -> None:
        super().__init__(detail)
        self.cause: Cause = cause
        self.detail = detail
        self.usage = usage


class Model(Protocol):
    """Whatever completes a request."""

    name: str

    async def complete(self, request: ModelRequest) -> Completion:
        """The answer, or a ModelError."""
        ...
