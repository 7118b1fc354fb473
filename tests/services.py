"""Services in tests: an agent behind HTTP on the loopback, with whatever answers a test gives it."""

import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from aiohttp import ClientSession, web

from conversations import CASES
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.desk.doors.service import ServiceDoor
from supportagentbench.desk.doors.service_plan import ServicePlan
from supportagentbench.records.transcript import Transcript
from supportagentbench.runner.conversation import Sitting, hold

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def served(handler: Handler) -> AsyncIterator[str]:
    """A server on the loopback that answers every request with this handler; its address."""
    app = web.Application(client_max_size=2**24)
    app.router.add_route("*", "/{path:.*}", handler)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    place = socket.socket()
    place.bind(("127.0.0.1", 0))
    await web.SockSite(runner, place).start()
    try:
        yield f"http://127.0.0.1:{place.getsockname()[1]}"
    finally:
        await runner.cleanup()


class ToyService:
    """Answers in order with what a test gives it, and keeps what it was sent."""

    def __init__(self, *answers: Any) -> None:
        self.answers: Sequence[Any] = answers
        self.asked: list[Any] = []
        self.paths: list[str] = []
        self.headers: list[dict[str, str]] = []

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """One request."""
        self.paths.append(request.path_qs)
        self.headers.append(dict(request.headers))
        self.asked.append(await request.json() if request.can_read_body else None)
        answer = self.answers[min(len(self.asked), len(self.answers)) - 1]
        if callable(answer):
            answer = answer(request, self.asked[-1])
        if isinstance(answer, Awaitable):
            answer = await answer
        return answer if isinstance(answer, web.StreamResponse) else web.json_response(answer)


async def talked(case: str, service: "ToyService | Handler", known: str = "", **plan: Any) -> Transcript:
    """One conversation with this service; `{url}` in the plan is its address."""
    async with served(service.answer if isinstance(service, ToyService) else service) as url:
        given: Any = {"url": f"{url}/reply"} | _at(plan, url)
        return await with_service(case, msgspec.convert(given, ServicePlan), known)


async def with_service(case: str, plan: ServicePlan, version: str = "") -> Transcript:
    """One conversation with a service that is served already."""
    plan.check()
    door = ServiceDoor(plan, version)
    try:
        return await hold(CASES, CASES.cases[case], door(0), ScriptedVoice(), Sitting())
    finally:
        await door.aclose()


def _at(plan: Any, url: str) -> Any:
    if isinstance(plan, str):
        return plan.replace("{url}", url)
    if isinstance(plan, dict):
        return {key: _at(value, url) for key, value in plan.items()}
    return plan


async def call_rest(sent: Any, tool: str, **arguments: Any) -> Any:
    """Call a tool at the address that a message brought along."""
    async with ClientSession() as http, http.post(f"{sent['rest']}/tools/{tool}", json=arguments) as answer:
        return await answer.json()
