"""Versions: all runs under one name must be of one version of the agent, or nothing is counted."""

from collections.abc import Iterable
from pathlib import Path

from supportagentbench.records.agent_version import in_short
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Run
from supportagentbench.storage.archive import read_header


def refuse_mixed_versions(folders: Iterable[Path]) -> None:
    """Refuse run folders that hold two versions of an agent under one name."""
    first: dict[str, tuple[Path, Run]] = {}
    for folder in folders:
        header = read_header(folder)
        other, before = first.setdefault(header.agent, (folder, header))
        if changes := header.agent_changes_from(before):
            raise Problem(
                f"holds another version of {header.agent} than {other} ({in_short(changes)}), "
                "and two versions are not counted together. Leave one out, or run it under another name "
                "with --name.",
                place=folder,
            )
