"""The same conversations as a plain loop around the openai SDK, as one would write it in an afternoon."""

import asyncio
import json
from typing import Any

from openai import AsyncOpenAI
from side import MODEL, Said, Tell, Work, customer_for, with_files

from supportagentbench.desk import Desk
from supportagentbench.desk.session import DeskSession
from supportagentbench.records.record import to_json
from supportagentbench.runner.conversation import TURN_LIMIT


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
                    said, messages = await _converse(client, work, case.id, run)
                    file.write(json.dumps({"run": run, "case": case.id, "messages": messages}) + "\n")
                    held[f"{run} {case.id}"] = said

            await asyncio.gather(*(run_next() for _ in range(work.concurrency)))
    return held


async def _converse(client: AsyncOpenAI, work: Work, name: str, run: int) -> tuple[list[str], list[Any]]:
    case = work.cases.cases[name]
    customer, session = customer_for(case, run, work.reader), DeskSession(work.cases.desk_for(case))
    desk = session.open_turn()
    tools = [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.about, "parameters": tool.schema},
        }
        for tool in desk.tools.values()
    ]
    messages: list[Any] = [{"role": "system", "content": desk.instructions}]
    turn = customer.open(case.opening)
    said = [turn.text]
    for number in range(1, TURN_LIMIT + 1):
        session.receive(turn.attachments)
        messages.append({"role": "user", "content": with_files(turn)})
        words = await _answer(client, messages, tools, desk, said)
        if session.ticket != "open" or number == TURN_LIMIT:
            break
        turn = await customer.answer(words)
        said.append(turn.text)
        if turn.conduct and turn.conduct.leaves:
            break
    return said, messages


async def _answer(
    client: AsyncOpenAI, messages: list[Any], tools: list[Any], desk: Desk, said: list[str]
) -> str:
    """Ask until it answers with text."""
    while True:
        reply = await client.chat.completions.create(model=MODEL, messages=messages, tools=tools)
        message = reply.choices[0].message
        messages.append(message.model_dump(exclude_none=True))
        if not message.tool_calls:
            said.append((message.content or "").strip())
            return said[-1]
        for call in message.tool_calls:
            arguments = json.loads(call.function.arguments)
            result = desk.call(call.function.name, arguments)
            said.append(f"{call.function.name} {to_json(arguments).decode()}")
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result.text})
