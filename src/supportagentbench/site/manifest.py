"""Manifest: every run that the pages were made from, with digests to check it against."""

import msgspec

from supportagentbench.records.name import Id
from supportagentbench.records.record import Record, digest, to_json
from supportagentbench.records.run import Run
from supportagentbench.records.version import __version__
from supportagentbench.records.vocabulary import Vocabulary
from supportagentbench.site.data import Kept, SiteData

SHARED = ("policy", "rules", "cases", "vocabulary")
"""Parts of a header that are long and the same in most runs: written once."""


class Included(Record):
    """One run: its header, and the digest of its conversations."""

    header: Run
    """Without the shared parts, if they are those of the manifest."""
    slug: Id
    """The agent's name in links."""
    conversations: int
    planned: int
    digest: str
    """Of the digests of its conversations, by case."""
    is_shared: bool = True


class Manifest(Record, tag_field="record", tag="site/1"):
    """What a folder of pages was made from."""

    package: str
    kept: Kept
    shared: Run
    """The header whose shared parts apply to all runs that say so."""
    runs: tuple[Included, ...]
    left_out: int
    """Conversations that count but are not in the folder."""

    def headers(self) -> list[Run]:
        """The headers as they were."""
        whole = {name: getattr(self.shared, name) for name in SHARED}
        return [
            msgspec.structs.replace(one.header, **whole) if one.is_shared else one.header for one in self.runs
        ]


def manifest_of(data: SiteData) -> bytes:
    """The manifest, laid out for people."""
    first = _as_recorded(data.runs[0].header, data)
    runs = []
    for run in data.runs:
        alike = all(getattr(run.header, name) == getattr(first, name) for name in SHARED)
        header = _as_recorded(_without_shared(run.header) if alike else run.header, data)
        known = sorted((verdict.case, verdict.transcript) for verdict in run.verdicts)
        slug = data.slugs[run.header.agent]
        runs.append(Included(header, slug, len(run.verdicts), len(run.header.cases), digest(known), alike))
    left_out = sum(not row.is_kept for row in data.rows)
    made = Manifest(__version__, data.kept, first, tuple(runs), left_out)
    return msgspec.json.format(to_json(made), indent=1) + b"\n"


def _as_recorded(header: Run, data: SiteData) -> Run:
    """The header with the agent's name in the run, whatever pages call it."""
    return msgspec.structs.replace(header, agent=data.recorded.get(header.agent, header.agent))


def _without_shared(header: Run) -> Run:
    return msgspec.structs.replace(header, policy="", rules=(), cases=(), vocabulary=Vocabulary("", ()))
