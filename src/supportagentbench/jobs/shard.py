"""Shard: how a job is dealt out to several machines that run the same command.

Each machine deals all conversations in the same way, without a word to the others, and plays its own part:
the longest conversations first, each to the part with the least to do so far.
"""

import heapq
import os
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from supportagentbench.jobs.cost_estimate import CaseWorkload
from supportagentbench.jobs.spec import JobSpec, ShardNumber
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest
from supportagentbench.records.run import Run
from supportagentbench.records.shard import MOST, Shard

POD_INDEX = "JOB_COMPLETION_INDEX"
"""The variable in which an Indexed Job of Kubernetes tells a pod its number, from 0."""

_SHARD = re.compile(r"([0-9]{0,5})/([0-9]{1,5})")


class _Planned(NamedTuple):
    """A conversation of the job, in the order in which conversations are dealt."""

    minus_weight: int
    lot: str
    """Mixes conversations of the same length, so that every part has some of each agent."""
    agent: str
    run: int
    case: str


def shard_of(text: str) -> ShardNumber | None:
    """The part that `--shard` asks for: `3/16`, or `/16` for the part that a pod of an Indexed Job is."""
    if not text:
        return None
    found = _SHARD.fullmatch(text)
    if not found:
        raise Problem(f"--shard is a part of a number of parts, such as 3/16, and not {text[:40]!r}.")
    part, of = found[1] or _pod_number(text), int(found[2])
    if not 1 <= int(part) <= of <= MOST:
        raise Problem(
            f"--shard {text}: there is no part {part} of {of}; they are 1 to {of}, at most {MOST:,}."
        )
    return ShardNumber(int(part), of)


def _pod_number(text: str) -> int:
    number = os.environ.get(POD_INDEX, "")
    if not re.fullmatch(r"[0-9]{1,5}", number):
        raise Problem(
            f"--shard {text} takes its part from {POD_INDEX}, which an Indexed Job of Kubernetes sets; here "
            f"it is {number[:40]!r}. Give the part, such as --shard 1{text}."
        )
    return int(number) + 1


def its_limits(spec: JobSpec) -> JobSpec:
    """The spec of one part: budget and concurrency, which are given for the whole job, are divided."""
    if not spec.shard:
        return spec
    part, of = spec.shard
    if of > spec.concurrency:
        raise Problem(
            f"--shard {part}/{of}: -j {spec.concurrency} lets an agent have {spec.concurrency} conversations "
            f"at a time on all machines together, too few for {of} parts. Raise -j to {of} or more if the "
            "provider allows it, or use fewer parts."
        )
    concurrency = spec.concurrency // of + (part <= spec.concurrency % of)
    return spec.with_(concurrency=concurrency, budget=None if spec.budget is None else spec.budget / of)


def dealt(
    runs: Mapping[str, list[Run]], workloads: Mapping[str, CaseWorkload], shard: ShardNumber
) -> dict[str, list[Run]]:
    """The runs of each agent with this part's conversations; runs and agents without any are left out."""
    headers = {(one.agent, one.run): one for planned in runs.values() for one in planned}
    todo = sorted(
        _Planned(-max(1, workloads[case].expected), digest([agent, run, case]), agent, run, case)
        for (agent, run), header in headers.items()
        for case in header.cases
    )
    if len(todo) < shard.of:
        raise Problem(
            f"--shard {shard.part}/{shard.of}: the job has only {len(todo):,} conversations; use fewer parts."
        )
    hands = _hands(todo, shard.of)
    name = digest([[one.agent, one.run, one.case, hand] for one, hand in zip(todo, hands, strict=True)])
    mine = {
        (one.agent, one.run, one.case) for one, hand in zip(todo, hands, strict=True) if hand == shard.part
    }
    whole = Shard(shard.part, shard.of, name, len(todo), ())
    parts = {agent: [*_parts(planned, mine, whole)] for agent, planned in runs.items()}
    return {agent: its for agent, its in parts.items() if its}


def _hands(todo: Iterable[_Planned], of: int) -> list[int]:
    """Who gets each conversation: the part with the least to do so far."""
    loads = [(0, part) for part in range(1, of + 1)]
    found = []
    for one in todo:
        load, part = loads[0]
        heapq.heapreplace(loads, (load - one.minus_weight, part))
        found.append(part)
    return found


def _parts(planned: Iterable[Run], mine: set[tuple[str, int, str]], shard: Shard) -> Iterable[Run]:
    for header in planned:
        cases = tuple(case for case in header.cases if (header.agent, header.run, case) in mine)
        if cases:
            yield replace(header, cases=cases, shard=replace(shard, cases=header.cases))
