"""Newcomers: runs that appear in a folder while agents' code runs, and that the command did not make.

A run that a living process is writing is another command's: all processes of the agents have ended by then.
Of the others, runs of the command's own agents are marked, so that no command reads them. A run of any other
agent may be that of a command that ended meanwhile, and may have cost money: it is named, but not marked.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from supportagentbench.records.problem import Problem
from supportagentbench.storage.archive import begun_in, has_header, is_being_written, is_of, newcomer
from supportagentbench.storage.inventory import Inventory
from supportagentbench.storage.kept_file import is_changed, leave_mark


class Newcomers:
    """The runs in a folder as they are now, to find those that are added."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._known = frozenset(_identities(_runs_in(root)))
        self.own: Mapping[str, Inventory] = {}
        """The runs that the command plans; those that it opened are its own."""

    def refuse(self, agents: Collection[str]) -> None:
        """Raise a Problem for the first run that somebody added, and mark all that are of these agents."""
        found = [self._problem(folder, agents) for folder in self._strangers()]
        if found:
            raise found[0]

    def _strangers(self) -> Iterator[Path]:
        own = {one.folder for one in self.own.values() if one.was_opened}
        for folder, identity in zip(there := _runs_in(self._root), _identities(there), strict=True):
            if identity not in self._known and folder not in own and not is_being_written(folder):
                yield folder

    def _problem(self, folder: Path, agents: Collection[str]) -> Problem:
        if not any(is_of(folder, agent) for agent in agents):
            return Problem(
                "appeared while this command ran code that can write there; "
                "unless another command of yours made this run, move the folder away.",
                place=folder,
            )
        problem = newcomer(folder)
        if not is_changed(folder):
            leave_mark(folder, problem)
        return problem


def _runs_in(root: Path) -> list[Path]:
    """The run folders that a command would find here."""
    return [*([root] if has_header(root) else []), *begun_in(root)]


def _identities(folders: Iterable[Path]) -> list[tuple[str, int]]:
    """A folder that was moved away and one that took its place are two."""
    return [(folder.name, folder.lstat().st_ino) for folder in folders]
