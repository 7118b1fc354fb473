"""Pydantic AI service: an agent of `pydantic-ai` that mounts the desk as an MCP server."""

from typing import Any

from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import ModelMessage, ModelResponse

from integrations.services.serving import MODEL, serve

memory: dict[str, list[ModelMessage]] = {}
"""Each conversation so far, as the framework keeps it."""


async def answer(sent: dict[str, Any]) -> dict[str, Any]:
    """The agent's reply."""
    desk = MCPToolset[Any](sent["tools"]["mcp"], tool_error_behavior="failed")
    agent = Agent(f"openai:{MODEL}", instructions=sent["instructions"], toolsets=[desk])
    async with agent:
        done = await agent.run(sent["text"], message_history=memory.get(sent["conversation"]))
    memory[sent["conversation"]] = done.all_messages()
    calls = [one for one in done.new_messages() if isinstance(one, ModelResponse)]
    return {"text": done.output, "usage": [_usage(call) for call in calls]}


def _usage(call: ModelResponse) -> dict[str, Any]:
    used = call.usage
    return {
        "model": call.model_name,
        "input_tokens": used.input_tokens,
        "cache_read_tokens": used.cache_read_tokens,
        "output_tokens": used.output_tokens,
    }


if __name__ == "__main__":
    serve(answer)
