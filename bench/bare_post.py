"""The floor: nothing but the HTTP client, as many requests as the conversations need."""

import asyncio

import aiohttp
from side import MODEL, Tell, Work

from supportagentbench.desk.session import DeskSession
from supportagentbench.models import Message, ModelRequest
from supportagentbench.models.openai import OpenAI
from supportagentbench.models.spec import ModelSpec

CALLS_PER_CONVERSATION = 7
"""About as many as the fake provider's clerk makes."""


def run_work(work: Work) -> Tell:
    """Post the first request of each case repeatedly; the answers are ignored."""
    asyncio.run(_post_all(work))
    return dict


async def _post_all(work: Work) -> None:
    waiting = iter(_bodies(work) * work.runs * CALLS_PER_CONVERSATION)
    url = f"{work.url}/v1/chat/completions"
    headers = {"Content-Type": "application/json", "Authorization": "Bearer loopback"}
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def post() -> None:
            for body in waiting:
                async with session.post(url, data=body, headers=headers) as answer:
                    await answer.read()

        await asyncio.gather(*(post() for _ in range(work.concurrency)))


def _bodies(work: Work) -> list[bytes]:
    chosen = work.cases.named(work.set_name)
    desk = DeskSession(work.cases.desk_for(chosen[0])).open_turn()
    system = Message("system", desk.instructions)
    tools = tuple(desk.tools)
    return [
        OpenAI().body(MODEL, ModelRequest((system, Message("user", case.opening)), tools), ModelSpec())
        for case in chosen
    ]
