"""The commands `sab site`."""

from pathlib import Path
from typing import Annotated

import typer

from supportagentbench.cli import RunPaths
from supportagentbench.cli.spending import agree_to_spend
from supportagentbench.records.problem import Problem

app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Make a folder of pages from runs, and check one."
)

PUBLISHED = "published"
"""Stands in the place of runs for the board that others printed."""


@app.command("build")
def build_site(
    runs: Annotated[
        list[Path],
        typer.Argument(help=f"Run folders, or folders of runs; `{PUBLISHED}` for the published board."),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to make.")] = Path("site"),
    transcripts: Annotated[
        str, typer.Option("--transcripts", help="Which conversations to put in: all, flagged or none.")
    ] = "all",
    since: Annotated[
        list[Path] | None, typer.Option("--since", help="Runs of an earlier board, to tell what changed.")
    ] = None,
    prose: Annotated[
        Path | None, typer.Option("--prose", help="A folder of written reports, one .md an entry.")
    ] = None,
) -> None:
    """Make the board, a report for each entry and all conversations into pages that open by double click."""
    from typing import get_args

    from rich.console import Console

    from supportagentbench.site.build import Extras, build, build_published
    from supportagentbench.site.data import Kept
    from supportagentbench.terminal.progress import progress_bar

    if transcripts not in get_args(Kept):
        raise Problem(f"--transcripts is one of {', '.join(get_args(Kept))}, not {transcripts!r}.")
    if prose and not prose.is_dir():
        raise Problem("there is no such folder of written reports; `sab site draft` makes one.", place=prose)
    kept: Kept = next(one for one in get_args(Kept) if one == transcripts)
    if [str(path) for path in runs] == [PUBLISHED] and not runs[0].exists():
        made = build_published(out)
    else:
        with progress_bar(Console(stderr=True)) as bar:
            made = build(runs, out, kept, Extras(prose, tuple(since or ())), bar.start)
    typer.echo(f"{len(made)} files. Open {(out / 'index.html').resolve().as_uri()}")


@app.command("draft")
def draft_reports(
    runs: RunPaths,
    analyst: Annotated[str, typer.Option("--analyst", help="The model that writes, as provider:model.")],
    out: Annotated[
        Path, typer.Option("--out", "-o", help="A folder for the drafts, one .md an entry.")
    ] = Path("prose"),
    budget: Annotated[
        float | None, typer.Option("--budget", min=0, help="Dollars, after which nothing more is asked.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Spend without asking.")] = False,
) -> None:
    """Have a model draft the reports' prose, to be read, mended and given to `sab site build --prose`."""
    from rich.console import Console

    from supportagentbench.concurrency.event_loop import drive
    from supportagentbench.site.drafting import draft_all, plan_drafts

    console = Console(stderr=True)
    agree_to_spend([plan_drafts(runs, analyst)], budget, console, yes)
    for note in drive(draft_all(runs, analyst, out, budget)):
        typer.echo(f"sab: {note}", err=True)
    count = len(list(out.glob("*.md")))
    typer.echo(f"{count} drafts in {out}; read them, then `sab site build --prose {out}`.")


@app.command("verify")
def verify_site(
    folder: Annotated[Path, typer.Argument(help="A folder that `sab site build` made.")],
) -> None:
    """Compute every number of a site anew from the conversations in it, and say what differs."""
    from supportagentbench.site.verify import verify

    found = list(verify(folder))
    for sentence in found:
        typer.echo(sentence)
    if found:
        raise typer.Exit(1)
    typer.echo(f"{folder}: every page is what its conversations make it.")
