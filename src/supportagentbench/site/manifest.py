"""Manifest: every run that went into the pages, by what it can be checked against."""

import msgspec

from supportagentbench.records.record import Record, digest, from_json, to_json
from supportagentbench.records.run import Run
from supportagentbench.records.version import __version__
from supportagentbench.site.data import Kept, SiteData

SHARED = ("policy", "rules", "cases")
"""Parts of a header that are long and the same in most runs: written once."""


class Included(Record):
    """One run: its header, and what its conversations are to hash to."""

    header: Run
    """Without the shared parts, if they are those of the manifest."""
    slug: str
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
    """The header whose policy, rules and cases stand for all that say so."""
    runs: tuple[Included, ...]
    left_out: int
    """Conversations that count but do not lie in the folder."""

    def headers(self) -> list[Run]:
        """The headers as they were."""
        whole = {name: getattr(self.shared, name) for name in SHARED}
        return [
            msgspec.structs.replace(one.header, **whole) if one.is_shared else one.header for one in self.runs
        ]


def manifest_of(data: SiteData) -> bytes:
    """The manifest, laid out for people."""
    first = data.runs[0].header
    runs = []
    for run in data.runs:
        alike = all(getattr(run.header, name) == getattr(first, name) for name in SHARED)
        header = msgspec.structs.replace(run.header, policy="", rules=(), cases=()) if alike else run.header
        known = sorted((verdict.case, verdict.transcript) for verdict in run.verdicts)
        slug = data.slugs[header.agent]
        runs.append(Included(header, slug, len(run.verdicts), len(run.header.cases), digest(known), alike))
    left_out = sum(not row.is_kept for row in data.rows)
    made = Manifest(__version__, data.kept, first, tuple(runs), left_out)
    return msgspec.json.format(to_json(made), indent=1) + b"\n"


def read_manifest(data: bytes) -> Manifest:
    """A manifest read back."""
    return from_json(data, Manifest)
