"""LangGraph: a compiled graph, such as one of `langchain.agents.create_agent`, at the desk.

The conversation is kept by the graph's checkpointer, or without one as the state that the graph returns.
Usage is reported by a callback after every model call, before the tools that this call asked for are run.
"""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import uuid4

from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolCall, ToolMessage
from langchain_core.outputs import ChatGeneration, LLMResult
from langchain_core.tools import BaseTool, StructuredTool
from langgraph.errors import GraphRecursionError
from langgraph.graph.state import CompiledStateGraph

from supportagentbench.desk import AgentFailure, Desk
from supportagentbench.desk.doors.framework import FrameworkAgents, FrameworkDesk
from supportagentbench.models import Message
from supportagentbench.records.tool_spec import ToolSpec

MakeGraph = Callable[[Desk, list[BaseTool]], CompiledStateGraph[Any, Any, Any, Any]]


def on_desk(make: MakeGraph, **config: Any) -> FrameworkAgents:
    """The graph that `make` returns, at the desk; options, such as `recursion_limit`, go to its config."""
    return FrameworkAgents(lambda desk: GraphTalk(make, desk, config), make, **config)


class GraphTalk:
    """One conversation."""

    def __init__(self, make: MakeGraph, desk: FrameworkDesk, config: dict[str, Any]) -> None:
        self._graph = make(desk.desk, [_tool(spec, desk) for spec in desk.desk.tools])
        self._config: Any = config | {
            "callbacks": [*config.get("callbacks", ()), SpendingCallback(desk)],
            "configurable": {"thread_id": uuid4().hex} | config.get("configurable", {}),
        }
        self._state: dict[str, Any] = {"messages": []}

    async def answer(self, messages: Sequence[Message]) -> str:
        """The graph's answer."""
        new = [_message(message) for message in messages]
        given = {"messages": new}
        if not self._graph.checkpointer:
            given = self._state | {"messages": [*self._state["messages"], *new]}
        try:
            self._state = await self._graph.ainvoke(given, self._config)
        except GraphRecursionError as error:
            raise AgentFailure("too_many_calls", str(error)) from error
        last = self._state["messages"][-1]
        return str(last.text) if isinstance(last, AIMessage) else ""

    async def close(self) -> None:
        """Nothing is open."""


class SpendingCallback(AsyncCallbackHandler):
    """Reports every model call."""

    raise_error = True

    def __init__(self, desk: FrameworkDesk) -> None:
        self._desk = desk

    async def on_llm_end(self, response: LLMResult, **_: Any) -> None:
        """A model call is done."""
        for made in (one for several in response.generations for one in several):
            message = made.message if isinstance(made, ChatGeneration) else None
            if isinstance(message, AIMessage) and message.usage_metadata:
                self._desk.spend(message.usage_metadata, message.response_metadata.get("model_name", ""))


def _tool(spec: ToolSpec, desk: FrameworkDesk) -> BaseTool:
    async def run(**arguments: Any) -> str:
        return desk.call(spec.name, arguments)

    return StructuredTool(name=spec.name, description=spec.about, args_schema=spec.schema, coroutine=run)


def _message(message: Message) -> BaseMessage:
    """A message as the framework keeps it; arguments that are not an object become an empty one."""
    if message.role == "user":
        return HumanMessage(message.text)
    if message.role == "tool":
        return ToolMessage(message.text, tool_call_id=message.answers)
    calls = [
        ToolCall(name=call.tool, args=call.arguments if isinstance(call.arguments, dict) else {}, id=call.id)
        for call in message.calls
    ]
    return AIMessage(message.text, tool_calls=calls)
