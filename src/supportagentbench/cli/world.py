"""World: the commands for authors of worlds: `sab cases`, `prove`, `lint`, `schema`, `commit`."""

from pathlib import Path
from typing import Annotated

import typer

from supportagentbench.cli.options import (
    CaseSeed,
    PrivateSeed,
    SetName,
    WorldName,
    case_set,
    private_seed_of,
    world_of,
)
from supportagentbench.records.counts import counted
from supportagentbench.terminal.escape import on_one_line
from supportagentbench.worlds import DEFAULT_WORLD


def cases(
    world: WorldName = DEFAULT_WORLD,
    set_name: SetName = "all",
    case_seed: CaseSeed = 0,
    private_seed: PrivateSeed = "",
) -> None:
    """List the cases of a world with their correct handling and the rules behind it."""
    from rich.table import Table

    from supportagentbench.terminal.console import EscapingConsole

    table = Table("case", "bucket", "about", "hand over", "rules", box=None, pad_edge=False)
    for case in case_set(world_of(world, set_name), case_seed, private_seed_of(private_seed)).named(set_name):
        label = case.label
        table.add_row(case.id, case.bucket, case.subject, label.handover, " ".join(label.rules))
    EscapingConsole().print(table)


def prove(
    world: WorldName = "",
    set_name: SetName = "",
    case_seed: CaseSeed = 0,
    seeds: Annotated[int, typer.Option("--seeds", min=0, help="Number of additional seeds to draw.")] = 20,
    faults: Annotated[bool, typer.Option(help="Also calibrate with trivial and single-fault agents.")] = True,
    as_json: Annotated[
        Path | None, typer.Option("--json", help="Only write the effect of each known fault to this file.")
    ] = None,
) -> None:
    """Test the benchmark itself: solutions, mistakes, the oracle, known faults.

    Without --world and --set: every set of every shipped world.
    """
    import msgspec

    from supportagentbench.calibration.self_test import self_test
    from supportagentbench.records.record import to_json
    from supportagentbench.storage.file import write_whole
    from supportagentbench.storage.place import check_writable
    from supportagentbench.world.folder import sets_of, shipped_worlds

    one = world_of(world or DEFAULT_WORLD, set_name or "all")
    if as_json:
        check_writable(as_json)
        content = msgspec.json.format(to_json(self_test(one, case_seed)), indent=1) + b"\n"
        write_whole(as_json, content, follow=True)
        return
    worlds = [one] if world or set_name else shipped_worlds()
    numbers = range(case_seed, case_seed + seeds + 1)
    sound = [_prove_world(name, set_name or sets_of(name), numbers, faults) for name in worlds]
    if not all(sound):
        raise typer.Exit(1)


def _prove_world(world: str, set_name: str, seeds: range, faults: bool) -> bool:
    """Prove these cases of one world; `faults`: also known faults (set `all`) or what decides each trap."""
    from supportagentbench.calibration.prove import misfits_in
    from supportagentbench.terminal.console import EscapingConsole
    from supportagentbench.terminal.selftest import print_calibration, print_deciding, print_proofs

    console = EscapingConsole()
    if misfits := misfits_in(case_set(world, seeds[0]), set_name):
        typer.echo("\n".join(on_one_line(str(one)) for one in misfits))
        raise misfits[0]
    console.print(f"{world}, {set_name}:", highlight=False)
    sound = print_proofs(console, world, set_name, seeds)
    if faults and set_name == "all":
        sound &= print_calibration(console, world, seeds[0])
    elif faults and sound:
        sound &= print_deciding(console, world, set_name, seeds[0])
    return sound


def lint(world: WorldName = DEFAULT_WORLD, case_seed: CaseSeed = 0) -> None:
    """Check the texts of a world: grounding, isolation, near-duplicates, rule coverage."""
    from supportagentbench.calibration.lint import lint as lint_all

    complaints = list(lint_all(case_set(world, case_seed)))
    for complaint in complaints:
        typer.echo(on_one_line(f"{complaint.check}: {complaint.place}: {complaint.words}"))
    typer.echo(f"{counted(len(complaints), 'complaint')}.")
    if complaints:
        raise typer.Exit(1)


def schema(
    kind: Annotated[str, typer.Argument(help="desk, policy, store, cast, family, wordings, site or agent.")],
    world: WorldName = DEFAULT_WORLD,
) -> None:
    """Print the JSON Schema of a world's YAML file, of `site.toml` or of `agent.yaml`, for editors."""
    from supportagentbench.agents.service_file import plan_schema
    from supportagentbench.site.about import about_schema
    from supportagentbench.world.code import read_kit
    from supportagentbench.world.folder import find_world
    from supportagentbench.world.schemas import schema_text

    others = {"site": about_schema, "agent": plan_schema}
    text = others[kind]() if kind in others else schema_text(read_kit(find_world(world)), kind)
    typer.echo(text, nl=False)


def commit(
    secret: Annotated[
        str, typer.Argument(help="A secret of yours, or a private seed that has a salt. Default: a new one.")
    ] = "",
) -> None:
    """Print a private seed and the commitment to it; publish the commitment before you use the seed."""
    from supportagentbench.world.seed import commitment, is_salted, new_private_seed, refuse_guessable

    seed = secret if is_salted(secret) else new_private_seed(secret)
    refuse_guessable(seed)
    if seed != secret:
        typer.echo(f"seed: {seed}")
    typer.echo(f"commitment: {commitment(seed)}")
