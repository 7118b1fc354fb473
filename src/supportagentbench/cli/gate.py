"""Gate commands: has a changed agent become worse? `sab diff` for people, `sab gate` for pipelines."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from supportagentbench.cli.options import (
    AsJson,
    BudgetLimit,
    Concurrency,
    CustomWorld,
    Display,
    Live,
    Port,
    PrivateSeed,
    PrivateSeedFile,
    Yes,
    load,
    print_or_json,
    private_seed_of,
    wall_kind,
)
from supportagentbench.cli.run import Isolate, KeepEnv, Memory, Resume, SandboxNetwork, TurnTimeout
from supportagentbench.records.problem import Problem

if TYPE_CHECKING:
    from supportagentbench.board.gate_result import GateResult
    from supportagentbench.jobs.run import JobOutcome

AsMarkdown = Annotated[bool, typer.Option("--markdown", help="Print Markdown, for a pull request.")]


def diff(
    before: Annotated[
        Path, typer.Argument(help="A run folder, a folder with one agent's runs, or an agent's name.")
    ],
    after: Annotated[Path, typer.Argument(help="The same for the changed agent.")],
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
    from supportagentbench.terminal.comparison import DIFF_CODES, diff_markdown, diff_view

    found = diff_runs(before, after, out)
    if markdown:
        typer.echo(diff_markdown(found), nl=False)
    else:
        print_or_json(found, as_json, diff_view)
    raise typer.Exit(DIFF_CODES[found.status])


Targets = Annotated[
    list[str] | None,
    typer.Argument(help="Folders of runs, or an agent to run (default: `agents` in sab.toml)."),
]
Baseline = Annotated[
    str | None,
    typer.Option(
        "--baseline",
        help="Baseline file (default: `baseline` under [gate]), or git:REF:path for that of another commit.",
    ),
]
Save = Annotated[
    Path | None,
    typer.Option(
        "--save",
        help="Save a baseline and stop: of these runs, or of an agent, which is run: traps ten times, all "
        "other cases once, with the settings in sab.toml.",
    ),
]
Before = Annotated[
    str,
    typer.Option(
        "--before",
        help="An earlier version of the agent, such as old/my_agent.py: suspicious cases are run with it, "
        "too, instead of believing a baseline of few runs.",
    ),
]
Rules = Annotated[
    str | None,
    typer.Option(
        "--config",
        help="File with [gate] rules and [run] settings (default: sab.toml), or git:REF:path for that of "
        "another commit.",
    ),
]
GateRuns = Annotated[
    int, typer.Option("--runs", "-n", min=1, help="Runs of the traps, per draw, before any is run again.")
]
Out = Annotated[
    Path, typer.Option("--out", "-o", help="Folder for the runs of gates; each gate gets a new subfolder.")
]
Strict = Annotated[
    bool, typer.Option("--strict", help="Exit with 101 also if a rule is undecided or passes with a note.")
]
Only = Annotated[str, typer.Option("--only", help="`failed`: only the cases that failed last time.")]
Matching = Annotated[str, typer.Option("-k", help="Only cases whose name contains this.")]
FirstNew = Annotated[
    bool, typer.Option("-x", help="Fail on the first new bad case, even if it may be chance.")
]
Junit = Annotated[Path | None, typer.Option("--junit", help="Write JUnit XML here.")]
Customer = Annotated[
    str, typer.Option("--customer", help="The customer of the baseline, if it is code or has an address.")
]
Trust = Annotated[
    bool,
    typer.Option(
        "--trust", help="Run the agent's code in this process: faster, but it could change its own results."
    ),
]
Draws = Annotated[
    str, typer.Option("--case-seed", help="Only these draws of the baseline: 0,1 or 0-4. Default: all.")
]


def gate(
    targets: Targets = None,
    baseline: Baseline = None,
    save: Save = None,
    rules: Rules = None,
    before: Before = "",
    runs: GateRuns = 3,
    out: Out = Path("runs/gate"),
    strict: Strict = False,
    only: Only = "",
    matching: Matching = "",
    first: FirstNew = False,
    junit: Junit = None,
    markdown: AsMarkdown = False,
    as_json: AsJson = False,
    world: CustomWorld = "",
    customer: Customer = "",
    case_seed: Draws = "",
    private_seed: PrivateSeed = "",
    private_seed_file: PrivateSeedFile = None,
    concurrency: Concurrency = 8,
    budget: BudgetLimit = None,
    resume: Resume = False,
    trust: Trust = False,
    isolate: Isolate = "process",
    sandbox_network: SandboxNetwork = False,
    memory: Memory = 2.0,
    keep_env: KeepEnv = None,
    turn_timeout: TurnTimeout = 300.0,
    yes: Yes = False,
    display: Display = "",
    live: Live = False,
    port: Port = 7321,
) -> None:
    """Check a changed agent against the [gate] rules: nothing may be worse than in the baseline.

    Traps are run three times, all other cases once; a case that was unsafe is run again, up to ten times.
    Exit code: 0 all rules passed, 100 a rule failed (unsafe actions are newly there), 101 stopped (unsafe
    again and again, not proven to be new), with --strict also if a rule is undecided or passes with a note;
    2 if something cannot be compared. If conversations are missing and no rule failed, the exit code is that
    of `sab run`, never 0. A gate that was cut short is resumed. An agent's code runs in separate processes,
    unless --trust is given.
    """
    from supportagentbench.board.gate_plan import keep_result
    from supportagentbench.jobs.baseline import spec_of_saved
    from supportagentbench.jobs.gate import GateRequest
    from supportagentbench.jobs.secret import Secret
    from supportagentbench.jobs.spec import JobSpec, wall
    from supportagentbench.storage.config import CONFIG
    from supportagentbench.storage.git_file import place_of
    from supportagentbench.storage.pipeline import in_pipeline
    from supportagentbench.terminal.gate import are_stored, gate_code, run_baseline, run_gate, save_runs
    from supportagentbench.terminal.run import Showing

    if not targets:
        raise Problem("name an agent or folders of runs: sab gate my_agent.py")
    folders = [Path(one) for one in targets]
    believes = resume or not in_pipeline()
    if save and are_stored(targets):
        save_runs(folders, save)
        return
    asked = JobSpec(
        world,
        tuple(targets),
        runs=runs,
        customer=customer,
        out=out,
        concurrency=concurrency,
        budget=budget,
        isolation=None if trust else wall(memory, keep_env, wall_kind(isolate), sandbox_network),
        turn_timeout=turn_timeout,
        resume=believes,
        private_seed=Secret(private_seed_of(private_seed, private_seed_file, isolated=not trust)),
    )
    showing, console = Showing.chosen(display, live, port)
    if save:
        made = spec_of_saved(asked, place_of(rules) if rules else CONFIG, case_seed)
        raise typer.Exit(run_baseline(made, save, showing, console, yes))
    compared, ruled = (place_of(words) if words else None for words in (baseline, rules))
    plan = GateRequest(compared, ruled, only, matching, first, case_seed, out, believes).plan()
    how: JobOutcome = "partial"
    if are_stored(targets):
        if not believes:
            raise Problem(
                "these runs are on file, and a pipeline believes no such runs, because a change may bring "
                "them. Name the agent instead, or count them with --resume.",
                place=folders[0],
            )
        result = plan.stored_result(load(folders))
    else:
        result, how = run_gate(plan, asked, showing, console, yes, before)
    report(result, junit, markdown, as_json)
    keep_result(out, result)
    raise typer.Exit(gate_code(result, how, strict=strict))


def report(result: "GateResult", junit: Path | None, markdown: bool, as_json: bool) -> None:
    """Print a result, and write it to every place where a pipeline looks for it."""
    from supportagentbench.storage.file import append, write_whole
    from supportagentbench.terminal.gate import gate_annotations, gate_junit, gate_markdown, gate_view

    if markdown:
        typer.echo(gate_markdown(result), nl=False)
    else:
        print_or_json(result, as_json, gate_view)
    if junit:
        write_whole(junit, gate_junit(result), follow=True)
    if os.environ.get("GITHUB_ACTIONS") == "true":
        for line in gate_annotations(result):
            typer.echo(line, err=markdown or as_json)
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        append(Path(summary), gate_markdown(result).encode(), follow=True)
