"""The commands `sab site build` and `verify`."""

from pathlib import Path
from typing import Annotated

import typer

from supportagentbench.cli.options import (
    DeskOptions,
    Limits,
    PrivateSeed,
    PrivateSeedFile,
    RunPaths,
    chosen,
    judged_once,
    once_each,
    private_seed_of,
)
from supportagentbench.records.counts import counted
from supportagentbench.records.problem import Problem
from supportagentbench.terminal.escape import on_one_line

app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Build a website from runs, or verify one."
)

AboutFile = Annotated[
    Path | None,
    typer.Option("--about", help="A TOML file with the site's title, publisher, names and logos."),
]


@app.command("build")
def build_site(
    runs: RunPaths,
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
        typer.Option("--forks", help="Folder of `sab fork` replays, for pages about these decisions."),
    ] = None,
    reveal_seed: Annotated[
        str,
        typer.Option(
            "--reveal-seed", help="The secret of a private draw: published, so that others can verify."
        ),
    ] = "",
    limit: Limits = None,
    desk: DeskOptions = None,
) -> None:
    """Build the board, a report per agent and all conversations as pages that open without a server."""
    from typing import get_args

    from supportagentbench.jobs.secret import Secret
    from supportagentbench.jobs.site import build_site as build
    from supportagentbench.models.provider import keep_known_keys
    from supportagentbench.site.build import Extras
    from supportagentbench.site.data.site_data import Kept
    from supportagentbench.terminal.console import EscapingConsole
    from supportagentbench.terminal.display import progress_bar

    keep_known_keys()
    if transcripts not in get_args(Kept):
        raise Problem(f"--transcripts is one of {', '.join(get_args(Kept))}, not {transcripts!r}.")
    if prose and not prose.is_dir():
        raise Problem("there is no such folder of reports.", place=prose)
    kept: Kept = next(one for one in get_args(Kept) if one == transcripts)
    folders = judged_once(runs)
    forked = tuple(once_each(forks) if forks else ())
    choice = chosen(limit, desk)
    extras = Extras(prose, tuple(since or ()), about=about, forks=forked, choice=choice)
    with progress_bar(EscapingConsole(stderr=True)) as bar:
        made = build(folders, out, kept, extras, Secret(reveal_seed), bar.start)
    typer.echo(f"{counted(len(made), 'file')}. Open {(out / 'index.html').resolve().as_uri()}")


@app.command("verify")
def verify_site(
    folder: Annotated[Path, typer.Argument(help="A folder built by `sab site build`.")],
    private_seed: PrivateSeed = "",
    private_seed_file: PrivateSeedFile = None,
) -> None:
    """Play every conversation of a website again, recompute every number, and list the differences."""
    from supportagentbench.jobs.secret import Secret
    from supportagentbench.jobs.site import verify_site as verify

    found = verify(folder, Secret(private_seed_of(private_seed, private_seed_file)))
    for sentence in (*found.differences, *found.notes):
        typer.echo(on_one_line(sentence))
    if found.differences:
        raise typer.Exit(1)
    typer.echo(f"{folder}: every page matches its conversations; {found.summary}.")


def open_page(
    folder: Annotated[Path, typer.Argument(help="A website, a run, or a folder of runs.")] = Path("site"),
) -> None:
    """Open a website in the browser, or the pages of a run, and print the address."""
    import webbrowser

    from supportagentbench.site.preview import page_of

    address = page_of(folder).resolve().as_uri()
    typer.echo(address)
    webbrowser.open(address)
