"""Claude Agent SDK: an agent of the package `claude-agent-sdk`, which drives Claude Code, at the desk.

Claude Code keeps the conversation, in a separate process for each conversation. Usage is reported from the
model's events at the end of every model call. Claude Code starts a tool while the model still writes; the
tool waits for that end, so that usage comes before the tools that the call asked for.

Claude Code runs as with `--bare`: otherwise it tells its model about this machine and today's date, which is
not the day at the desk. The customer's words are never commands or names of files to it.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import uuid4

from claude_agent_sdk import (
    AssistantMessage,
    ClaudeAgentOptions,
    ClaudeSDKClient,
    InMemorySessionStore,
    ResultMessage,
    SdkMcpTool,
    StreamEvent,
    project_key_for_directory,
)

from supportagentbench.desk import AgentFailure, Desk
from supportagentbench.desk.doors.framework import FrameworkAgents, FrameworkDesk
from supportagentbench.desk.doors.outage import ProviderFailed, is_outage
from supportagentbench.models import Message
from supportagentbench.records.tool_spec import ToolSpec

MakeOptions = Callable[[Desk, list[SdkMcpTool[Any]]], ClaudeAgentOptions]

VARIABLES = {"CLAUDE_CODE_SIMPLE": "1", "CLAUDE_AGENT_SDK_MCP_NO_PREFIX": "1"}
"""`--bare`, and tools under the names that the desk gives them; the user's own values come first."""

ARGUMENTS: dict[str, str | None] = {"no-session-persistence": None}
"""No conversation is left in the user's folder of Claude Code."""


def on_desk(make: MakeOptions) -> FrameworkAgents:
    """The agent with the options that `make` returns, at the desk."""
    return FrameworkAgents(lambda desk: ClaudeTalk(make, desk), make)


REFUSALS = (
    "authentication_failed",
    "billing_error",
    "rate_limit",
    "server_error",
)
"""What Claude Code calls failures of the provider."""


class ClaudeTalk:
    """One conversation."""

    def __init__(self, make: MakeOptions, desk: FrameworkDesk) -> None:
        self._desk = desk
        self._client: ClaudeSDKClient | None = None
        self._calls: dict[str | None, UnfinishedCall] = {}
        """The model calls under way: the agent's own, and those of agents that it started."""
        self._is_refused = False
        """Whether the last message is Claude Code's, of a provider that failed."""
        self._is_reported = asyncio.Event()
        """Set while no model call is under way."""
        given = make(desk.desk, [self._tool(spec) for spec in desk.desk.tools])
        self._options = replace(
            given,
            env=VARIABLES | given.env,
            extra_args=ARGUMENTS | given.extra_args,
            verbatim_prompts=True,
            include_partial_messages=True,
        )

    async def answer(self, messages: Sequence[Message]) -> str:
        """Claude Code's answer."""
        client = self._client = self._client or await self._begun(messages[:-1])
        await client.query(messages[-1].text)
        async for event in client.receive_response():
            if isinstance(event, StreamEvent):
                self._note(event.event, event.parent_tool_use_id)
            elif isinstance(event, AssistantMessage):
                self._is_refused = event.error in REFUSALS
            elif isinstance(event, ResultMessage):
                return _words(event, self._is_refused)
            if self._desk.overrun:  # Claude Code has told its model of it as of any other error, and goes on.
                raise self._desk.overrun
        raise AgentFailure("agent_error", "Claude Code ended without a result")

    async def close(self) -> None:
        """End the conversation's process."""
        if self._client:
            await self._client.disconnect()

    async def _begun(self, messages: Sequence[Message]) -> ClaudeSDKClient:
        """Claude Code, which remembers these messages as a stored conversation that it resumes."""
        options = self._options
        if messages:
            store, number = InMemorySessionStore(), str(uuid4())
            place = {"project_key": project_key_for_directory(options.cwd), "session_id": number}
            await store.append(place, list(_entries(messages, number)))
            options = replace(options, session_store=store, resume=number)
        client = ClaudeSDKClient(options)
        await client.connect()
        return client

    def _note(self, event: dict[str, Any], agent: str | None) -> None:
        """Report a model call at its end: its input is counted at its start, its output as it ends."""
        match event["type"]:
            case "message_start":
                self._calls[agent] = UnfinishedCall(event["message"]["model"], event["message"]["usage"])
                self._is_reported.clear()
            case "message_delta":
                self._calls[agent].counts.update(event["usage"])
            case "message_stop":
                done = self._calls.pop(agent)
                self._desk.spend(done.counts, done.model)
        if not self._calls:
            self._is_reported.set()

    def _tool(self, spec: ToolSpec) -> SdkMcpTool[Any]:
        async def run(arguments: dict[str, Any]) -> dict[str, Any]:
            await self._is_reported.wait()
            return {"content": [{"type": "text", "text": self._desk.call(spec.name, arguments)}]}

        # Claude Code tells its model only the first paragraph of a description.
        return SdkMcpTool(spec.name, spec.about.replace("\n\n", "\n"), spec.schema, run)


class UnfinishedCall(NamedTuple):
    """A model call under way, and what it has used so far."""

    model: str
    counts: dict[str, Any]


def _words(result: ResultMessage, is_refused: bool) -> str:
    """What the customer gets; Claude Code writes its errors as text, too, and those are not sent."""
    if result.subtype == "error_max_turns":
        raise AgentFailure("too_many_calls", f"Claude Code stopped after {result.num_turns} turns")
    if result.is_error and (is_refused or is_outage(getattr(result, "api_error_status", None))):
        raise ProviderFailed(f"Claude Code: {result.result or result.errors or result.subtype}")
    if result.is_error:
        raise AgentFailure("agent_error", f"Claude Code: {result.result or result.errors or result.subtype}")
    return result.result or ""


def _entries(messages: Sequence[Message], number: str) -> Iterator[Any]:
    """Messages as Claude Code stores them."""
    before = None
    for message in messages:
        name, role = str(uuid4()), "assistant" if message.role == "assistant" else "user"
        yield {
            "type": role,
            "uuid": name,
            "parentUuid": before,
            "sessionId": number,
            "timestamp": datetime.now(UTC).isoformat(),
            "isSidechain": False,
            "message": {"role": role, "content": _content(message)},
        }
        before = name


def _content(message: Message) -> list[dict[str, Any]]:
    if message.role == "tool":
        return [{"type": "tool_result", "tool_use_id": message.answers, "content": message.text}]
    if message.calls:
        return [
            {
                "type": "tool_use",
                "id": call.id,
                "name": call.tool,
                "input": call.arguments if isinstance(call.arguments, dict) else {},
            }
            for call in message.calls
        ]
    return [{"type": "text", "text": message.text}]
