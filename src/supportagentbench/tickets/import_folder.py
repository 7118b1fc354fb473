"""Import folder: pseudonymised tickets on disk, and where they come from; written whole or not at all.

import.json     source, counts, everything left out and why, which rules were on, rights
tickets.jsonl   one ticket a line
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace

from supportagentbench.records.amount import Count
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record, to_json
from supportagentbench.records.secrets import sealed_json
from supportagentbench.records.ticket import SupportTicket
from supportagentbench.records.version import __version__
from supportagentbench.storage.file import open_new, write_new
from supportagentbench.storage.jsonl import add_line, read_lines
from supportagentbench.storage.own_folder import delete_own, is_free, make_own, refuse_others
from supportagentbench.storage.record_file import read_record
from supportagentbench.tickets.doubts import known_words_of
from supportagentbench.tickets.pseudonyms import RULES, pseudonymised, shown
from supportagentbench.tickets.raw import DroppedRow, RawTicket

TICKETS, HEADER = "tickets.jsonl", "import.json"
MARK = ".supportagentbench-import"
"""In the draft of an import, which is deleted if the import fails."""

RawTickets = Callable[[], Iterator[RawTicket | DroppedRow]]
"""Reads the export from its start; it is read twice."""


class ImportRecord(Record, tag_field="record", tag="import/1"):
    """Where the tickets of a folder come from, and what became of them."""

    source: str
    """The format that was read."""
    rights: str
    """The licence or the owner, as typed."""
    date: str
    region: str
    version: str
    """Of this package."""
    rules: tuple[str, ...]
    tickets: Count = 0
    events: dict[str, Count] = {}
    """By kind."""
    doubtful: Count = 0
    """Tickets that had doubtful words when they were imported."""
    dropped: dict[str, Count] = {}
    """Rows and tickets that were not taken, by reason."""
    key_name: str = ""
    """Of the file of the project's key, in the configuration of who imported it."""
    export: str = ""
    """A digest of the export's files, made with that key."""


def write_import(
    read: RawTickets,
    out: Path,
    key: bytes,
    *,
    source: str,
    rights: str = "",
    region: str = "US",
    key_name: str = "",
    export: str = "",
) -> ImportRecord:
    """Pseudonymise an export into a new folder; a Problem leaves nothing."""
    if not is_free(out):
        raise Problem("is not empty; choose another folder with --out.", place=out)
    place = out.resolve()
    draft = place.with_name(f"{place.name}.draft")
    refuse_others(draft, MARK, "move it away, or choose another folder with --out")
    delete_own(draft, MARK)
    made = ImportRecord(
        source,
        rights,
        f"{datetime.now(UTC):%Y-%m-%d}",
        region,
        __version__,
        RULES,
        key_name=key_name,
        export=export,
    )
    try:
        make_own(draft, MARK)
        draft.chmod(0o700)  # Doubtful words may be names.
        made = _write(read, draft, key, made)
        (draft / MARK).unlink()
        draft.rename(place)
    except OSError as error:
        raise Problem(f"cannot be written ({error.strerror}); nothing was imported.", place=out) from None
    finally:
        delete_own(draft, MARK)
    return made


def _write(read: RawTickets, draft: Path, key: bytes, header: ImportRecord) -> ImportRecord:
    """Fill the draft; the header as it is then."""
    known = known_words_of(one.ticket for one in read() if isinstance(one, RawTicket))
    counts, dropped, taken = Counter[str](), Counter[str](), set[str]()
    tickets = doubtful = 0
    with open_new(draft / TICKETS, mode=0o600) as file:
        for raw in read():
            if isinstance(raw, DroppedRow):
                dropped[_told(raw.reason)] += 1
                continue
            try:
                ticket = pseudonymised(raw, key, known, header.region)
            except Problem as problem:
                dropped[_told(problem.sentence)] += 1
                continue
            if ticket.id in taken:
                dropped["has the id of another ticket"] += 1
                continue
            taken.add(ticket.id)
            add_line(file, sealed_json(ticket, to_json) + b"\n", draft / TICKETS)
            tickets, doubtful = tickets + 1, doubtful + ticket.has_doubts
            counts.update(event.kind for event in ticket.events)
    if not tickets:
        why = "; ".join(f"{count} × {reason}" for reason, count in dropped.most_common(5))
        raise Problem(f"There is no ticket to import{f': {why}' if why else ''}.")
    made = replace(
        header, tickets=tickets, events=dict(counts), doubtful=doubtful, dropped=dict(dropped.most_common())
    )
    write_new(draft / HEADER, to_json(made) + b"\n", mode=0o600)
    return made


def _told(reason: str) -> str:
    """A reason without anything that a reader quoted from the export."""
    bare = re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`|“[^”]*”|\S*[@\d]\S*", "…", reason)
    return bare[:200]


def read_header(folder: Path) -> ImportRecord:
    """The record of an import."""
    return read_record(folder / HEADER, ImportRecord, "import the tickets again")


def read_import(folder: Path) -> Iterator[SupportTicket]:
    """Every ticket of an import, without the doubtful words of those that no person has approved."""
    read_header(folder)
    yield from map(shown, stored_tickets(folder))


def stored_tickets(folder: Path) -> Iterator[SupportTicket]:
    """Every ticket as it is stored: for its review and its checks alone."""
    return read_lines(folder / TICKETS, SupportTicket, "import the tickets again")
