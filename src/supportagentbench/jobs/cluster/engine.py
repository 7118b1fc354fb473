"""Engine: Ray, which starts processes on other machines and says when they are lost. An extra."""

import asyncio
import logging
import os
import re
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import Any

from supportagentbench.agents.resolve import resolve
from supportagentbench.agents.shipped import named
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.records.problem import Problem

WHERE = re.compile(r"auto|local(:[1-9]\d{0,3})?")

QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_DEDUP_LOGS": "1", "RAY_DEDUP_LOGS_SKIP_REGEX": "."}
"""Nothing is reported home, and what Ray says of lost workers is left out: the display has its own words."""

REACH = 10.0
"""Seconds to reach a cluster."""


def refuse_unfit(spec: JobSpec) -> None:
    """Raise a Problem if a job cannot be played on a cluster, or there is no Ray."""
    if not WHERE.fullmatch(spec.cluster):
        raise Problem(f"--cluster is auto, local or local:2 (processes), not {spec.cluster!r}.")
    if find_spec("ray") is None:
        raise Problem("--cluster needs Ray, which is not installed; pip install 'supportagentbench[ray]'.")
    if spec.record or spec.replay:
        raise Problem("recordings are made and replayed in one process; leave out --cluster.")
    for name in spec.agents:
        for agent in map(resolve, named([name])) if isinstance(name, str) else [name]:
            if agent.here_only:
                raise Problem(f"the agent {agent.title!r} {agent.here_only}; leave out --cluster.")


@asynccontextmanager
async def connected(where: str) -> AsyncIterator[int]:
    """Ray, connected to a cluster; how many processes it has room for.

    `auto` is the cluster of this job, or the one that runs on this machine; without any, or with `local`, one
    is started here and ended afterwards.
    """
    os.environ |= QUIET
    import ray

    if ray.is_initialized():
        yield _processes(ray)
        return
    await asyncio.to_thread(_connect, ray, where)  # It takes seconds, and would catch signals in this one.
    try:
        yield _processes(ray)
    finally:
        await asyncio.to_thread(ray.shutdown)


def _processes(ray: Any) -> int:
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def _connect(ray: Any, where: str) -> None:
    logging.getLogger("ray").setLevel(logging.CRITICAL)
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.CRITICAL}
    kind, _, number = where.partition(":")
    try:
        if kind == "auto" and (address := _running()):
            ray.init(address=address, **quiet)
        else:
            count = int(number) if number else None
            ray.init(address="local", num_cpus=count, include_dashboard=False, **quiet)
    except Exception as error:
        words = " ".join(str(error).split())[:500] or type(error).__name__
        raise Problem(f"the cluster cannot be reached ({words}); see `ray status`.") from None


def _running() -> str:
    """The address of the cluster that is to be used; empty if there is none.

    It is tried first, because Ray would try without end, and its file may name a cluster that was killed.
    """
    from ray._private.services import get_ray_address_from_environment

    try:
        address: str = get_ray_address_from_environment("auto", None)
        host, _, port = address.rpartition(":")
        socket.create_connection((host, int(port)), REACH).close()
    except (OSError, ValueError):
        if os.environ.get("RAY_ADDRESS"):
            raise
        return ""
    return address
