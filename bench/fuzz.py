"""Damaged files and answers by the million: `python bench/fuzz.py [INPUTS] [SEED]`.

Whole files of a run, a site and a world and whole answers of providers are damaged (bytes flipped, cut,
doubled and moved; values replaced by the worst ones) and read by the reader that the commands use. What comes
out is the record or one sentence; anything else stops the bench with its input. Names that were read have to
stay inside a folder, and nothing may be written elsewhere.

Then fields of a run are edited one at a time, as `tests/mutations.py` does it, one for every thousand inputs:
what the reader accepts is put before the commands, and none of them may end in a traceback.
"""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from msgspec import Raw

from supportagentbench.board.baseline_file import read_baseline
from supportagentbench.calibration.oracle import Oracle
from supportagentbench.calibration.prove import play
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.models.anthropic import Anthropic
from supportagentbench.models.dialect import ErrorInAnswer, UnreadableAnswer
from supportagentbench.models.openai import OpenAI
from supportagentbench.records.agent_error import AgentError
from supportagentbench.records.baseline import GateBaseline
from supportagentbench.records.judgement import Judgement, Opinion
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest, to_json
from supportagentbench.records.run import Run
from supportagentbench.runner.run import header_of
from supportagentbench.site.data.bundle import CALL, as_script, bundle_path, read_bundle
from supportagentbench.site.manifest import Included, Manifest
from supportagentbench.storage.archive import (
    ERRORS,
    HEADER,
    JUDGEMENTS,
    folder_name,
    header_bytes,
    read_errors,
    read_header,
    read_judgements,
)
from supportagentbench.storage.place import inside
from supportagentbench.storage.record_file import read_record
from supportagentbench.storage.transcripts import TRANSCRIPTS, ArchiveLine, read_transcripts
from supportagentbench.world.drawn_cases import generate
from supportagentbench.world.family import read_family
from supportagentbench.world.folder import read_world

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from mutations import COMMANDS, MutatedRun, sample

SLOW = 200
"""A world is read so many times less often than the others."""
EDITS = 1_000
"""Inputs for each of which there is one edit."""

WORST = (
    *(b"null", b"true", b"-1", b"1e999", b"NaN", b"9" * 400, b"0.1", b'""', b'"../../../etc/passwd"'),
    *(
        b'"/dev/zero"',
        b'"\\u0000"',
        b'"\\ud800"',
        b'"\xff"',
        b'"\\u202e"',
        b"[[[[[[[[[[[[",
        b"{}",
        b"*a",
        b"&a [*a]",
    ),
)
ANSWERS = {
    "openai": b'{"id":"r","model":"m","choices":[{"message":{"content":"Hello.","tool_calls":[{"id":"c",'
    b'"function":{"name":"find_order","arguments":"{\\"order\\": \\"#1101\\"}"}}]},'
    b'"finish_reason":"stop"}],"usage":'
    b'{"prompt_tokens":12,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":3}}}',
    "anthropic": b'{"id":"r","model":"m","content":[{"type":"text","text":"Hello."},{"type":"tool_use",'
    b'"id":"c","name":"find_order","input":{"order":"#1101"}}],"stop_reason":"end_turn","usage":{"input_tokens":12,'
    b'"output_tokens":7,"cache_read_input_tokens":3}}',
}


class FuzzTarget(NamedTuple):
    """A kind of input: a sound one, and how it is read."""

    name: str
    sound: bytes
    read: Callable[[bytes], object]


def targets(folder: Path) -> list[FuzzTarget]:
    """Everything that strangers hand us."""
    world = read_world("northline")
    cases = generate(world)
    header = header_of(cases, "tracking", "oracle", ScriptedVoice(), 1, 0)
    transcript = play(cases, cases.cases["tracking-1"], Oracle(world, 0))
    body = to_json(transcript)
    line = to_json(ArchiveLine(digest(body), 0.0, 0.0, Raw(body))) + b"\n"
    judgement = Judgement(digest(body), "judge", "v", (Opinion("A1", True, 1, "Hello.", reason="So."),))
    family = next(one for one in world.families if one.name == "tracking")
    run, yaml = folder / "run", folder / "tracking.yaml"
    run.mkdir()
    written, opinion = header_bytes(header), to_json(judgement) + b"\n"
    (run / HEADER).write_bytes(written)

    def in_file(path: Path, read: Callable[[], object]) -> Callable[[bytes], object]:
        def from_disk(data: bytes) -> object:
            path.write_bytes(data)
            return read()

        return from_disk

    bundle = as_script(CALL, b'{"case":"tracking-1","agent":"oracle","runs":[]}')
    manifest = to_json(Manifest("0.2.0", "all", header, (Included(header, "oracle", 6, 6, "0" * 16),), 0))
    header_file, script, listing = folder / HEADER, folder / "b.js", folder / "m.json"
    base = folder / "base.json"
    error = to_json(AgentError("tracking-1", 1, "agent_error", "KeyError", "KeyError: 1", "…")) + b"\n"
    saved = to_json(baseline_of_one(header, digest(body)))
    return [
        FuzzTarget("errors", error, in_file(run / ERRORS, lambda: read_errors(run))),
        FuzzTarget("baseline", saved, in_file(base, lambda: read_baseline(base))),
        FuzzTarget("transcripts", line, in_file(run / TRANSCRIPTS, lambda: list(read_transcripts(run)))),
        FuzzTarget("judgements", opinion, in_file(run / JUDGEMENTS, lambda: read_judgements(run))),
        FuzzTarget("header", written, in_file(header_file, lambda: named(read_header(folder), folder))),
        FuzzTarget("bundle", bundle, in_file(script, lambda: placed(script, folder))),
        FuzzTarget("manifest", manifest, in_file(listing, lambda: read_record(listing, Manifest))),
        FuzzTarget("world", family.path.read_bytes(), in_file(yaml, lambda: read_family(yaml, world.policy))),
        *(
            FuzzTarget(name, ANSWERS[name], dialect.read)
            for name, dialect in (("openai", OpenAI()), ("anthropic", Anthropic()))
        ),
    ]


def baseline_of_one(header: Run, transcript: str) -> GateBaseline:
    """The baseline of a run with one conversation."""
    shared = ("world", "world_digest", "policy_digest", "set", "case_seed", "seed", "customer", "turn_limit")
    return GateBaseline(
        agent=header.agent,
        package=header.package,
        runs=(1,),
        conversations={"tracking-1": (transcript,)},
        results={"unsafe": {"tracking-1": "0"}},
        **{name: getattr(header, name) for name in shared},
    )


def named(header: Run, folder: Path) -> None:
    """Every name of a header is a name in a folder, or the header is refused."""
    inside(folder, folder_name(header))
    for case in header.cases:
        inside(folder, f"{case}.html")


def placed(path: Path, folder: Path) -> None:
    bundle = read_bundle(path)
    inside(folder, bundle_path(bundle.case, bundle.agent))


def damaged(sound: bytes, random: Random) -> bytes:
    """One to four damages."""
    data = bytearray(sound)
    for _ in range(random.randint(1, 4)):
        at, other = random.randrange(len(data) + 1), random.randrange(len(data) + 1)
        first, last = min(at, other), min(max(at, other), min(at, other) + 40)
        kind = random.randrange(6)
        if kind == 0 and at < len(data):
            data[at] = random.randrange(256)
        elif kind == 1:
            del data[first:last]
        elif kind == 2:
            data[at:at] = data[first:last] * random.randint(1, 3)
        elif kind == 3:
            del data[at:]
        elif kind == 4:
            data[at:at] = random.choice(WORST)
        else:
            _replace_value(data, random)
    return bytes(data)


def _replace_value(data: bytearray, random: Random) -> None:
    """One value of JSON or YAML becomes one of the worst."""
    start = data.find(b":", random.randrange(len(data) + 1))
    if start < 0:
        return
    ends = [found for mark in (b",", b"}", b"\n") if (found := data.find(mark, start)) >= 0]
    data[start + 1 : min(ends, default=len(data))] = b" " + random.choice(WORST)


def main() -> None:
    """Try all kinds in turn, and say how many were read and refused."""
    words = [int(word.replace(",", "")) for word in sys.argv[1:3]]
    inputs, seed = words[0] if words else 1_000_000, words[1] if len(words) > 1 else 0
    random, started = Random(seed), time.monotonic()
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / "folder"
        folder.mkdir()
        kinds = targets(folder)
        for kind in kinds:
            share = inputs // SLOW if kind.name == "world" else inputs // (len(kinds) - 1)
            read = sum(attempt(kind, damaged(kind.sound, random)) for _ in range(share))
            print(f"{kind.name:12} {share:9,} inputs, {read:9,} read, {share - read:9,} refused", flush=True)
        assert [*Path(scratch).iterdir()] == [folder], "something was written outside"
        try_edits(Path(scratch) / "edits", random, inputs // EDITS)
    print(f"no crash, nothing written outside; {time.monotonic() - started:.0f} s, seed {seed}")


def try_edits(root: Path, random: Random, count: int) -> None:
    """Edit fields of a run, and put what the reader accepts before three of the commands."""
    os.environ["XDG_CACHE_HOME"] = str(root / "cache")
    run = MutatedRun(root)
    records, accepted = run.records(), 0
    for name, mutation in sample(run, random, count):
        run.put(name, mutation.of(records[name]))
        if run.is_accepted():
            accepted += 1
            for found in run.tracebacks(random.sample(sorted(COMMANDS), 3)):
                raise AssertionError(f"{name}, {mutation}: {found}")
    print(f"edits        {count:9,} inputs, {accepted:9,} read, {count - accepted:9,} refused", flush=True)


def attempt(kind: FuzzTarget, data: bytes) -> bool:
    """Whether the input could be read; anything but a sentence in place of that is a crash."""
    try:
        kind.read(data)
    except (Problem, UnreadableAnswer, ErrorInAnswer):
        return False
    except BaseException:
        print(f"{kind.name} crashed on {data!r}", file=sys.stderr)
        raise
    return True


if __name__ == "__main__":
    main()
