"""Origin: the file that names an agent, a world or a customer. Code and addresses must be typed by the user.

A folder, a run or a baseline may come from anyone. If it could name code, reading it would run that code; if
it could name a server, the user's key would be sent there.
"""

import shlex
from pathlib import Path
from typing import NamedTuple

from supportagentbench.records.problem import Problem

LONGEST = 200
"""Characters of a name that a sentence repeats."""


class FileOrigin(NamedTuple):
    """A file that names things for a command."""

    place: Path | str
    prefix: str = "--"
    """How the options of that command begin."""

    def accept(self, field: str, name: str, is_known: bool, typed: str = "") -> str:
        """The name in this field if it is known: shipped with this package, or a model at its provider.

        Any other name has to be typed: as `typed` says, or with the option that is called like the field.
        """
        if is_known:
            return name
        shown = shlex.quote(name if len(name) <= LONGEST else f"{name[:LONGEST]}…")
        raise Problem(
            f"`{field}` names {shown}, and code and addresses are used only if you type them yourself: "
            f"{typed or f'add {self.prefix}{field}'} {shown}",
            place=self.place,
        )


UNSAVED = FileOrigin("the record")
"""For a record that was not read from a file."""
