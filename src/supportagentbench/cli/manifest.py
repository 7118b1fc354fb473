"""The commands `sab manifest k8s` and `sab manifest ray`."""

from typing import TYPE_CHECKING, Annotated

import typer

from supportagentbench.cli.options import PRIVATE_SEED, with_wall_named
from supportagentbench.records.problem import Problem

if TYPE_CHECKING:
    from supportagentbench.manifests.pod import PodPlan
    from supportagentbench.manifests.run_command import RunCommand

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Print a manifest that plays a run on Kubernetes or on Ray.",
)

NOT_IN_A_POD = {
    "--private-seed": f"is a secret: put it as {PRIVATE_SEED} into the Secret that --secret names",
    "--private-seed-file": f"is a secret: put it as {PRIVATE_SEED} into the Secret that --secret names",
    "--out": "is chosen by --volume or --bucket, before the --",
    "--shard": "is chosen by --shards, before the --",
    "--cluster": "is chosen by `sab manifest ray`",
    "--fresh": "would start over, and pay again, whenever a pod is started again",
    "--record": "would have all pods write to one place",
    "--live": "serves a page that nobody could open",
    "--port": "is for a page that nobody could open",
}
"""Options of `sab run` that are refused, and why."""

Words = Annotated[
    list[str],
    typer.Argument(metavar="AGENTS... [-- OPTIONS]", help="Agents, and after -- any options of `sab run`."),
]
Image = Annotated[str, typer.Option("--image", help="Image with sab and your agents' code.")]
Name = Annotated[str, typer.Option("--name", help="Name of the job, and of its folder.")]
SecretName = Annotated[
    str, typer.Option("--secret", help="Secret whose entries are the pods' environment, for keys.")
]
Volume = Annotated[str, typer.Option("--volume", help="Claim of a volume for the runs (ReadWriteMany).")]
Bucket = Annotated[str, typer.Option("--bucket", help="Bucket for the runs: s3://bucket/folder.")]
Cpu = Annotated[str, typer.Option("--cpu", help="Processors of each pod.")]
PodMemory = Annotated[str, typer.Option("--memory", help="Memory of each pod.")]
JobDeadline = Annotated[
    int | None, typer.Option("--deadline", min=1, max=31_536_000, help="End the job after so many seconds.")
]


@app.command("k8s")
def print_k8s(
    words: Words,
    image: Image,
    shards: Annotated[int, typer.Option("--shards", min=1, max=1_000, help="Number of parts.")],
    parallelism: Annotated[
        int, typer.Option("--parallelism", min=1, max=1_000, help="Parts that are played at a time, at most.")
    ] = 8,
    name: Name = "sab",
    secret: SecretName = "",
    volume: Volume = "",
    bucket: Bucket = "",
    cpu: Cpu = "1",
    memory: PodMemory = "2Gi",
    deadline: JobDeadline = None,
) -> None:
    """Print an Indexed Job that plays a run in parts, and a job that merges them. Keys are never printed."""
    from supportagentbench.manifests.indexed_job import IndexedJob
    from supportagentbench.manifests.pod import PodPlan

    command = _asked(words)
    plan = _checked(PodPlan(name, image, cpu, memory, secret, volume, bucket), command)
    typer.echo(IndexedJob(plan, command, shards, parallelism, deadline).written(), nl=False)


@app.command("ray")
def print_ray(
    words: Words,
    image: Image,
    workers: Annotated[int, typer.Option("--workers", min=1, max=1_000, help="Number of workers.")] = 4,
    name: Name = "sab",
    secret: SecretName = "",
    volume: Volume = "",
    bucket: Bucket = "",
    cpu: Cpu = "2",
    memory: PodMemory = "4Gi",
    deadline: JobDeadline = None,
) -> None:
    """Print a RayJob that plays a run on a new cluster of Ray. Keys are never printed."""
    from supportagentbench.manifests.pod import PodPlan
    from supportagentbench.manifests.ray_job import RayJob

    command = _asked(words)
    plan = _checked(PodPlan(name, image, cpu, memory, secret, volume, bucket), command)
    typer.echo(RayJob(plan, command, workers, deadline).written(), nl=False)


def _asked(words: list[str]) -> "RunCommand":
    """The words as `sab run` itself reads them; a wrong option is found here."""
    from supportagentbench.cli.run import run
    from supportagentbench.manifests.run_command import RunCommand

    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    alone.command()(run)
    parser = typer.main.get_command(alone)
    context = parser.make_context("sab run", with_wall_named(words))
    given = context.params
    for option in parser.params:
        typed = option.name and context.get_parameter_source(option.name)
        refused = NOT_IN_A_POD.keys() & {*option.opts}
        if typed and typed.name == "COMMANDLINE" and refused:
            [flag] = refused
            raise Problem(f"{flag} {NOT_IN_A_POD[flag]}.")
    if given["isolate"] == "sandbox":
        raise Problem("a pod cannot hold a sandbox, because it may not make namespaces; use --isolate.")
    names = (*given["agents"], given["customer"])
    asked = RunCommand(tuple(words), names, given["concurrency"], given["budget"], given["yes"])
    return asked.checked()


def _checked(plan: "PodPlan", command: "RunCommand") -> "PodPlan":
    """The plan; a Problem if it cannot be, or if the models need keys and nothing holds them."""
    if (keys := command.keys()) and not plan.secret:
        raise Problem(f"the models need {', '.join(keys)}; put it into a Secret, and name it with --secret.")
    return plan.checked()
