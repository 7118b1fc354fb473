"""The commands `sab site build`, `draft` and `verify`."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from supportagentbench.cli.options import BudgetLimit, RunPaths, Yes, once_each
from supportagentbench.language.counts import counted
from supportagentbench.records.problem import Problem
from supportagentbench.terminal.escape import on_one_line
from supportagentbench.terminal.spending import agree_to_spend

app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Build a website from runs, and verify one."
)

PUBLISHED = "published"
"""Given instead of runs: the board that others published."""


AboutFile = Annotated[
    Path | None,
    typer.Option("--about", help="A TOML file with the site's title, publisher, names and logos."),
]


@app.command("build")
def build_site(
    runs: Annotated[
        list[Path],
        typer.Argument(help=f"Run folders, or folders of runs; `{PUBLISHED}` for the published board."),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the website.")] = Path("site"),
    transcripts: Annotated[
        str, typer.Option("--transcripts", help="Which conversations to include: all, flagged or none.")
    ] = "all",
    since: Annotated[
        list[Path] | None, typer.Option("--since", help="Runs of an earlier board, to show what changed.")
    ] = None,
    prose: Annotated[
        Path | None, typer.Option("--prose", help="A folder of written reports, one .md per agent.")
    ] = None,
    about: AboutFile = None,
    forks: Annotated[
        list[Path] | None,
        typer.Option("--forks", help="Replays of `sab fork`, for pages on these decisions."),
    ] = None,
) -> None:
    """Build the board, a report per agent and all conversations as pages that open without a server."""
    from typing import get_args

    from supportagentbench.models.provider import keep_known_keys
    from supportagentbench.site.build import Extras, build, build_published
    from supportagentbench.site.data.site_data import Kept
    from supportagentbench.terminal.console import EscapingConsole
    from supportagentbench.terminal.progress import progress_bar

    keep_known_keys()
    if transcripts not in get_args(Kept):
        raise Problem(f"--transcripts is one of {', '.join(get_args(Kept))}, not {transcripts!r}.")
    if prose and not prose.is_dir():
        raise Problem("there is no such folder of reports; `sab site draft` creates one.", place=prose)
    kept: Kept = next(one for one in get_args(Kept) if one == transcripts)
    if [str(path) for path in runs] == [PUBLISHED] and not runs[0].exists():
        made = build_published(out, about)
    else:
        folders = once_each(runs)
        extras = Extras(
            prose, tuple(since or ()), about=about, forks=tuple(once_each(forks) if forks else ())
        )
        with progress_bar(EscapingConsole(stderr=True)) as bar:
            made = build(folders, out, kept, extras, bar.start)
    typer.echo(f"{counted(len(made), 'file')}. Open {(out / 'index.html').resolve().as_uri()}")


@app.command("draft")
def draft_reports(
    runs: RunPaths,
    analyst: Annotated[str, typer.Option("--analyst", help="The model that writes, as provider:model.")],
    out: Annotated[
        Path, typer.Option("--out", "-o", help="Folder for the drafts, one .md per agent.")
    ] = Path("prose"),
    budget: BudgetLimit = None,
    about: AboutFile = None,
    yes: Yes = False,
) -> None:
    """Have a model draft the text of the reports; edit it, then pass it to `sab site build --prose`."""
    from supportagentbench.concurrency.event_loop import drive
    from supportagentbench.site.about import About, read_about
    from supportagentbench.site.drafting import draft_all, plan_drafts
    from supportagentbench.terminal.console import EscapingConsole

    console = EscapingConsole(stderr=True)
    agree_to_spend([plan_drafts(runs, analyst)], budget, console, yes)
    notes = drive(draft_all(runs, analyst, out, budget, read_about(about) if about else About()))
    for note in notes:
        typer.echo(on_one_line(f"sab: {note}"), err=True)
    count = len(list(out.glob("*.md")))
    drafts, places = (
        counted(count, "draft"),
        shlex.join(map(str, [*runs, "--prose", out, *(["--about", about] if about else [])])),
    )
    typer.echo(f"{drafts} in {out}; read them, then `sab site build {places}`.")
    if notes:
        raise typer.Exit(2)


@app.command("verify")
def verify_site(
    folder: Annotated[Path, typer.Argument(help="A folder built by `sab site build`.")],
) -> None:
    """Recompute every number of a website from its conversations, and list what differs."""
    from supportagentbench.site.verify import verify

    found = list(verify(folder))
    for sentence in found:
        typer.echo(on_one_line(sentence))
    if found:
        raise typer.Exit(1)
    typer.echo(f"{folder}: every page matches its conversations.")


def open_page(
    folder: Annotated[Path, typer.Argument(help="A website, a run, or a folder of runs.")] = Path("site"),
) -> None:
    """Open a website in the browser, or the pages of a run, and print the address."""
    import webbrowser

    from supportagentbench.site.preview import page_of

    address = page_of(folder).resolve().as_uri()
    typer.echo(address)
    webbrowser.open(address)
