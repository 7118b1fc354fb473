"""`python -m fake_provider`: serves a fake model provider on the loopback, with faults on request."""

import argparse
import asyncio
import signal

from fake_provider.clerk import Clerk
from fake_provider.faults import faults_from
from fake_provider.provider import FakeProvider
from supportagentbench.records.problem import Problem


async def serve(provider: FakeProvider) -> None:
    """Print the address on the first line, and serve until interrupted."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with provider:
        print(provider.url, flush=True)
        await stop.wait()


def main() -> None:
    """Serve from the command line."""
    options = argparse.ArgumentParser(
        prog="python -m fake_provider", description="A fake model provider on the loopback."
    )
    options.add_argument("--port", type=int, default=0, help="0: any free one.")
    options.add_argument("--faults", default="", help="Such as rate_limited=0.05,latency=0.2.")
    options.add_argument("--reasons", action="store_true", help="Include reasoning in every reply.")
    given = options.parse_args()
    try:
        faults = faults_from(given.faults)
    except Problem as problem:
        options.error(str(problem))
    asyncio.run(serve(FakeProvider(Clerk(reasons=given.reasons), faults, port=given.port)))


if __name__ == "__main__":
    main()
