"""Read: the tickets of an export, whatever desk it is from; nothing is written.

What comes out is as it was exported, with names and addresses.
Only what `pseudonymised` returns is ever stored.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from supportagentbench.records.did_you_mean import did_you_mean
from supportagentbench.records.problem import Problem
from supportagentbench.tickets.column_map import ColumnMap, column_map
from supportagentbench.tickets.export_file import Export
from supportagentbench.tickets.formats.abcd import read_abcd
from supportagentbench.tickets.formats.atif import read_atif
from supportagentbench.tickets.formats.freshdesk import read_freshdesk
from supportagentbench.tickets.formats.front import read_front
from supportagentbench.tickets.formats.generic import read_csv, read_jsonl
from supportagentbench.tickets.formats.gorgias import read_gorgias
from supportagentbench.tickets.formats.help_scout import read_help_scout
from supportagentbench.tickets.formats.intercom import read_intercom
from supportagentbench.tickets.formats.mail import read_mail
from supportagentbench.tickets.formats.openai_chat import read_openai_chat
from supportagentbench.tickets.formats.salesforce import read_salesforce
from supportagentbench.tickets.formats.zendesk import read_zendesk
from supportagentbench.tickets.plain_text import check_libraries
from supportagentbench.tickets.raw import DroppedRow, RawTicket

FORMATS: dict[str, Callable[[Export], Iterator[RawTicket | DroppedRow]]] = {
    "zendesk": read_zendesk,
    "intercom": read_intercom,
    "gorgias": read_gorgias,
    "freshdesk": read_freshdesk,
    "help-scout": read_help_scout,
    "front": read_front,
    "salesforce": read_salesforce,
    "mail": read_mail,
    "openai-chat": read_openai_chat,
    "atif": read_atif,
    "abcd": read_abcd,
    "csv": read_csv,
    "jsonl": read_jsonl,
}
"""By the name that the user types."""
EXACT = {"openai-chat", "atif", "abcd", "csv", "jsonl"}
"""Formats whose texts have neither HTML nor quoted replies, so that no further library is needed."""


def read_tickets(
    format_name: str, files: Sequence[Path], columns: str | ColumnMap = "", *, encoding: str = ""
) -> Iterator[RawTicket | DroppedRow]:
    """Every ticket of these files, and every other row with its reason; a Problem, if it is not an export.

    `columns`: what the user typed of columns and people; `encoding`: of the files, if it is not UTF-8.
    """
    if format_name not in FORMATS:
        hint = did_you_mean(format_name, FORMATS)
        raise Problem(f"{format_name!r} is not one of the formats {', '.join(FORMATS)}.{hint}")
    if not files:
        raise Problem("No file was given; name the files of the export.")
    if format_name not in EXACT:
        check_libraries()
    found = columns if isinstance(columns, ColumnMap) else column_map(columns)
    rows = FORMATS[format_name](Export(tuple(files), found, encoding))
    first = next(rows, None)
    if first is None:
        raise Problem(
            f"There is not one row in this export; is it of the format {format_name}?", place=files[0]
        )
    yield first
    yield from rows
