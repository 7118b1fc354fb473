"""Fork commands: `sab fork` replays recorded decisions, `sab forks` shows the results."""

from pathlib import Path
from typing import Annotated, Literal

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
    RunPaths,
    Yes,
    print_or_json,
    private_seed_of,
    wall_kind,
)
from supportagentbench.cli.run import Isolate, KeepEnv, Memory, Resume, SandboxNetwork, TurnTimeout
from supportagentbench.records.fork import ForkRule
from supportagentbench.records.problem import Problem

RuleName = Literal["before-first-write", "first-divergence", "each-rung", "blind"]

NAMED: dict[RuleName, ForkRule] = {
    "before-first-write": "before_first_write",
    "first-divergence": "first_divergence",
    "each-rung": "each_rung",
    "blind": "blind",
}


Sources = Annotated[
    list[str],
    typer.Argument(
        help="Run folders, or folders of runs. Anything that is not a folder is taken as an agent."
    ),
]
Deciders = Annotated[
    list[str] | None,
    typer.Option(
        "--agents", "-a", help="Agent that decides again (default: the agents of the runs). Repeatable."
    ),
]
Replays = Annotated[
    int, typer.Option("--replays", "-n", min=1, max=1000, help="Replays per fork. It takes 21 to hold.")
]
Rule = Annotated[RuleName, typer.Option("--rule", help="Where to fork. Only `blind` is used for rates.")]
At = Annotated[
    list[str] | None,
    typer.Option("--at", help="Fork here: CASE:TURN, CASE:TURN.CALL, or CASE for every reply. Repeatable."),
]
Changed = Annotated[
    list[str] | None,
    typer.Option(
        "--with", help="Also fork with a changed fact: proof=shown. Repeatable; join several with `;`."
    ),
]
Within = Annotated[
    bool, typer.Option("--within", help="Fork within a reply, after its look-ups. Models only.")
]
Matching = Annotated[str, typer.Option("-k", help="Only cases whose name contains this.")]
AllCases = Annotated[bool, typer.Option("--all-cases", help="Not only traps.")]
Sample = Annotated[int, typer.Option("--sample", min=0, help="With --rule blind: number of traps; 0: all.")]
UntilDecided = Annotated[
    bool, typer.Option("--until-decided", help="Replay each fork until it is decided, at most 60 times.")
]
ForkSeed = Annotated[int, typer.Option("--seed", help="Seed for replays and samples.")]
Customer = Annotated[
    str, typer.Option("--customer", help="Customer after the fork (default: same as in the run).")
]
Out = Annotated[Path, typer.Option("--out", "-o", help="Folder for the replays.")]
Fresh = Annotated[
    bool, typer.Option("--fresh", help="Start over: earlier replays of these agents are moved aside.")
]


def fork(
    runs: Sources,
    agents: Deciders = None,
    replays: Replays = 10,
    rule: Rule = "before-first-write",
    at: At = None,
    changed: Changed = None,
    within: Within = False,
    matching: Matching = "",
    all_cases: AllCases = False,
    sample: Sample = 0,
    until_decided: UntilDecided = False,
    seed: ForkSeed = 0,
    customer: Customer = "",
    out: Out = Path("runs/forks"),
    fresh: Fresh = False,
    resume: Resume = False,
    world: CustomWorld = "",
    private_seed: PrivateSeed = "",
    private_seed_file: PrivateSeedFile = None,
    concurrency: Concurrency = 8,
    budget: BudgetLimit = None,
    isolate: Isolate = "",
    sandbox_network: SandboxNetwork = False,
    memory: Memory = 2.0,
    keep_env: KeepEnv = None,
    turn_timeout: TurnTimeout = 300.0,
    yes: Yes = False,
    display: Display = "",
    live: Live = False,
    port: Port = 7321,
) -> None:
    """Let agents make recorded decisions again, with the same store, customer and messages up to that point.

    Exit codes are those of `sab run`. Run the same command again to resume.
    """
    from supportagentbench.forks.fork_plan import ForkWishes
    from supportagentbench.jobs.secret import Secret
    from supportagentbench.jobs.spec import ForkSpec, JobSpec, wall
    from supportagentbench.stats.forks import CAP
    from supportagentbench.storage.pipeline import in_pipeline
    from supportagentbench.terminal.run import Showing, start_forks

    folders = tuple(Path(one) for one in runs if Path(one).is_dir())
    if not folders:
        raise Problem(f"there is no folder of runs called {runs[0]}; `sab run` makes one.")
    more = [one for one in runs if not Path(one).is_dir()]
    wishes = ForkWishes(
        NAMED[rule], tuple(at or ()), tuple(changed or ()), within, matching, all_cases, sample, seed
    )
    asked = JobSpec(
        world,
        (*(agents or ()), *more),
        runs=CAP if until_decided else replays,
        customer=customer,
        out=out,
        concurrency=concurrency,
        budget=budget,
        isolation=wall(memory, keep_env, wall_kind(isolate), sandbox_network) if isolate else None,
        turn_timeout=turn_timeout,
        private_seed=Secret(private_seed_of(private_seed, private_seed_file, isolated=isolate == "process")),
        fresh=fresh,
        resume=resume or not in_pipeline(),
        forks=ForkSpec(folders, wishes, until_decided),
    )
    showing, console = Showing.chosen(display, live, port)
    raise typer.Exit(start_forks(asked, showing, console, yes))


def forks(runs: RunPaths, as_json: AsJson = False) -> None:
    """Show what agents did when they made recorded decisions again."""
    from supportagentbench.board.fork_board import fork_board
    from supportagentbench.terminal.fork_board import forks_view

    print_or_json(fork_board(runs), as_json, forks_view)
