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
    case_set,
    load,
    print_or_json,
)
from supportagentbench.records.problem import Problem

if TYPE_CHECKING:
    from rich.console import Console

    from supportagentbench.board.gate import GateResult
    from supportagentbench.board.gate_rules import GateConfig
    from supportagentbench.records.baseline import GateBaseline
    from supportagentbench.world.generate import CaseSet

LAST = "last.json"
"""The result of the last gate, in the folder of its runs."""

AsMarkdown = Annotated[bool, typer.Option("--markdown", help="Print Markdown, for a pull request.")]


def diff(
    before: Annotated[Path, typer.Argument(help="A run folder, or a folder of one agent's runs.")],
    after: Annotated[Path, typer.Argument(help="The same of the changed agent.")],
    markdown: AsMarkdown = False,
    as_json: AsJson = False,
) -> None:
    """Show what a change did: newly unsafe, newly wrong, fixed; then the statistics.

    Exit code: 0 no worse, 100 worse, 101 cannot tell; 2 if the two cannot be compared.
    """
    from supportagentbench.board.run_diff import diff_runs
    from supportagentbench.terminal.run_diff import DIFF_CODES, diff_markdown, diff_view

    found = diff_runs(before, after)
    if markdown:
        typer.echo(diff_markdown(found), nl=False)
    else:
        print_or_json(found, as_json, diff_view)
    raise typer.Exit(DIFF_CODES[found.status])


def gate(
    targets: Annotated[list[str], typer.Argument(help="Folders of runs, or an agent, which is then run.")],
    baseline: Annotated[
        Path | None, typer.Option("--baseline", help="The baseline; or `baseline` under [gate].")
    ] = None,
    save: Annotated[
        Path | None, typer.Option("--save", help="Save these runs as a baseline and stop.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option("--config", help="A file with rules under [gate]; else sab.toml.")
    ] = None,
    runs: Annotated[
        int, typer.Option("--runs", "-n", min=0, help="Runs at most; 0: as many as the baseline has.")
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
    private_seed: PrivateSeed = "",
    concurrency: Concurrency = 8,
    budget: BudgetLimit = None,
    yes: Yes = False,
) -> None:
    """Hold a changed agent to the rules under [gate]: nothing may be worse than in the baseline.

    Exit code: 0 all rules held, 100 a rule failed, 101 undecided (with --strict; 0 without);
    2 if something cannot be compared. An agent is run until a rule fails, traps first.
    """
    from supportagentbench.board.baseline_file import baseline_of, read_baseline, save_baseline
    from supportagentbench.board.gate_rules import read_gate_config
    from supportagentbench.language.counts import counted
    from supportagentbench.storage.config import CONFIG
    from supportagentbench.terminal.console import EscapingConsole
    from supportagentbench.terminal.gate import gate_code

    if save:
        made = baseline_of(load([Path(one) for one in targets]))
        save_baseline(made, save)
        size, count = counted(len(made.conversations), "case"), counted(len(made.runs), "run")
        typer.echo(f"{save}: {size}, {count} of {made.agent}")
        return
    rules = read_gate_config(config or CONFIG, must_exist=config is not None)
    place = baseline or rules.baseline
    if place is None:
        raise Problem("a gate needs a baseline. Save one: sab gate --save baseline.json RUNS")
    kept = read_baseline(place)
    chosen = chosen_cases(kept, only, matching, out)
    if all(Path(one).is_dir() for one in targets):
        result = stored_result([Path(one) for one in targets], kept, rules, chosen, first)
    elif len(targets) == 1:
        cases = (world or kept.world, private_seed)
        limits = (runs, concurrency, budget, yes, first)
        result = live_result(
            targets[0], kept, rules, chosen, cases, limits, out, EscapingConsole(stderr=True)
        )
    else:
        raise Problem("give folders of runs, or one agent.")
    report(result, out, junit, markdown, as_json)
    raise typer.Exit(gate_code(result, strict=strict))


def chosen_cases(baseline: "GateBaseline", only: str, matching: str, out: Path) -> tuple[str, ...]:
    """The cases that the options choose, in the baseline's order."""
    import msgspec

    from supportagentbench.board.gate import GateResult
    from supportagentbench.records.record import from_json

    found = [case for case in baseline.conversations if matching in case]
    if only and only != "failed":
        raise Problem(f"--only {only} is not known; use --only failed.")
    if only:
        try:
            last = from_json((out / LAST).read_bytes(), GateResult)
        except (OSError, msgspec.MsgspecError):
            raise Problem("there is no result of an earlier gate; leave --only out.", place=out) from None
        failed = {case for rule in last.rules for case in rule.newly_bad}
        found = [case for case in found if case in failed]
    if not found:
        raise Problem("no case is left to compare; leave out -k or --only.")
    return tuple(found)


def stored_result(
    paths: list[Path], baseline: "GateBaseline", config: "GateConfig", chosen: tuple[str, ...], first: bool
) -> "GateResult":
    """The rules applied to runs on file."""
    from supportagentbench.board.baseline_file import check_fits
    from supportagentbench.board.gate import Gate, planned_order

    found = load(paths)
    names = sorted({run.header.agent for run in found})
    if len(names) > 1:
        raise Problem(f"A gate is for one agent, and here are {', '.join(names)}. Name the runs of one.")
    for run in found:
        check_fits(baseline, run.header)
    order = planned_order(baseline, [run.header for run in found], chosen)
    made = Gate(baseline, config.rules, order, first_new=first)
    for run in found:
        for verdict in run.verdicts:
            if verdict.counts:
                made.add(run.header.run, verdict)
    return made.result(names[0])


def live_result(
    agent: str,
    baseline: "GateBaseline",
    config: "GateConfig",
    chosen: tuple[str, ...],
    cases: tuple[str, str],
    limits: tuple[int, int, float | None, bool, bool],
    out: Path,
    console: "Console",
) -> "GateResult":
    """The rules applied to an agent that is run until one fails."""
    import asyncio

    from supportagentbench.board.gate import Gate, ordered
    from supportagentbench.cli.spending import agree_to_spend
    from supportagentbench.runner.dry_run import plan_costs
    from supportagentbench.runner.job import Job
    from supportagentbench.terminal.gate_job import fresh_folder, run_gate

    runs, concurrency, budget, yes, first = limits
    drawn = _drawn(baseline, *cases)
    numbers = [number for number in baseline.runs if not runs or number <= runs]
    sys.path.append(str(Path.cwd()))  # An agent may be a file in this folder; it never hides a library.
    order = ordered(baseline, [(run, case) for run in numbers for case in chosen])
    made = Gate(baseline, config.rules, order, first_new=first)
    customer, channel, desk = baseline.customer, baseline.channel, baseline.desk
    plans = asyncio.run(
        plan_costs(drawn, baseline.set, [agent], customer, len(numbers), concurrency, channel, desk)
    )
    agree_to_spend(plans, budget, console, yes)
    job = Job(
        drawn,
        baseline.set,
        [agent],
        runs=max(numbers, default=0),
        seed=baseline.seed,
        customer=customer,
        out=fresh_folder(out),
        concurrency=concurrency,
        budget=budget,
        channel=channel,
        desk=desk,
        chosen=tuple(dict.fromkeys(case for _, case in order)),
        first=frozenset(baseline.results.get("unsafe", {})),
    )
    run_gate(job, made, console)
    return made.result(agent)


def _drawn(baseline: "GateBaseline", world: str, secret: str) -> "CaseSet":
    """The baseline's cases, drawn again; a Problem if they would not be the same."""
    if baseline.runs != tuple(range(1, len(baseline.runs) + 1)):
        raise Problem("The baseline lacks its first runs. Save it again from all runs.")
    if not secret and not baseline.case_seed.isdecimal():
        raise Problem("The baseline's cases were drawn from a secret. Give it with --private-seed.")
    drawn = case_set(world, 0 if secret else int(baseline.case_seed), secret)
    for name, found in (
        ("world_digest", drawn.world.digest),
        ("policy_digest", drawn.world.policy_digest(baseline.desk)),
        ("case_seed", drawn.seed.name),
    ):
        if getattr(baseline, name) != found:
            raise Problem(f"The baseline was made with another {name}. Save a new baseline.")
    return drawn


def report(result: "GateResult", out: Path, junit: Path | None, markdown: bool, as_json: bool) -> None:
    """Print a result, and leave it wherever a pipeline looks for it."""
    from supportagentbench.records.record import to_json
    from supportagentbench.terminal.gate import gate_annotations, gate_junit, gate_markdown, gate_view

    if markdown:
        typer.echo(gate_markdown(result), nl=False)
    else:
        print_or_json(result, as_json, gate_view)
    _write(out / LAST, to_json(result))
    if junit:
        _write(junit, gate_junit(result))
    if os.environ.get("GITHUB_ACTIONS") == "true":
        for line in gate_annotations(result):
            typer.echo(line, err=markdown or as_json)
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        with Path(summary).open("a", encoding="utf-8") as file:
            file.write(gate_markdown(result))


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise Problem(f"cannot be written: {error.strerror}.", place=path) from None
