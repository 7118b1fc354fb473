"""The shipped example in tests: its imports, made once per process, and its tickets by their own numbers."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from unittest.mock import patch

from conversations import WORLD
from supportagentbench.jobs.spec import TicketSpec
from supportagentbench.jobs.tickets import OpenIncident, desk_map_of, incident_of
from supportagentbench.records.ticket import SupportTicket
from supportagentbench.shadow.own_numbers import ticket_named
from supportagentbench.shadow.ticket_cases import TicketCases
from supportagentbench.tickets.example_week import write_example
from supportagentbench.tickets.import_folder import read_header, read_import


@cache
def example() -> Path:
    """The folder that `sab tickets example` writes, with the keys beside it."""
    home = Path(mkdtemp(prefix="week"))
    with keys_of(home):
        write_example(home / "example")
    return home / "example"


@contextmanager
def keys_of(home: Path) -> Iterator[None]:
    """Where the keys of projects are looked for."""
    with patch.dict(os.environ, {"XDG_CONFIG_HOME": str(home / "config")}):
        yield


@contextmanager
def example_keys() -> Iterator[None]:
    """With the keys of the example."""
    with keys_of(example().parent):
        yield


def spec(folder: str = "tickets", incident: str = "") -> TicketSpec:
    """What a command on the example is given."""
    return TicketSpec(example() / folder, example() / "map.yaml", incident=incident)


@cache
def week() -> TicketCases:
    """The 30 tickets of people as cases."""
    with example_keys():
        tickets = [*read_import(example() / "tickets")]
        return TicketCases(WORLD, tickets, desk_map_of(WORLD, spec(), tickets))


def own(number: str, folder: str = "tickets") -> SupportTicket:
    """A ticket by the number that the desk gave it."""
    with example_keys():
        header = read_header(example() / folder)
        return ticket_named(number, header, [*read_import(example() / folder)])


@cache
def incident(number: str, folder: str = "tickets") -> OpenIncident:
    """A ticket before the reply that went wrong."""
    with example_keys():
        return incident_of(WORLD, spec(folder, number))
