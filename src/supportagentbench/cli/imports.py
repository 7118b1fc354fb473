"""Imports: the command `sab import`, which takes your own tickets in and has a person read them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from supportagentbench.cli.options import Port
from supportagentbench.records.counts import counted
from supportagentbench.records.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from supportagentbench.tickets.import_folder import ImportRecord
    from supportagentbench.tickets.raw import DroppedRow, RawTicket


Columns = Annotated[
    str, typer.Option("--columns", help="Which column holds what: ticket=case_no,who=author,text=body.")
]
Encoding = Annotated[str, typer.Option("--encoding", help="Of the files, if it is not UTF-8.")]
Region = Annotated[
    str, typer.Option("--region", help="Where the shop is, such as GB: how dates and phones are written.")
]
Rights = Annotated[str, typer.Option("--rights", help="Licence or owner of the tickets, stored as typed.")]
Project = Annotated[
    str, typer.Option("--project", help="Name of the key for surrogates (default: this folder).")
]


def import_tickets(
    desk: Annotated[
        str, typer.Argument(metavar="[FORMAT]", help="The desk that the export is from, such as zendesk.")
    ] = "",
    files: Annotated[list[Path] | None, typer.Argument(metavar="[FILE]…", help="The export.")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="A new folder for the tickets.")] = None,
    columns: Columns = "",
    encoding: Encoding = "",
    region: Region = "US",
    rights: Rights = "",
    project: Project = "",
    check: Annotated[
        bool,
        typer.Option(
            "--check", help="Plant invented people and count what gets through; nothing is written."
        ),
    ] = False,
    review: Annotated[
        Path | None, typer.Option("--review", help="An import to read and decide on, on a page.")
    ] = None,
    terminal: Annotated[bool, typer.Option("--terminal", help="Review in the terminal.")] = False,
    port: Port = 7322,
) -> None:
    """Pseudonymise your own tickets, before anything is written."""
    if review is not None:
        if desk or files or out or check:
            raise Problem("--review takes the folder of an import and nothing else.")
        _review(review, port, in_terminal=terminal)
        return
    if not desk or not files:
        raise Problem("give a format and the files of an export, or --review and the folder of an import.")
    if out is None and not check:
        raise Problem("give a new folder for the tickets with --out.")
    export = DeskExport(desk, tuple(files), columns, encoding, region.upper(), rights, project)
    if check:
        _check(export, out)
    elif out is not None:
        take_in(export, out)


class DeskExport(NamedTuple):
    """An export as a command names it."""

    desk: str
    files: tuple[Path, ...]
    columns: str
    encoding: str
    region: str
    rights: str
    project: str

    def read(self) -> "Iterator[RawTicket | DroppedRow]":
        """Its tickets, with names and addresses."""
        from supportagentbench.tickets.read import read_tickets

        return read_tickets(self.desk, self.files, self.columns, encoding=self.encoding)

    def key(self, out: Path | None) -> bytes:
        """What its surrogates are made with."""
        from supportagentbench.tickets.project_key import project_key

        return project_key(self.project, out)

    def digest(self, out: Path | None) -> str:
        """By which the same export is recognised; it cannot be made without the key."""
        import hashlib

        from supportagentbench.storage.file import read_bounded
        from supportagentbench.tickets.export_file import LARGEST_EXPORT

        found = hashlib.blake2b(key=self.key(out), digest_size=16)
        for file in self.files:
            found.update(hashlib.sha256(read_bounded(file, LARGEST_EXPORT, follow=True)).digest())
        return found.hexdigest()


def same_or_new(export: DeskExport, out: Path) -> None:
    """Have the export's tickets in this folder: as they were imported before, or imported now."""
    from supportagentbench.tickets.import_folder import HEADER, read_header

    if not (out / HEADER).exists():
        take_in(export, out)
        return
    found = read_header(out)
    if (found.source, found.export) != (export.desk, export.digest(out)):
        raise Problem("has the tickets of another export; choose another folder with --out.", place=out)
    typer.echo(f"{out}: {counted(found.tickets, 'ticket')}, as imported on {found.date}.")


def take_in(export: DeskExport, out: Path) -> None:
    """Write its tickets, pseudonymised, into a new folder, and print what was counted."""
    from supportagentbench.tickets.import_folder import write_import
    from supportagentbench.tickets.project_key import key_path

    made = write_import(
        export.read,
        out,
        export.key(out),
        source=export.desk,
        rights=export.rights,
        region=export.region,
        key_name=key_path(export.project).name,
        export=export.digest(out),
    )
    _print_counts(made, out)


def _print_counts(made: "ImportRecord", out: Path) -> None:
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(made.events.items()))
    typer.echo(f"{out}: {counted(made.tickets, 'ticket')}, pseudonymised ({kinds}).")
    for reason, count in made.dropped.items():
        typer.echo(f"left out, {count} ×: {reason}")
    if made.doubtful:
        words = f"{counted(made.doubtful, 'ticket')} with doubtful words, which stay hidden until a person"
        typer.echo(f"{words} has approved the ticket: sab import --review {out}")


def _check(export: DeskExport, out: Path | None) -> None:
    from supportagentbench.terminal.console import EscapingConsole
    from supportagentbench.terminal.ticket_check import check_report, leftover_report
    from supportagentbench.tickets.canaries import checked, leftovers
    from supportagentbench.tickets.doubts import known_words_of
    from supportagentbench.tickets.import_folder import stored_tickets
    from supportagentbench.tickets.raw import RawTicket

    key = export.key(out)
    raws = [one for one in export.read() if isinstance(one, RawTicket)]
    if not raws:
        raise Problem("there is no ticket to plant anything into.")
    found = checked(raws, key, known_words_of(raw.ticket for raw in raws), export.region)
    left = list(leftovers(stored_tickets(out), raws, key)) if out else []
    EscapingConsole().print(check_report(found), *([leftover_report(left)] if out else []))
    if left or not found.record_names_hold:
        raise typer.Exit(1)


def _review(folder: Path, port: int, *, in_terminal: bool) -> None:
    from supportagentbench.tickets.review import reviewing

    with reviewing(folder) as review:
        if in_terminal:
            from supportagentbench.terminal.ticket_review import review_in_terminal

            review_in_terminal(review)
            return
        import threading
        from contextlib import suppress

        from supportagentbench.live.review_page import serving_review

        with serving_review(review, port) as link, suppress(KeyboardInterrupt):
            typer.echo(f"{link}  (Ctrl-C stops this page; every decision is stored)")
            threading.Event().wait()
