"""Run folders: the runs in some places, each once, and of each agent one version.

A copied folder counts once; part of one is refused, because it would count twice.
"""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from supportagentbench.records.agent_version import in_short
from supportagentbench.records.counts import counted
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest, to_json
from supportagentbench.records.run import Run
from supportagentbench.storage.archive import JUDGEMENTS, claimed_judgements, find_runs, read_header
from supportagentbench.storage.transcripts import TRANSCRIPTS, stored_lines


class FoundRuns(NamedTuple):
    """Run folders, each run once."""

    folders: list[Path]
    copies: dict[Path, Path]
    """By omitted folder, the one it is a copy of."""

    @property
    def sentences(self) -> list[str]:
        """One for every copy."""
        return [
            f"{copy}: is a copy of {folder}; the run counts once." for copy, folder in self.copies.items()
        ]


def ignored_judgements(folders: Iterable[Path]) -> list[str]:
    """A sentence for every run with judgements that claim to be the rule judge's."""
    claimed = {folder: claimed_judgements(folder) for folder in folders}
    return [
        f"{folder / JUDGEMENTS}: {counted(count, 'judgement')} in the name of the rule judge ignored; "
        "it computes its own from the conversations."
        for folder, count in claimed.items()
        if count
    ]


def distinct_runs(paths: Iterable[Path]) -> FoundRuns:
    """The runs in these places, once, however often they are named or copied."""
    folders = list({folder.resolve(): folder for folder in find_runs(paths)}.values())
    alike: dict[tuple[str, int], _Alike] = defaultdict(lambda: _Alike({}, {}))
    found = FoundRuns([], {})
    for folder in folders:
        header = read_header(folder)
        original = alike[header.agent, header.run].original_of(folder, header)
        if original:
            found.copies[folder] = original
        else:
            found.folders.append(folder)
    return found


class _Alike(NamedTuple):
    """The runs of one agent that have the same number; no two of them share a conversation."""

    folders: dict[tuple[str, frozenset[str]], Path]
    """By header and conversations, each by digest."""
    holders: dict[str, Path]
    """By digest of a conversation, the folder that has it."""

    def original_of(self, folder: Path, header: Run) -> Path | None:
        """The run that this one is a copy of; a Problem if it shares only some conversations with one.

        A run that is no copy is one of them from then on.
        """
        mine = frozenset(stored.line.digest for stored in stored_lines(folder / TRANSCRIPTS))
        original = self.folders.setdefault((digest(to_json(header)), mine), folder)
        if original is not folder:
            return original
        if shared := {self.holders[one] for one in mine if one in self.holders}:
            other = next(one for one in self.folders.values() if one in shared)
            raise Problem(
                f"has conversations of run {header.run} of {header.agent} that are also in {other}; "
                "leave one of them out.",
                place=folder,
            )
        self.holders.update(dict.fromkeys(mine, folder))
        return None


def refuse_mixed_versions(folders: Iterable[Path]) -> None:
    """Refuse run folders that hold two versions of an agent under one name."""
    first: dict[str, tuple[Path, Run]] = {}
    for folder in folders:
        header = read_header(folder)
        other, before = first.setdefault(header.agent, (folder, header))
        if changes := header.agent_changes_from(before):
            raise Problem(
                f"holds another version of {header.agent} than {other} ({in_short(changes)}), "
                "and two versions are not counted together. Leave one out, or run it under a name of its own "
                "with --name.",
                place=folder,
            )


def refuse_part(folder: Path, header: Run) -> None:
    """Refuse one part of a run: a rate in a part is not an overall rate, and never counts as one."""
    if header.shard:
        raise Problem(
            f"holds {header.shard.shown} of a run; put the parts together first: sab merge PARTS… -o runs",
            place=folder,
        )


def refuse_unlabelled(folder: Path, header: Run) -> None:
    """Refuse a run in which nothing counts as right, wrong or unsafe."""
    if header.unlabelled:
        raise Problem(
            "is unlabelled: it holds openings of real tickets, and what is right in them is not known; "
            "compare its agents with `sab tickets replay`, or read a conversation with `sab show`.",
            place=folder,
        )
