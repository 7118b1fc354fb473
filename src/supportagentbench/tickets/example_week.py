"""Example week: 30 tickets of Northline's own desk, of which people, words and acts are invented.

They come as Zendesk exports them, with two talks of its agent and the map that the desk would write, and
imported. All people are invented, so the imports are approved as a whole, which is impossible for any other.
"""

from functools import partial
from pathlib import Path

from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest
from supportagentbench.storage.file import make_folder, read_bounded, write_new
from supportagentbench.storage.own_folder import is_free
from supportagentbench.tickets.import_folder import write_import
from supportagentbench.tickets.project_key import key_path, project_key
from supportagentbench.tickets.read import read_tickets
from supportagentbench.tickets.review import Decision, reviewing

HERE = Path(__file__).parent / "example"
MAP = "map.yaml"
IMPORTS = {"tickets": ("zendesk", "zendesk.json"), "agent": ("openai-chat", "agent.json")}
"""By the folder of the import, the format and the file of the export."""
PROJECT = "the example of supportagentbench"
LARGEST = 1_000_000


def write_example(out: Path) -> None:
    """The exports, their map and their approved imports in a new folder."""
    if not is_free(out):
        raise Problem("is not empty; choose another folder.", place=out)
    make_folder(out)
    write_new(out / MAP, read_bounded(HERE / MAP, LARGEST))
    for folder, (source, name) in IMPORTS.items():
        write_new(out / name, read_bounded(HERE / name, LARGEST))
        write_import(
            partial(read_tickets, source, [out / name]),
            out / folder,
            project_key(PROJECT, is_open=True),
            source=source,
            rights="invented",
            key_name=key_path(PROJECT).name,
        )
        approve_all(out / folder)


def approve_all(folder: Path) -> None:
    """Approve every ticket as it is. Only for invented tickets."""
    with reviewing(folder) as review:
        for ticket in review.waiting:
            kept = tuple((place, *span) for place, event in enumerate(ticket.events) for span in event.doubts)
            review.decide(Decision(ticket.id, digest(ticket), "approve", kept))
