"""The command `sab fake`."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from supportagentbench.fake_provider.provider import FakeProvider

SAME = "--customer scripted --set tracking --yes"
"""What both lines have that try a model: no question is asked, and no other model plays the customer."""


def fake(
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port; 0: any free one.")] = 0,
    faults: Annotated[
        str, typer.Option("--faults", help="How often what goes wrong: rate_limited=0.05,latency=0.2.")
    ] = "",
    reasons: Annotated[bool, typer.Option("--reasons", help="Write reasoning before every answer.")] = False,
) -> None:
    """Serve a fake model provider, to try models without a key.

    It prints its address on this machine, and lines to paste into another terminal.
    """
    import asyncio

    from supportagentbench.fake_provider.clerk import Clerk
    from supportagentbench.fake_provider.faults import faults_from
    from supportagentbench.fake_provider.provider import FakeProvider

    asyncio.run(_serve(FakeProvider(Clerk(reasons=reasons), faults_from(faults), port=port)))


async def _serve(provider: "FakeProvider") -> None:
    """Serve until interrupted."""
    import asyncio
    import signal

    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with provider:
        for line in ready_lines(provider.url):
            typer.echo(line)
        await stop.wait()


def ready_lines(url: str) -> tuple[str, ...]:
    """The address, a run in each of two dialects, and what an agent's own library needs."""
    library = {"OPENAI": f"{url}/v1", "ANTHROPIC": url}
    names = " ".join(f"{name}_API_KEY=fake {name}_BASE_URL={place}" for name, place in library.items())
    return (
        url,
        f"OPENAI_API_KEY=fake sab run openai:clerk,base_url={url}/v1 {SAME}",
        f"ANTHROPIC_API_KEY=fake sab run anthropic:clerk,base_url={url} {SAME}",
        f"export {names}",
    )
