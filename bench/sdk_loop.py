"""The same conversations as a plain loop around the openai SDK, as one would write it in an afternoon."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from openai import AsyncOpenAI
from side import MODEL, Said, Tell, Work, said_in, talk_of

from supportagentbench.desk import Desk
from supportagentbench.desk.message_text import message_text
from supportagentbench.records.transcript import Turn


def run_work(work: Work) -> Tell:
    """Run the conversations, and store each as it ends."""
    held = asyncio.run(_run_all(work))
    return lambda: held


async def _run_all(work: Work) -> Said:
    waiting = iter(
        [(run, case) for run in range(1, work.runs + 1) for case in work.cases.named(work.set_name)]
    )
    held: Said = {}
    work.out.mkdir(parents=True)
    async with AsyncOpenAI(base_url=f"{work.url}/v1", api_key="loopback") as client:
        with (work.out / "held.jsonl").open("w") as file:

            async def run_next() -> None:
                for run, case in waiting:
                    agent = SdkAgent(client)
                    transcript = await talk_of(work, case, run, agent)
                    file.write(json.dumps({"run": run, "case": case.id, "messages": agent.messages}) + "\n")
                    held[f"{run} {case.id}"] = said_in(transcript)

            await asyncio.gather(*(run_next() for _ in range(work.concurrency)))
    return held


class SdkAgent:
    """One model in one conversation."""

    def __init__(self, client: AsyncOpenAI) -> None:
        self.client = client
        self.messages: list[Any] = []
        self.tools: list[Any] = []

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        """Ask until it answers with text."""
        if not self.messages:
            self.messages.append({"role": "system", "content": desk.instructions})
            self.tools = [_tool(tool.name, tool.about, tool.schema) for tool in desk.tools]
        self.messages.append({"role": "user", "content": message_text(turns[-1])})
        while True:
            reply = await self.client.chat.completions.create(
                model=MODEL, messages=self.messages, tools=self.tools
            )
            message = reply.choices[0].message
            self.messages.append(message.model_dump(exclude_none=True))
            if not message.tool_calls:
                return (message.content or "").strip()
            for call in message.tool_calls:
                result = desk.call(call.function.name, json.loads(call.function.arguments))
                self.messages.append({"role": "tool", "tool_call_id": call.id, "content": result.text})


def _tool(name: str, about: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "description": about, "parameters": schema}}
