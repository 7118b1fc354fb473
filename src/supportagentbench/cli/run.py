"""The command `sab run`."""

from pathlib import Path
from typing import Annotated

import typer

from supportagentbench.cli.options import (
    BudgetLimit,
    CaseSeeds,
    Concurrency,
    DeskOption,
    Display,
    Live,
    Port,
    PrivateSeed,
    PrivateSeedFile,
    SetName,
    WorldName,
    Yes,
    number,
    private_seed_of,
    wall_kind,
    wall_value,
    world_of,
)
from supportagentbench.records.run import Channel
from supportagentbench.worlds import DEFAULT_WORLD

Agents = Annotated[
    list[str],
    typer.Argument(
        help="Models as provider:model; your own agents as file.py, file.py:Name or package.module:Name; "
        "reference agents (`reference`: oracle and `dummies`: silent, hands-over, refuses, complies, "
        "echoes, dumps, random-tool, keywords); invented agents with known faults (`cast`: hasty, "
        "trusting, anxious, chatty, by-the-book, stale); agents of limited capacity (`capacity`: all, or "
        "one, such as capacity:believes,dose=0.3)."
    ),
]
Runs = Annotated[int, typer.Option("--runs", "-n", min=1, help="Runs per agent and draw.")]
Out = Annotated[Path, typer.Option("--out", "-o", help="Folder for the runs, or s3://bucket/prefix.")]
Customer = Annotated[
    str,
    typer.Option(
        "--customer",
        help="`auto`, `scripted`, or a model that reads the agent's messages and writes the customer's.",
    ),
]
ChannelOption = Annotated[Channel, typer.Option("--channel", help="How customers write: `email` or `chat`.")]
RunSeed = Annotated[int, typer.Option("--seed", help="Seed for agents and customers.")]
Record = Annotated[Path | None, typer.Option("--record", help="Record all model answers here.")]
Replay = Annotated[Path | None, typer.Option("--replay", help="Replay all model answers from here.")]
Isolate = Annotated[
    str,
    typer.Option(
        "--isolate",
        parser=wall_value,
        metavar="[process|sandbox]",
        help="Run agents with Python code in separate processes (`--isolate`), or in a sandbox that sees "
        "only their own code (`--isolate=sandbox`; needs bubblewrap).",
    ),
]
SandboxNetwork = Annotated[
    bool, typer.Option("--sandbox-network", help="Let agents in a sandbox use the network, to call a model.")
]
Memory = Annotated[
    float,
    typer.Option(
        "--memory",
        min=0,
        max=1_000_000,
        callback=number,
        help="Memory limit in GB of each isolated agent, with what it starts; 0: no limit.",
    ),
]
KeepEnv = Annotated[
    list[str] | None,
    typer.Option(
        "--keep-env", help="Environment variable, such as a key, to pass to isolated agents. Repeatable."
    ),
]
GivenName = Annotated[
    str,
    typer.Option(
        "--name", help="Name for the agent, such as v2, so that runs of an earlier version are kept."
    ),
]
Fresh = Annotated[
    bool, typer.Option("--fresh", help="Start over: earlier runs of these agents are moved aside.")
]
Resume = Annotated[
    bool,
    typer.Option(
        "--resume",
        help="In a pipeline (CI is set): count stored results, too, which anyone may have committed.",
    ),
]
ShardGiven = Annotated[
    str,
    typer.Option(
        "--shard",
        metavar="I/N",
        help="Play part I of N of the job, the same command on each machine; /N: the part is the pod's "
        "JOB_COMPLETION_INDEX. -j and --budget are for all parts together. Then: `sab merge`.",
    ),
]
TurnTimeout = Annotated[
    float,
    typer.Option(
        "--turn-timeout",
        min=0.1,
        max=86_400,
        callback=number,
        help="Seconds per turn for an agent with Python code.",
    ),
]
Cluster = Annotated[
    str,
    typer.Option(
        "--cluster",
        help="Play on a Ray cluster: `auto`, the one of this job or machine, or else a new local one; "
        "`local` or `local:4`, a local one of 4 processes. Needs supportagentbench[ray].",
    ),
]


def run(
    agents: Agents,
    world: WorldName = DEFAULT_WORLD,
    set_name: SetName = "all",
    runs: Runs = 1,
    out: Out = Path("runs"),
    customer: Customer = "auto",
    channel: ChannelOption = "email",
    desk: DeskOption = "prompt",
    seed: RunSeed = 0,
    case_seed: CaseSeeds = "0",
    private_seed: PrivateSeed = "",
    private_seed_file: PrivateSeedFile = None,
    concurrency: Concurrency = 8,
    budget: BudgetLimit = None,
    record: Record = None,
    replay: Replay = None,
    isolate: Isolate = "",
    sandbox_network: SandboxNetwork = False,
    memory: Memory = 2.0,
    keep_env: KeepEnv = None,
    name: GivenName = "",
    fresh: Fresh = False,
    resume: Resume = False,
    turn_timeout: TurnTimeout = 300.0,
    shard: ShardGiven = "",
    cluster: Cluster = "",
    yes: Yes = False,
    display: Display = "",
    live: Live = False,
    port: Port = 7321,
) -> None:
    """Run agents on the benchmark. Resumes an interrupted run."""
    from supportagentbench.jobs.secret import Secret
    from supportagentbench.jobs.shard import shard_of
    from supportagentbench.jobs.spec import JobSpec, wall
    from supportagentbench.storage.mirror import folder_for
    from supportagentbench.storage.pipeline import in_pipeline
    from supportagentbench.storage.place import url_of
    from supportagentbench.terminal.run import Showing, start_job
    from supportagentbench.world.seed import refuse_guessable

    seed_given = private_seed_of(private_seed, private_seed_file, isolated=isolate == "process")
    if seed_given:
        refuse_guessable(seed_given)
    if isolate == "sandbox" and not sandbox_network:
        typer.echo("sab: the sandbox has no network; --sandbox-network opens it for agents.", err=True)
    bucket = url_of(out)
    asked = JobSpec(
        world=world_of(world, set_name),
        agents=tuple(agents),
        set_name=set_name,
        runs=runs,
        seed=seed,
        customer=customer,
        out=folder_for(bucket) if bucket else out,
        bucket=bucket,
        concurrency=concurrency,
        budget=budget,
        record=record,
        replay=replay,
        channel=channel,
        desk=desk,
        case_seeds=case_seed,
        private_seed=Secret(seed_given),
        isolation=wall(memory, keep_env, wall_kind(isolate), sandbox_network) if isolate else None,
        turn_timeout=turn_timeout,
        shard=shard_of(shard),
        name=name,
        fresh=fresh,
        resume=resume or not in_pipeline(),
        cluster=cluster,
    )
    showing, console = Showing.chosen(display, live, port)
    raise typer.Exit(start_job(asked, showing, console, yes))
