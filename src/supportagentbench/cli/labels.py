"""The commands `sab labels`."""

from pathlib import Path
from typing import Annotated

import typer

from supportagentbench.cli import RunPaths
from supportagentbench.records.problem import Problem

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Have people label what judges judged, and see what the judges are worth.",
)


@app.command("write")
def write_labels(
    runs: RunPaths,
    out: Annotated[
        Path, typer.Option("--out", "-o", help="The sheet; its key and texts lie beside it.")
    ] = Path("labels.csv"),
    items: Annotated[int, typer.Option("--items", min=1, help="How many questions.")] = 200,
    seed: Annotated[int, typer.Option("--seed", help="Draws the questions.")] = 0,
    judge: Annotated[
        str, typer.Option("--judge", help="By whose verdicts to draw; the model with most, or `rules`.")
    ] = "",
) -> None:
    """Write a blind sheet for people to label."""
    from supportagentbench.judges.labelling import key_path, write_sheet
    from supportagentbench.storage.archive import find_runs

    key = write_sheet(find_runs(runs), out, items=items, seed=seed, judge=judge)
    talks = len({row.conversation for row in key.items})
    typer.echo(f"{out}: {len(key.items)} questions about {talks} conversations, drawn by {key.judge}.")
    typer.echo(f"{out.with_suffix('.txt')}: to read beside it.")
    typer.echo(f"{key_path(out)}: the key; keep it from annotators.")


@app.command("read")
def read_labels(
    paths: Annotated[
        list[Path], typer.Argument(help="Filled sheets (.csv), and the runs that they were drawn from.")
    ],
    key: Annotated[
        Path | None, typer.Option("--key", help="The sheets' key, if not beside the first.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Everything, as JSON.")] = False,
) -> None:
    """What people's labels say of the judges, and every judged figure corrected by them."""
    from rich.console import Console

    from supportagentbench.judges.judged import read_judged
    from supportagentbench.judges.labelling import drawn_from, read_sheets
    from supportagentbench.judges.people import calibrate
    from supportagentbench.records.record import to_json
    from supportagentbench.storage.archive import find_runs
    from supportagentbench.terminal.judges import calibration_report

    sheets = [path for path in paths if path.suffix == ".csv"]
    runs = [path for path in paths if path not in sheets]
    if not sheets or not runs:
        raise Problem("name at least one filled sheet (.csv) and the runs that it was drawn from.")
    filled = read_sheets(sheets, key)
    judged = drawn_from(filled.key, read_judged(find_runs(runs)))
    found = calibrate(judged, filled.people, filled.key.judge, filled.key.version)
    if as_json:
        typer.echo(to_json(found).decode())
        return
    if filled.blank:
        typer.echo(f"{filled.blank} rows are still to be filled in.")
    Console().print(calibration_report(found))
