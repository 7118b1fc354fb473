"""Borrowed: an agent that says and does, word for word, what an agent that comes with the package does."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

from supportagentbench.agents.shipped import SHIPPED
from supportagentbench.jobs.rederive import stage_of
from supportagentbench.jobs.reenactment import Reenactment
from supportagentbench.jobs.repeats import TOO_MANY, words_of
from supportagentbench.jobs.secret import NO_SECRET, Secret
from supportagentbench.records.transcript import Transcript
from supportagentbench.storage.archive import read_header
from supportagentbench.storage.transcripts import read_transcripts

SAMPLE = 8
"""How many conversations of a run are compared, spread over all of them."""


def borrowed_words(folder: Path, secret: Secret = NO_SECRET) -> Iterator[str]:
    """A clause with the shipped agent that most conversations of a run could be of, if there is one."""
    stage = stage_of(read_header(folder), secret)
    recorded = [filed.transcript for filed in read_transcripts(folder)]
    sample = recorded[:: max(1, len(recorded) // SAMPLE)][:SAMPLE]
    alike = {name: sum(asyncio.run(_are_alike(stage, one, name)) for one in sample) for name in SHIPPED}
    name = max(alike, key=alike.__getitem__)
    if alike[name] > TOO_MANY * len(sample):
        yield f"it is {name}, which comes with the benchmark, word for word in {alike[name]} of {len(sample)}"


async def _are_alike(stage: Reenactment, recorded: Transcript, name: str) -> bool:
    try:
        played = await stage.by_shipped_agent(recorded, name)
    except Exception:  # The recorded words of a customer may not fit another agent.
        return False
    return played is not None and words_of(played, stage.header) == words_of(recorded, stage.header)
