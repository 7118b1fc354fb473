"""Pydantic AI: an agent of the package `pydantic-ai` at the desk.

The conversation is kept as the framework's message history. Usage is reported by its hook after every model
call, before the tools that this call asked for are run.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pydantic_ai import Agent, ModelResponse, RunContext, Tool
from pydantic_ai.capabilities import Hooks
from pydantic_ai.exceptions import UsageLimitExceeded
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from supportagentbench.desk import AgentFailure, Desk
from supportagentbench.desk.doors.framework import FrameworkAgents, FrameworkDesk
from supportagentbench.models import Message
from supportagentbench.records.tool_spec import ToolSpec

MakeAgent = Callable[[Desk, list[Tool[Any]]], Agent[Any, Any]]


def on_desk(make: MakeAgent, **options: Any) -> FrameworkAgents:
    """The agent that `make` returns, at the desk; options, such as `deps`, go to `Agent.run`."""
    return FrameworkAgents(lambda desk: PydanticTalk(make, desk, options), make, **options)


class PydanticTalk:
    """One conversation."""

    def __init__(self, make: MakeAgent, desk: FrameworkDesk, options: dict[str, Any]) -> None:
        self._agent = make(desk.desk, [_tool(spec, desk) for spec in desk.desk.tools])
        self._hooks = _spending_hooks(desk)
        self._options = options
        self._history: list[ModelMessage] = []

    async def answer(self, messages: Sequence[Message]) -> str:
        """The framework's answer."""
        self._history += _history(messages[:-1])
        try:
            done = await self._agent.run(
                messages[-1].text,
                message_history=self._history,
                **self._options,
                capabilities=[*self._options.get("capabilities", ()), self._hooks],
            )
        except UsageLimitExceeded as error:
            raise AgentFailure("too_many_calls", str(error)) from error
        self._history = done.all_messages()
        return "" if done.output is None else str(done.output)

    async def close(self) -> None:
        """Nothing is open."""


def _spending_hooks(desk: FrameworkDesk) -> Hooks[Any]:
    """Reports every model call."""

    def spend(context: RunContext[Any], *, request_context: Any, response: ModelResponse) -> ModelResponse:
        desk.spend(response.usage, response.model_name or "")
        return response

    return Hooks(after_model_request=spend)


def _tool(spec: ToolSpec, desk: FrameworkDesk) -> Tool[Any]:
    async def run(**arguments: Any) -> str:
        return desk.call(spec.name, arguments)

    tool: Tool[Any] = Tool.from_schema(run, spec.name, spec.about, spec.schema)
    tool.strict = False
    return tool


def _history(messages: Iterable[Message]) -> list[ModelMessage]:
    """Messages as the framework keeps them."""
    names: dict[str, str] = {}
    history: list[ModelMessage] = []
    for message in messages:
        names |= {call.id: call.tool for call in message.calls}
        if message.role == "assistant":
            calls = [ToolCallPart(call.tool, call.arguments, call.id) for call in message.calls]
            history.append(ModelResponse(calls or [TextPart(message.text)]))
        elif message.role == "tool":
            answer = ToolReturnPart(names[message.answers], message.text, message.answers)
            history.append(ModelRequest([answer]))
        else:
            history.append(ModelRequest([UserPromptPart(message.text)]))
    return history
