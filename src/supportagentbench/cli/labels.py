"""The commands `sab labels write` and `sab labels read`."""

from pathlib import Path
from typing import Annotated

import typer

from supportagentbench.cli.options import AsJson, RunPaths, load, once_each, print_or_json
from supportagentbench.records.counts import counted
from supportagentbench.records.problem import Problem

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Have people label what judges judged, and measure the judges against them.",
)


@app.command("write")
def write_labels(
    runs: RunPaths,
    out: Annotated[
        Path, typer.Option("--out", "-o", help="The sheet; its key and texts are written next to it.")
    ] = Path("labels.csv"),
    items: Annotated[int, typer.Option("--items", min=1, help="Number of questions.")] = 200,
    seed: Annotated[int, typer.Option("--seed", help="Seed for drawing the questions.")] = 0,
    judge: Annotated[
        str,
        typer.Option(
            "--judge",
            help="Judge whose verdicts guide the draw (default: the one with the most verdicts).",
        ),
    ] = "",
) -> None:
    """Write a blind sheet for people to label."""
    from supportagentbench.judges.labelling import key_path, write_sheet
    from supportagentbench.results.judged import judged_in

    folders = once_each(runs)
    key = write_sheet(judged_in(load(folders)), folders, out, items=items, seed=seed, judge=judge)
    conversations = counted(len({row.conversation for row in key.items}), "conversation")
    typer.echo(f"{out}: {counted(len(key.items), 'question')} on {conversations}, drawn by {key.judge}.")
    typer.echo(f"{out.with_suffix('.txt')}: the conversations, to read next to the sheet.")
    typer.echo(f"{key_path(out)}: the key; do not show it to annotators.")


@app.command("read")
def read_labels(
    paths: Annotated[
        list[Path], typer.Argument(help="Completed sheets (.csv) and the runs they were drawn from.")
    ],
    key: Annotated[
        Path | None, typer.Option("--key", help="The key of the sheets, if it is not next to the first.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure judges against people's labels, and correct every judged figure accordingly."""
    from supportagentbench.judges.labelling import drawn_from, read_sheets
    from supportagentbench.judges.people import calibrate
    from supportagentbench.results.judged import judged_in
    from supportagentbench.terminal.judges import calibration_report

    sheets = [path for path in paths if path.suffix == ".csv"]
    runs = [path for path in paths if path not in sheets]
    if not sheets or not runs:
        raise Problem("give at least one completed sheet (.csv) and the runs it was drawn from.")
    filled = read_sheets(sheets, key)
    judged = drawn_from(filled.key, judged_in(load(runs)))
    found = calibrate(judged, filled.people, filled.key.judge, filled.key.version)
    if filled.blank and not as_json:
        typer.echo(f"{counted(filled.blank, 'row')} {'is' if filled.blank == 1 else 'are'} still empty.")
    print_or_json(found, as_json, calibration_report)
