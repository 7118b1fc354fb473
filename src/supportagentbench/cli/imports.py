"""Imports: the command `sab import`, which takes your own tickets in and has a person read them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from supportagentbench.cli.options import Port
from supportagentbench.records.counts import counted
from supportagentbench.records.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from supportagentbench.tickets.import_folder import ImportRecord, RawTickets
    from supportagentbench.tickets.raw import DroppedRow, RawTicket


def import_tickets(
    desk: Annotated[
        str, typer.Argument(metavar="[FORMAT]", help="The desk that the export is from, such as zendesk.")
    ] = "",
    files: Annotated[list[Path] | None, typer.Argument(metavar="[FILE]…", help="The export.")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="A new folder for the tickets.")] = None,
    columns: Annotated[
        str, typer.Option("--columns", help="Which column holds what: ticket=case_no,who=author,text=body.")
    ] = "",
    encoding: Annotated[str, typer.Option("--encoding", help="Of the files, if it is not UTF-8.")] = "",
    region: Annotated[
        str, typer.Option("--region", help="Where the shop is, such as GB: how dates and phones are written.")
    ] = "US",
    rights: Annotated[
        str, typer.Option("--rights", help="Licence or owner of the tickets, stored as typed.")
    ] = "",
    project: Annotated[
        str, typer.Option("--project", help="Name of the key for surrogates (default: this folder).")
    ] = "",
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

    from supportagentbench.tickets.project_key import key_path, project_key
    from supportagentbench.tickets.read import read_tickets

    def read() -> "Iterator[RawTicket | DroppedRow]":
        return read_tickets(desk, files, columns, encoding=encoding)

    key = project_key(project, out)
    if check:
        _check(read, key, region.upper(), out)
    elif out is not None:
        from supportagentbench.tickets.import_folder import write_import

        made = write_import(
            read,
            out,
            key,
            source=desk,
            rights=rights,
            region=region.upper(),
            key_name=key_path(project).name,
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


def _check(read: "RawTickets", key: bytes, region: str, out: Path | None) -> None:
    from supportagentbench.terminal.console import EscapingConsole
    from supportagentbench.terminal.ticket_check import check_report, leftover_report
    from supportagentbench.tickets.canaries import checked, leftovers
    from supportagentbench.tickets.doubts import known_words_of
    from supportagentbench.tickets.import_folder import stored_tickets
    from supportagentbench.tickets.raw import RawTicket

    raws = [one for one in read() if isinstance(one, RawTicket)]
    if not raws:
        raise Problem("there is no ticket to plant anything into.")
    found = checked(raws, key, known_words_of(raw.ticket for raw in raws), region)
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
