"""OpenAI agents service: an agent of `openai-agents` that mounts the desk as an MCP server."""

from typing import Any

from agents import Agent, Runner
from agents.mcp import MCPServerStreamableHttp

from integrations.services.serving import MODEL, serve

memory: dict[str, list[Any]] = {}
"""Each conversation so far, as the framework keeps it."""


async def answer(sent: dict[str, Any]) -> dict[str, Any]:
    """The agent's reply."""
    items = [*memory.get(sent["conversation"], ()), {"role": "user", "content": sent["text"]}]
    async with MCPServerStreamableHttp({"url": sent["tools"]["mcp"]}, cache_tools_list=True) as desk:
        agent = Agent(name="Desk", model=MODEL, instructions=sent["instructions"], mcp_servers=[desk])
        done = await Runner.run(agent, items)
    memory[sent["conversation"]] = done.to_input_list()
    usage = [
        {
            "model": MODEL,
            "input_tokens": call.usage.input_tokens,
            "input_tokens_details": {"cached_tokens": call.usage.input_tokens_details.cached_tokens},
            "output_tokens": call.usage.output_tokens,
        }
        for call in done.raw_responses
    ]
    return {"text": done.final_output, "usage": usage}


if __name__ == "__main__":
    serve(answer)
