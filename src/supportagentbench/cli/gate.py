"""The commands on whether a changed agent got worse: `sab diff` for people, `sab gate` for pipelines."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from supportagentbench.cli.options import (
    AsJson,
    BudgetLimit,
    Concurrency,
    PrivateSeed,
    Yes,
    load,
    print_or_json,
)
from supportagentbench.cli.spending import agree_to_spend
from supportagentbench.records.problem import Problem

if TYPE_CHECKING:
    from supportagentbench.board.gate import GateResult

AsMarkdown = Annotated[bool, typer.Option("--markdown", help="Print Markdown, for a pull request.")]


def diff(
    before: Annotated[
        Path, typer.Argument(help="A run folder, a folder of one agent's runs, or an agent's name.")
    ],
    after: Annotated[Path, typer.Argument(help="The same of the changed agent.")],
    out: Annotated[
        Path, typer.Option("--out", "-o", help="Folder of the runs, for agents given by name.")
    ] = Path("runs"),
    markdown: AsMarkdown = False,
    as_json: AsJson = False,
) -> None:
    """Show what a change did: newly unsafe, newly wrong, fixed; then the statistics.

    Exit code: 0 no worse, 100 worse, 101 undecided; 2 if the two cannot be compared.
    """
    from supportagentbench.board.run_diff import diff_runs
    from supportagentbench.terminal.run_diff import DIFF_CODES, diff_markdown, diff_view

    found = diff_runs(before, after, out)
    if markdown:
        typer.echo(diff_markdown(found), nl=False)
    else:
        print_or_json(found, as_json, diff_view)
    raise typer.Exit(DIFF_CODES[found.status])


def gate(
    targets: Annotated[
        list[str] | None,
        typer.Argument(help="Folders of runs, or an agent, which is then run; else the one in sab.toml."),
    ] = None,
    baseline: Annotated[
        Path | None, typer.Option("--baseline", help="The baseline; or `baseline` under [gate].")
    ] = None,
    save: Annotated[
        Path | None, typer.Option("--save", help="Save these runs as a baseline and stop.")
    ] = None,
    rules: Annotated[
        Path | None, typer.Option("--config", help="A file with rules under [gate]; else sab.toml.")
    ] = None,
    runs: Annotated[
        int,
        typer.Option("--runs", "-n", min=0, help="Runs per draw at most; 0: as many as the baseline has."),
    ] = 0,
    out: Annotated[
        Path, typer.Option("--out", "-o", help="Folder for the runs of a gate, each in a new one.")
    ] = Path("runs/gate"),
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 101 if a rule is undecided.")] = False,
    only: Annotated[str, typer.Option("--only", help="`failed`: the cases that failed last time.")] = "",
    matching: Annotated[str, typer.Option("-k", help="Only cases whose name has this part.")] = "",
    first: Annotated[
        bool, typer.Option("-x", help="One newly bad case fails `no new`, chance or not.")
    ] = False,
    junit: Annotated[Path | None, typer.Option("--junit", help="Write JUnit XML here.")] = None,
    markdown: AsMarkdown = False,
    as_json: AsJson = False,
    world: Annotated[str, typer.Option("--world", help="The world, if it is no shipped one.")] = "",
    case_seed: Annotated[
        str, typer.Option("--case-seed", help="Only these draws of the baseline: 0,1 or 0-4. Default: all.")
    ] = "",
    private_seed: PrivateSeed = "",
    concurrency: Concurrency = 8,
    budget: BudgetLimit = None,
    yes: Yes = False,
) -> None:
    """Hold a changed agent to the rules under [gate]: nothing may be worse than in the baseline.

    Exit code: 0 all rules held, 100 a rule failed, 101 undecided (with --strict; 0 without);
    2 if something cannot be compared. An agent is run until a rule fails, traps first; a gate that was
    cut short is resumed.
    """
    from supportagentbench.board.baseline_file import read_baseline, with_draws
    from supportagentbench.board.gate_plan import GatePlan, chosen_cases, keep_result, last_result
    from supportagentbench.board.gate_rules import read_gate_config
    from supportagentbench.storage.config import CONFIG
    from supportagentbench.terminal.console import EscapingConsole
    from supportagentbench.terminal.gate import gate_code
    from supportagentbench.terminal.gate_job import GateJob, drawn_again
    from supportagentbench.world.seed import numbered_seeds

    if not targets:
        raise Problem("name an agent or folders of runs; or set `agents` under [run] in sab.toml.")
    folders = [Path(one) for one in targets]
    if save:
        save_runs(folders, save)
        return
    config = read_gate_config(rules or CONFIG, must_exist=rules is not None)
    place = baseline or config.baseline
    if place is None:
        raise Problem("a gate needs a baseline. Save one: sab gate --save baseline.json RUNS")
    if only not in ("", "failed"):
        raise Problem(f"--only {only} is not known; use --only failed.")
    kept = read_baseline(place)
    if case_seed:
        kept = with_draws(kept, {seed.name for seed in numbered_seeds(case_seed)})
    chosen = chosen_cases(kept, matching, last_result(out) if only else None)
    plan = GatePlan(kept, config.rules, chosen, first)
    if all(folder.is_dir() for folder in folders):
        result = plan.stored_result(load(folders))
    elif len(targets) == 1:
        sys.path.append(str(Path.cwd()))  # An agent may be a file in this folder; it never hides a library.
        draws = drawn_again(kept, world, private_seed)
        job = GateJob(plan, targets[0], draws, runs, out, concurrency, budget)
        console = EscapingConsole(stderr=True)
        agree_to_spend(job.costs(), budget, console, yes)
        result = job.run(console)
    else:
        raise Problem("give folders of runs, or one agent.")
    keep_result(out, result)
    report(result, junit, markdown, as_json)
    raise typer.Exit(gate_code(result, strict=strict))


def save_runs(folders: list[Path], place: Path) -> None:
    """Save one agent's runs as a baseline."""
    from supportagentbench.board.baseline_file import baseline_of, save_baseline
    from supportagentbench.language.counts import counted

    made = baseline_of(load(folders))
    save_baseline(made, place)
    size, count = counted(len(made.conversations), "case"), counted(len(made.runs), "run")
    typer.echo(f"{place}: {size}, {count} of {made.agent}")


def report(result: "GateResult", junit: Path | None, markdown: bool, as_json: bool) -> None:
    """Print a result, and leave it wherever a pipeline looks for it."""
    from supportagentbench.board.gate_plan import write_new
    from supportagentbench.terminal.gate import gate_annotations, gate_junit, gate_markdown, gate_view

    if markdown:
        typer.echo(gate_markdown(result), nl=False)
    else:
        print_or_json(result, as_json, gate_view)
    if junit:
        write_new(junit, gate_junit(result))
    if os.environ.get("GITHUB_ACTIONS") == "true":
        for line in gate_annotations(result):
            typer.echo(line, err=markdown or as_json)
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        with Path(summary).open("a", encoding="utf-8") as file:
            file.write(gate_markdown(result))
