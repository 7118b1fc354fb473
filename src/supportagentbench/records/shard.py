"""Shard: which part of a job a run is, if the job was dealt out to several machines."""

from typing import Annotated

from msgspec import Meta

from supportagentbench.records.name import Id
from supportagentbench.records.record import Record

MOST = 10_000
"""Parts that a job can be dealt out in."""

PartNumber = Annotated[int, Meta(ge=1, le=MOST)]
"""From 1."""


class Shard(Record):
    """One part of a job, and what it is a part of."""

    part: PartNumber
    of: PartNumber
    deal: str
    """The same for all parts of a job: a digest of every planned conversation and of who plays it."""
    conversations: Annotated[int, Meta(ge=1)]
    """Planned in all runs of the job together."""
    cases: tuple[Id, ...]
    """Every planned conversation of the whole run, by case id."""

    @property
    def shown(self) -> str:
        """What it is, in words."""
        return f"part {self.part} of {self.of}"
