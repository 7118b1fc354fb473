"""The command `sab`. Each command imports what it needs when it runs, so that help is instant."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from supportagentbench.problem import Problem

if TYPE_CHECKING:
    from supportagentbench.world.generate import CaseSet

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Can this AI agent run a support desk? Run it against a simulated store and see.",
)

WorldName = Annotated[str, typer.Option("--world", help="A shipped world, or a folder.")]
CaseSeed = Annotated[int, typer.Option("--case-seed", help="Draws the cases; 0 is the public set.")]
PrivateSeed = Annotated[
    str, typer.Option("--private-seed", help="A secret that draws the cases; only its SHA-256 is kept.")
]
SetName = Annotated[str, typer.Option("--set", help="core, twins, all, a family or a case.")]
RunPaths = Annotated[list[Path], typer.Argument(help="Run folders, or folders of runs.")]


@app.command()
def run(
    agents: Annotated[
        list[str],
        typer.Argument(help="Reference agents, or package.module:Name; `reference` for all."),
    ],
    world: WorldName = "northline",
    set_name: SetName = "all",
    runs: Annotated[int, typer.Option("--runs", "-n", min=1, help="How often each.")] = 1,
    out: Annotated[Path, typer.Option("--out", "-o", help="Where runs are kept.")] = Path("runs"),
    seed: Annotated[int, typer.Option("--seed", help="Seeds agents and customers.")] = 0,
    case_seed: CaseSeed = 0,
    private_seed: PrivateSeed = "",
    at_once: Annotated[int, typer.Option("--at-once", "-j", min=1, help="Conversations at a time.")] = 8,
) -> None:
    """Let agents answer customers. Goes on where an earlier run of the same command stopped."""
    import asyncio

    from rich.console import Console

    from supportagentbench.agents import find_agent
    from supportagentbench.agents.reference import REFERENCE
    from supportagentbench.talk.run import header_of, run_agent
    from supportagentbench.talk.voice import ScriptedVoice
    from supportagentbench.terminal import progress_bar

    names = [name for given in agents for name in (REFERENCE if given == "reference" else [given])]
    hires = {name: find_agent(name) for name in names}
    voice, console = ScriptedVoice(), Console(stderr=True)
    cases = _case_set(world, case_seed, private_seed)
    headers = [
        header_of(cases, set_name, name, voice, number, seed)
        for name in hires
        for number in range(1, runs + 1)
    ]
    with progress_bar(console) as bar:
        for header in headers:
            step = bar.start(f"{header.agent}, run {header.run}", len(header.cases))
            hire = hires[header.agent]
            writer = asyncio.run(run_agent(cases, header, hire, voice, out, at_once=at_once, watch=step))
            if writer.repaired:
                console.print(f"{writer.folder}: cut off a torn last line ({writer.repaired} bytes).")
    console.print(
        f"{out}: {len(headers)} runs of {len(headers[0].cases)} conversations; see `sab board {out}`."
    )


@app.command()
def score(runs: RunPaths) -> None:
    """Read what the agents did from stored transcripts, and write the verdicts beside them."""
    from supportagentbench.archive import find_runs, read_header, read_transcripts, write_verdicts
    from supportagentbench.score import score as score_one

    for folder in find_runs(runs):
        header = read_header(folder)
        verdicts = [score_one(filed, header) for filed in read_transcripts(folder)]
        write_verdicts(folder, verdicts)
        typer.echo(f"{folder}: {len(verdicts)} verdicts")


@app.command()
def board(
    runs: RunPaths,
    as_json: Annotated[bool, typer.Option("--json", help="The board as JSON.")] = False,
) -> None:
    """The standings of these runs, computed from their transcripts."""
    from rich.console import Console

    from supportagentbench.archive import find_runs, read_header, read_transcripts
    from supportagentbench.record import to_json
    from supportagentbench.score import score as score_one
    from supportagentbench.tally.standings import make_board
    from supportagentbench.terminal import board_table

    scored = []
    for folder in find_runs(runs):
        header = read_header(folder)
        scored.append((header, [score_one(filed, header) for filed in read_transcripts(folder)]))
    made = make_board(scored)
    if as_json:
        typer.echo(to_json(made).decode())
    else:
        Console().print(board_table(made))


@app.command()
def show(
    folder: Annotated[Path, typer.Argument(help="A run folder, such as runs/oracle-1.")],
    case: Annotated[str, typer.Argument(help="A case, such as damaged_no_proof-1.")],
) -> None:
    """Read one conversation, with its tool calls and findings in place."""
    from rich.console import Console

    from supportagentbench.archive import read_header, read_transcripts
    from supportagentbench.score import score as score_one
    from supportagentbench.terminal import show_conversation

    header = read_header(folder)
    for filed in read_transcripts(folder):
        if filed.transcript.case == case:
            show_conversation(Console(), filed.transcript, score_one(filed, header))
            return
    raise Problem(f"has no conversation on {case!r}; `sab cases` lists them.", place=folder)


@app.command()
def cases(
    world: WorldName = "northline",
    set_name: SetName = "all",
    case_seed: CaseSeed = 0,
    private_seed: PrivateSeed = "",
) -> None:
    """List the cases of a world: bucket, what is right, and by which rules."""
    from rich.console import Console
    from rich.table import Table

    table = Table("case", "bucket", "order", "hand over", "rules", box=None, pad_edge=False)
    for case in _case_set(world, case_seed, private_seed).named(set_name):
        label = case.label
        table.add_row(case.id, case.bucket, case.order, label.handover, " ".join(label.rules))
    Console().print(table)


@app.command()
def prove(
    world: WorldName = "northline",
    set_name: SetName = "all",
    case_seed: CaseSeed = 0,
    seeds: Annotated[int, typer.Option("--seeds", min=0, help="How many further seeds to draw.")] = 20,
    faults: Annotated[bool, typer.Option(help="Also calibrate with trivial and single-fault agents.")] = True,
) -> None:
    """Let the benchmark test itself: solutions, mistakes, the oracle, known faults."""
    from rich.console import Console

    from supportagentbench.prove.shown import print_calibration, print_proofs

    console, numbers = Console(), range(case_seed, case_seed + seeds + 1)
    _case_set(world, case_seed).named(set_name)  # a fault in the files is told here, not by every process
    sound = print_proofs(console, world, set_name, numbers)
    if faults and set_name == "all":
        sound &= print_calibration(console, world, case_seed)
    if not sound:
        raise typer.Exit(1)


@app.command()
def lint(world: WorldName = "northline", case_seed: CaseSeed = 0) -> None:
    """Check a world's texts: grounding, isolation, near-duplicates, rule coverage."""
    from supportagentbench.prove.lint import lint as lint_all

    complaints = list(lint_all(_case_set(world, case_seed)))
    for complaint in complaints:
        typer.echo(f"{complaint.check}: {complaint.place}: {complaint.words}")
    typer.echo(f"{len(complaints)} complaints.")
    if complaints:
        raise typer.Exit(1)


@app.command()
def commit(secret: Annotated[str, typer.Argument(help="The private seed, to be revealed later.")]) -> None:
    """Print the commitment of a private seed, to be published before it is used."""
    from supportagentbench.world.seed import commitment

    typer.echo(commitment(secret))


@app.command()
def schema(
    kind: Annotated[str, typer.Argument(help="desk, policy, store, cast or family.")],
) -> None:
    """Print the JSON Schema of one of a world's YAML files, for editors."""
    from supportagentbench.schemas import schema_text
    from supportagentbench.world.folder import DOCUMENTS

    if kind not in DOCUMENTS:
        raise Problem(f"there is no kind of file called {kind!r}; there are {', '.join(DOCUMENTS)}.")
    typer.echo(schema_text(kind), nl=False)


def _case_set(world: str, seed: int, secret: str = "") -> "CaseSet":
    from supportagentbench.world.folder import read_world
    from supportagentbench.world.generate import generate
    from supportagentbench.world.seed import numbered, private

    return generate(read_world(world), private(secret) if secret else numbered(seed))


def main() -> None:
    """Run `sab`; whatever the user can mend is told in one sentence."""
    try:
        app()
    except Problem as problem:
        typer.echo(f"sab: {problem}", err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        typer.echo("sab: stopped; the same command goes on from here.", err=True)
        sys.exit(130)
