"""Example week: 30 tickets of Northline's own desk, of which people, words and acts are invented.

They come as Zendesk exports them, with the map that their desk would write, and imported. Because nobody real
is in them, the import is approved as a whole, which no other import can be.
"""

from pathlib import Path

from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest
from supportagentbench.storage.file import make_folder, read_bounded, write_new
from supportagentbench.storage.own_folder import is_free
from supportagentbench.tickets.import_folder import ImportRecord, write_import
from supportagentbench.tickets.project_key import key_path, project_key
from supportagentbench.tickets.read import read_tickets
from supportagentbench.tickets.review import Decision, reviewing

HERE = Path(__file__).parent / "example"
EXPORT, MAP, IMPORT = "zendesk.json", "map.yaml", "tickets"
PROJECT = "the example of supportagentbench"
LARGEST = 1_000_000


def write_example(out: Path) -> ImportRecord:
    """The export, its map and its approved import in a new folder."""
    if not is_free(out):
        raise Problem("is not empty; choose another folder.", place=out)
    make_folder(out)
    for name in (EXPORT, MAP):
        write_new(out / name, read_bounded(HERE / name, LARGEST))
    made = write_import(
        lambda: read_tickets("zendesk", [out / EXPORT]),
        out / IMPORT,
        project_key(PROJECT),
        source="zendesk",
        rights="invented",
        key_name=key_path(PROJECT).name,
    )
    approve_all(out / IMPORT)
    return made


def approve_all(folder: Path) -> None:
    """Approve every ticket as it is. Only for tickets in which nobody is real."""
    with reviewing(folder) as review:
        for ticket in review.waiting:
            kept = tuple((place, *span) for place, event in enumerate(ticket.events) for span in event.doubts)
            review.decide(Decision(ticket.id, digest(ticket), "approve", kept))
