"""The command `sab`. Each command imports what it needs when it runs, so that help is instant."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from supportagentbench.cli import RunPaths, labels, site
from supportagentbench.cli.spending import agree_to_spend
from supportagentbench.records.problem import Problem

if TYPE_CHECKING:
    from rich.console import Console

    from supportagentbench.concurrency.interrupt import Interrupt
    from supportagentbench.judges.job import JudgePlan
    from supportagentbench.world.generate import CaseSet

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Can this AI agent run a support desk? Run it against a simulated store and see.",
)

dev = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Tools for those who work on the benchmark itself."
)
app.add_typer(dev, name="dev")
app.add_typer(labels.app, name="labels")
app.add_typer(site.app, name="site")

WorldName = Annotated[str, typer.Option("--world", help="A shipped world, or a folder.")]
CaseSeed = Annotated[int, typer.Option("--case-seed", help="Draws the cases; 0 is the public set.")]
PrivateSeed = Annotated[
    str, typer.Option("--private-seed", help="A secret that draws the cases; only its SHA-256 is kept.")
]
SetName = Annotated[str, typer.Option("--set", help="core, twins, all, a family or a case.")]
Port = Annotated[int, typer.Option("--port", min=0, max=65535, help="Of the live view; 0: any free one.")]


@app.command()
def run(
    agents: Annotated[
        list[str],
        typer.Argument(
            help="Models as provider:model, reference agents (`reference` for all), or package.module:Name."
        ),
    ],
    world: WorldName = "northline",
    set_name: SetName = "all",
    runs: Annotated[int, typer.Option("--runs", "-n", min=1, help="How often each.")] = 1,
    out: Annotated[Path, typer.Option("--out", "-o", help="Where runs are kept.")] = Path("runs"),
    customer: Annotated[
        str, typer.Option("--customer", help="`scripted`, or a model that words it.")
    ] = "scripted",
    seed: Annotated[int, typer.Option("--seed", help="Seeds agents and customers.")] = 0,
    case_seed: CaseSeed = 0,
    private_seed: PrivateSeed = "",
    concurrency: Annotated[
        int, typer.Option("--concurrency", "-j", min=1, help="Conversations at a time, each agent.")
    ] = 8,
    budget: Annotated[
        float | None, typer.Option("--budget", min=0, help="Dollars, after which nothing more is asked.")
    ] = None,
    record: Annotated[Path | None, typer.Option("--record", help="Keep every model's answers here.")] = None,
    replay: Annotated[Path | None, typer.Option("--replay", help="Take every answer from here.")] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Spend without asking.")] = False,
    display: Annotated[str, typer.Option("--display", help="full, plain, json or none.")] = "",
    live: Annotated[bool, typer.Option("--live", help="Also serve a page to watch and read along.")] = False,
    port: Port = 7321,
) -> None:
    """Let agents answer customers. Goes on where an earlier run of the same command stopped."""
    import asyncio

    from rich.console import Console

    from supportagentbench.agents.baselines import REFERENCE
    from supportagentbench.runner.dry_run import plan_costs
    from supportagentbench.runner.job import Job
    from supportagentbench.terminal.display import choose_display
    from supportagentbench.terminal.run import Showing, show_job

    names = [name for given in agents for name in (REFERENCE if given == "reference" else [given])]
    console, cases = Console(stderr=True), _case_set(world, case_seed, private_seed)
    showing = Showing(choose_display(display, console), live, port)
    job = Job(cases, set_name, names, runs, seed, customer, out, concurrency, budget, record, replay)
    plans = []
    if not replay:
        plans = asyncio.run(plan_costs(cases, set_name, names, customer, runs, concurrency))
        agree_to_spend(plans, budget, console, yes)
    raise typer.Exit(show_job(job, plans, showing, console))


def _stop_if(interrupt: "Interrupt", console: "Console") -> None:
    if interrupt.is_requested:
        console.print("sab: stopped; the same command goes on from here.")
        raise typer.Exit(130)


@app.command()
def score(
    runs: RunPaths,
    judge: Annotated[str, typer.Option("--judge", help="A model to judge what only a reader can tell.")] = "",
    second_judge: Annotated[
        str, typer.Option("--second-judge", help="Another, of another family, over the same transcripts.")
    ] = "",
    allow_same_family: Annotated[
        bool, typer.Option("--allow-same-family", help="Let a model judge its own family.")
    ] = False,
    concurrency: Annotated[int, typer.Option("--concurrency", "-j", min=1, help="Judgings at a time.")] = 8,
    budget: Annotated[
        float | None, typer.Option("--budget", min=0, help="Dollars, after which nothing more is asked.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Spend without asking.")] = False,
) -> None:
    """Read what the agents did from stored transcripts; with a judge, also have them judged."""
    from supportagentbench.checks import score as score_one
    from supportagentbench.judges.job import JudgePlan
    from supportagentbench.storage.archive import find_runs, read_header, read_transcripts, write_verdicts

    folders = find_runs(runs)
    for folder in folders:
        header = read_header(folder)
        verdicts = [score_one(filed, header) for filed in read_transcripts(folder)]
        write_verdicts(folder, verdicts)
        typer.echo(f"{folder}: {len(verdicts)} verdicts")
    if second_judge and not judge:
        raise Problem("a second judge needs a first; name one with --judge.")
    if judge:
        judges = [name for name in (judge, second_judge) if name]
        _judge(JudgePlan(folders, judges, concurrency, budget), allow_same_family, yes)


def _judge(plan: "JudgePlan", allow_same_family: bool, yes: bool) -> None:
    """Have stored conversations judged by models."""
    import asyncio

    from rich.console import Console

    from supportagentbench.concurrency.event_loop import drive
    from supportagentbench.concurrency.interrupt import Interrupt
    from supportagentbench.judges.job import JudgeJob, check_families, cost_plans
    from supportagentbench.terminal.bill import print_judge_summary
    from supportagentbench.terminal.progress import progress_bar

    console = Console(stderr=True)
    if not allow_same_family:
        check_families(plan)
    plans = cost_plans(plan)
    agree_to_spend(plans, plan.budget, console, yes)
    interrupt = Interrupt(lambda words: console.print(f"sab: {words}"))
    with progress_bar(console) as bar:
        job = JudgeJob(plan, interrupt, bar.start("judging", sum(plan.conversations for plan in plans)))
        try:
            print_judge_summary(console, drive(job.run()))
        except asyncio.CancelledError:
            interrupt.is_requested = True
    _stop_if(interrupt, console)


@app.command()
def board(
    runs: RunPaths,
    as_json: Annotated[bool, typer.Option("--json", help="The board as JSON.")] = False,
) -> None:
    """The standings of these runs, computed from their transcripts."""
    from rich.console import Console

    from supportagentbench.board.standings import make_board
    from supportagentbench.records.record import to_json
    from supportagentbench.results.load import read_results
    from supportagentbench.terminal.board import board_table
    from supportagentbench.terminal.judge_scores import judge_scores_table

    made = make_board(read_results(runs))
    if as_json:
        typer.echo(to_json(made).decode())
    else:
        Console().print(board_table(made), "", judge_scores_table(made))


@app.command()
def judges(
    runs: RunPaths,
    as_json: Annotated[bool, typer.Option("--json", help="Everything, as JSON.")] = False,
) -> None:
    """How far the judges of these runs agree, and whether one of them favours anybody."""
    from rich.console import Console

    from supportagentbench.judges.agreement import agreement
    from supportagentbench.judges.judged import read_judged
    from supportagentbench.records.record import to_json
    from supportagentbench.storage.archive import find_runs
    from supportagentbench.terminal.judges import agreement_report

    found = agreement(read_judged(find_runs(runs)))
    if as_json:
        typer.echo(to_json(found).decode())
    else:
        Console().print(agreement_report(found))


@app.command()
def compare(
    first: Annotated[str, typer.Argument(help="An agent, as the board names it.")],
    second: Annotated[str, typer.Argument(help="Another.")],
    runs: RunPaths,
    as_json: Annotated[bool, typer.Option("--json", help="The comparison as JSON.")] = False,
) -> None:
    """Two agents case by case: every difference with its interval, and the cases that differ."""
    from rich.console import Console

    from supportagentbench.board.agent_comparison import compare_agents
    from supportagentbench.records.record import to_json
    from supportagentbench.results.load import of_agent, read_results
    from supportagentbench.terminal.agent_comparison import comparison_table

    results = read_results(runs)
    made = compare_agents(of_agent(results, first), of_agent(results, second))
    if as_json:
        typer.echo(to_json(made).decode())
    else:
        Console().print(comparison_table(made))


@app.command()
def power(
    world: WorldName = "northline",
    set_name: SetName = "core",
    runs: Annotated[int, typer.Option("--runs", "-n", min=1, help="How often each agent is run.")] = 3,
) -> None:
    """What differences between two agents so many runs can show, before anything is spent."""
    from collections import Counter

    from rich.console import Console

    from supportagentbench.board.power import detectable_differences
    from supportagentbench.terminal.power import power_table

    counted = Counter(
        (case.bucket, case.family) for case in _case_set(world, 0).named(set_name) if not case.twin_of
    )
    families = {
        bucket: [size for (other, _), size in counted.items() if other == bucket] for bucket, _ in counted
    }
    Console().print(power_table(detectable_differences(families, runs)))


@app.command()
def export(
    runs: RunPaths,
    out: Annotated[Path, typer.Option("--out", "-o", help="A file that ends in .csv or .parquet.")],
) -> None:
    """Write the trial table, one row a conversation, from which every number is computed."""
    from supportagentbench.board.conversation_table import conversation_table
    from supportagentbench.board.export import write_table
    from supportagentbench.results.load import read_results

    count = write_table(conversation_table(read_results(runs)), out)
    typer.echo(f"{out}: {count} conversations")


@app.command()
def show(
    folder: Annotated[Path, typer.Argument(help="A run, such as runs/oracle-1, or a folder of runs.")],
    case: Annotated[str, typer.Argument(help="A case, such as damaged_no_proof-1.")],
    model: Annotated[str, typer.Option("--model", help="Whose, in a folder of runs; a part will do.")] = "",
    run: Annotated[int, typer.Option("--run", help="Which run; 0: the first there is.")] = 0,
    vs: Annotated[str, typer.Option("--vs", help="Another model, to read beside it.")] = "",
) -> None:
    """Read one conversation, with its tool calls and findings in place."""
    from rich.console import Console

    from supportagentbench.results.search import find_talk
    from supportagentbench.terminal.conversation import show_beside, show_conversation

    found = find_talk(folder, case, model, run)
    if vs:
        show_beside(Console(), found, find_talk(folder, case, vs, run))
    else:
        show_conversation(Console(), found.transcript, found.verdict, found.agent)


@app.command()
def grep(
    pattern: Annotated[str, typer.Argument(help="A regular expression.")],
    runs: RunPaths,
    ignore_case: Annotated[bool, typer.Option("--ignore-case", "-i", help="Capitals do not matter.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One hit a line, as JSON.")] = False,
) -> None:
    """Find words in what was said and done, in every conversation of these runs."""
    from rich.console import Console

    from supportagentbench.records.record import to_json
    from supportagentbench.results.search import find_words
    from supportagentbench.terminal.search_hit import search_hit_line

    console, count = Console(), 0
    for hit in find_words(pattern, runs, ignore_case=ignore_case):
        count += 1
        if as_json:
            typer.echo(to_json(hit).decode())
        else:
            console.print(search_hit_line(hit), soft_wrap=True)
    if not count:
        raise typer.Exit(1)


@app.command()
def live(
    root: Annotated[Path, typer.Argument(help="A folder of runs, while they run or afterwards.")] = Path(
        "runs"
    ),
    port: Port = 7321,
) -> None:
    """Serve a page on which to watch a job and to read its conversations, for this machine alone."""
    import signal
    import threading
    from contextlib import suppress

    from supportagentbench.live.follow import Follower
    from supportagentbench.live.server import serving

    for told in (
        signal.SIGINT,
        signal.SIGTERM,
    ):  # started in the background, a process is told to ignore Ctrl-C
        signal.signal(told, signal.default_int_handler)
    root = root.parent if (root / "run.json").is_file() else root
    with serving(root, Follower(root).view, port) as link, suppress(KeyboardInterrupt):
        typer.echo(f"{link}  (Ctrl-C ends it; the job goes on)")
        threading.Event().wait()


@app.command()
def doctor(
    out: Annotated[Path, typer.Option("--out", "-o", help="Where runs will be kept.")] = Path("runs"),
) -> None:
    """What is ready on this machine: keys, prices, disk, browser, extras. No key is ever printed."""
    from rich.console import Console

    from supportagentbench.terminal.doctor import checkup

    Console().print(checkup(out))


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
    as_json: Annotated[
        Path | None, typer.Option("--json", help="Write what each known fault moved to this file instead.")
    ] = None,
) -> None:
    """Let the benchmark test itself: solutions, mistakes, the oracle, known faults."""
    import msgspec
    from rich.console import Console

    from supportagentbench.records.record import to_json
    from supportagentbench.selftest.self_test import self_test
    from supportagentbench.terminal.selftest import print_calibration, print_proofs

    if as_json:
        as_json.write_bytes(msgspec.json.format(to_json(self_test(world, case_seed)), indent=1) + b"\n")
        return
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
    from supportagentbench.selftest.lint import lint as lint_all

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
def audit(
    file: Annotated[
        Path | None, typer.Argument(help="A published board as JSON; default: the shipped one.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The audit as JSON.")] = False,
) -> None:
    """Which orders, figures and claims of a published board its own figures bear out."""
    from rich.console import Console

    from supportagentbench.records.record import to_json
    from supportagentbench.studies.published import SHIPPED
    from supportagentbench.studies.published.audit import audit as audit_board
    from supportagentbench.studies.published.load import read_published
    from supportagentbench.terminal.audit import audit_report

    found = audit_board(read_published(file or SHIPPED))
    if as_json:
        typer.echo(to_json(found).decode())
    else:
        Console().print(audit_report(found))


@app.command()
def schema(
    kind: Annotated[str, typer.Argument(help="desk, policy, store, cast or family.")],
) -> None:
    """Print the JSON Schema of one of a world's YAML files, for editors."""
    from supportagentbench.world.folder import DOCUMENTS
    from supportagentbench.world.schemas import schema_text

    if kind not in DOCUMENTS:
        raise Problem(f"there is no kind of file called {kind!r}; there are {', '.join(DOCUMENTS)}.")
    typer.echo(schema_text(kind), nl=False)


@dev.command()
def provider(
    port: Annotated[int, typer.Option("--port", help="0: any free one.")] = 0,
    faults: Annotated[str, typer.Option("--faults", help="Such as rate_limited=0.05,latency=0.2.")] = "",
    reasons: Annotated[bool, typer.Option("--reasons", help="Reason aloud in every reply.")] = False,
) -> None:
    """Serve a fake model provider on the loopback, which misbehaves as told."""
    import asyncio

    from fake_provider.clerk import Clerk
    from fake_provider.faults import faults_from
    from fake_provider.provider import FakeProvider, serve

    asyncio.run(serve(FakeProvider(Clerk(reasons=reasons), faults_from(faults), port=port)))


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
