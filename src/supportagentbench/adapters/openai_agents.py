"""OpenAI Agents: an agent of the package `openai-agents` at the desk.

The conversation is kept as the framework's list of input items. Usage is reported by its hook after every
model call, before the tools that this call asked for are run.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from agents import Agent, FunctionTool, MaxTurnsExceeded, ModelResponse, RunContextWrapper, RunHooks, Runner
from agents.models import get_default_model
from agents.tool_context import ToolContext
from msgspec.json import encode

from supportagentbench.desk import AgentFailure, Desk
from supportagentbench.desk.doors.framework import FrameworkAgents, FrameworkDesk
from supportagentbench.models import Message
from supportagentbench.models.dialect import as_arguments
from supportagentbench.records.tool_spec import ToolSpec

MakeAgent = Callable[[Desk, list[FunctionTool]], Agent[Any]]


def on_desk(make: MakeAgent, **options: Any) -> FrameworkAgents:
    """The agent that `make` returns, at the desk; options, such as `max_turns`, go to `Runner.run`."""
    return FrameworkAgents(lambda desk: AgentsTalk(make, desk, options), make, **options)


class AgentsTalk:
    """One conversation."""

    def __init__(self, make: MakeAgent, desk: FrameworkDesk, options: dict[str, Any]) -> None:
        self._agent = make(desk.desk, [_tool(spec, desk) for spec in desk.desk.tools])
        self._hooks = SpendingHooks(desk)
        self._options = options
        self._items: list[Any] = []

    async def answer(self, messages: Sequence[Message]) -> str:
        """The framework's answer."""
        self._items += [item for message in messages for item in _items(message)]
        try:
            done = await Runner.run(self._agent, self._items, hooks=self._hooks, **self._options)
        except MaxTurnsExceeded as error:
            raise AgentFailure("too_many_calls", str(error)) from error
        self._items = done.to_input_list()
        return "" if done.final_output is None else str(done.final_output)

    async def close(self) -> None:
        """Nothing is open."""


class SpendingHooks(RunHooks[Any]):
    """Reports every model call."""

    def __init__(self, desk: FrameworkDesk) -> None:
        self._desk = desk

    async def on_llm_end(
        self, context: RunContextWrapper[Any], agent: Agent[Any], response: ModelResponse
    ) -> None:
        """A model call is done."""
        model = agent.model or get_default_model()
        self._desk.spend(
            response.usage, model if isinstance(model, str) else str(getattr(model, "model", ""))
        )


def _tool(spec: ToolSpec, desk: FrameworkDesk) -> FunctionTool:
    async def run(context: ToolContext[Any], arguments: str) -> str:
        return desk.call(spec.name, as_arguments(arguments))

    return FunctionTool(spec.name, spec.about, spec.schema, run, strict_json_schema=False)


def _items(message: Message) -> Iterator[dict[str, Any]]:
    """A message as the framework keeps it."""
    if message.role == "tool":
        yield {"type": "function_call_output", "call_id": message.answers, "output": message.text}
    elif not message.calls:
        yield {"role": message.role, "content": message.text}
    for call in message.calls:
        arguments = call.arguments if isinstance(call.arguments, str) else encode(call.arguments).decode()
        yield {"type": "function_call", "call_id": call.id, "name": call.tool, "arguments": arguments}
