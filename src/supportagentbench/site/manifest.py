"""Manifest: every run that the pages were made from, with digests to check it against."""

from collections import defaultdict

import msgspec

from supportagentbench.records.choice import Choice
from supportagentbench.records.name import Id
from supportagentbench.records.record import Record, digest, to_json
from supportagentbench.records.run import Run
from supportagentbench.records.set_aside import SetAside, set_aside_note
from supportagentbench.records.verification import Verification
from supportagentbench.records.version import __version__
from supportagentbench.records.vocabulary import Vocabulary
from supportagentbench.site.data.site_data import Kept, SiteData

SHARED = ("policy", "rules", "cases", "vocabulary", "forks")
"""Long parts of a header that are the same in most runs and are written once."""


class Included(Record):
    """One run: its header, and the digest of its conversations."""

    header: Run
    """Without the long parts that it shares with the manifest."""
    slug: Id
    """The agent's name in links."""
    conversations: int
    planned: int
    digest: str
    """The digest of its conversations' digests, by case."""
    set_aside: tuple[SetAside, ...] = ()
    """Attempts at its conversations that do not count; they are not in the folder."""
    own: tuple[str, ...] = ()
    """Long parts in which this header differs, so it keeps them."""


class Manifest(Record, tag_field="record", tag="site/1"):
    """What a folder of pages was made from."""

    package: str
    kept: Kept
    shared: Run
    """The header whose long parts apply to every run without different ones."""
    runs: tuple[Included, ...]
    left_out: int
    """Conversations that count but are not in the folder."""
    verifications: dict[str, Verification] = {}
    """By the agent's name in its runs: whether its results are verified, and why not."""
    revealed: str = ""
    """The secret that drew private cases, if the publisher has revealed it."""
    choice: Choice = Choice()
    """The limits and the desk by which agents are recommended."""

    def set_aside_notes(self) -> list[str]:
        """A sentence for each agent with attempts that do not count."""
        by_agent: dict[str, list[SetAside]] = defaultdict(list)
        for one in self.runs:
            by_agent[one.header.agent] += one.set_aside
        return [f"{agent}: {set_aside_note(found)}." for agent, found in by_agent.items() if found]

    def headers(self) -> list[Run]:
        """The original headers."""
        whole = {name: getattr(self.shared, name) for name in SHARED}
        return [
            msgspec.structs.replace(
                one.header, **{name: part for name, part in whole.items() if name not in one.own}
            )
            for one in self.runs
        ]


def manifest_of(data: SiteData, revealed: str = "") -> bytes:
    """The manifest as indented JSON."""
    first = _as_recorded(data.runs[0].header, data)
    runs = []
    for run in data.runs:
        own = tuple(name for name in SHARED if getattr(run.header, name) != getattr(first, name))
        header = _as_recorded(_without_shared(run.header, own), data)
        known = sorted((verdict.case, verdict.transcript) for verdict in run.verdicts)
        slug = data.slugs[run.header.agent]
        counts = len(run.verdicts), len(run.header.cases)
        runs.append(Included(header, slug, *counts, digest(known), run.set_aside, own))
    left_out = sum(not row.is_kept for row in data.rows)
    verifications = {
        data.recorded.get(one.name, one.name): one.verification
        for one in data.board.agents
        if one.verification
    }
    made = Manifest(
        __version__, data.kept, first, tuple(runs), left_out, verifications, revealed, data.choice
    )
    return msgspec.json.format(to_json(made), indent=1) + b"\n"


def _as_recorded(header: Run, data: SiteData) -> Run:
    """The header with the agent's recorded name, not the one that pages show."""
    return header.called(data.recorded.get(header.agent, header.agent))


def _without_shared(header: Run, own: tuple[str, ...]) -> Run:
    """The header without its long parts, except those in which it differs."""
    nothing = {"policy": "", "rules": (), "cases": (), "vocabulary": Vocabulary("", ()), "forks": ()}
    return msgspec.structs.replace(
        header, **{name: part for name, part in nothing.items() if name not in own}
    )
