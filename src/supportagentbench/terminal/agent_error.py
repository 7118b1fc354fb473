"""Agent errors: the first error of each agent is printed as soon as it happens, with its traceback."""

from pathlib import Path

from rich.console import Console
from rich.text import Text

from supportagentbench.records.agent_error import AgentError
from supportagentbench.records.run import Run
from supportagentbench.storage.archive import ERRORS, folder_name
from supportagentbench.terminal.escape import visible


class FirstErrors:
    """Prints the first error of each agent; all errors are stored."""

    def __init__(self, console: Console, out: Path) -> None:
        self._console = console
        self._out = out
        self._shown: set[str] = set()

    def show(self, header: Run, error: AgentError) -> None:
        """Print this error if it is the agent's first."""
        if header.agent in self._shown:
            return
        self._shown.add(header.agent)
        head = f"sab: {header.agent} broke in {error.case}, run {header.run} ({error.cause}): {error.detail}"
        for line in (head, *error.traceback.splitlines()):
            self._console.print(Text(visible(line)), soft_wrap=True)
        file = self._out / folder_name(header) / ERRORS
        self._console.print(Text(visible(f"sab: further errors are only counted; all are in {file}.")))
