"""Attacks on what is written: whatever is filed can be read back, and what was damaged is told and saved.

Each table row is an attack; before, each of them ended in a traceback, or in a run that nobody could read.
"""

import asyncio
import json
import os
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from commands import Done, sab
from conversations import CASES, HEADER
from filed import FEW, file_run, solved, two_judges
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.desk import AgentFactory, AgentFailure, Desk
from supportagentbench.models.spec import REMEDIES, parse_model
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest, from_json, to_json
from supportagentbench.records.transcript import Transcript, Turn
from supportagentbench.records.usage import Usage
from supportagentbench.runner.run import AgentStopped, header_of, run_agent
from supportagentbench.storage.archive import HEADER as RUN_JSON
from supportagentbench.storage.archive import JUDGEMENTS, RunWriter, folder_name, read_header
from supportagentbench.storage.events import EVENTS, EventReader
from supportagentbench.storage.transcripts import BROKEN, TRANSCRIPTS, ArchiveLine, read_transcripts


def told_in_one_sentence(done: Done, *words: str) -> None:
    """Exit code 2 and one line that says these words, without a traceback."""
    assert done.returncode == 2, done
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("sab: ") and done.stderr.count("\n") == 1, done.stderr
    for one in words:
        assert one in done.stderr, done.stderr


# Settings of a model

NO_SETTINGS = (
    *("temperature=nan", "temperature=inf", "temperature=true", "temperature=null", "temperature=-1"),
    *("top_p=nan", "top_p=2", "max_tokens=0", "max_tokens=1.5", "max_tokens=true", "max_tokens=1e30"),
    *("timeout=inf", "timeout=nan", "timeout=0", "timeout=-1", "timeout=1e300", "seed=7", "seed=null"),
    *("effort=", "effort=\x1b[31m", "effort=two words", "base_url=file:///etc/passwd", "base_url=nan"),
)


@pytest.mark.parametrize("setting", NO_SETTINGS)
def test_a_setting_that_could_not_be_read_back_is_refused_before_anything_is_spent(
    tmp_path: Path, setting: str
) -> None:
    done = sab("run", f"openai:m,{setting}", "--yes", "-o", tmp_path / "runs", OPENAI_API_KEY="k" * 20)
    name = setting.partition("=")[0]
    told_in_one_sentence(done, f"the setting {name} of openai:m must be {REMEDIES[name]}")
    assert not (tmp_path / "runs").exists()


GOOD_SETTINGS = (
    *("temperature=0", "temperature=0.1234567891", "temperature=2", "top_p=1", "max_tokens=900"),
    *("effort=high", "seed=true", "api=chat", "base_url=http://localhost:1/v1", "timeout=30", "timeout=0.5"),
)


@pytest.mark.parametrize("setting", GOOD_SETTINGS)
def test_every_setting_is_read_back_from_the_header_and_from_the_name(tmp_path: Path, setting: str) -> None:
    name = parse_model(f"openai:m,{setting}")
    header = replace(HEADER, agent=name.shown, sampling=name.sampling)
    with RunWriter(tmp_path, header) as writer:
        pass
    assert read_header(writer.folder) == header
    given = {key: value for key, value in name.sampling.items() if key not in ("base_url", "timeout")}
    assert parse_model(name.shown).sampling == given


def test_every_setting_is_in_the_table_above() -> None:
    assert {one.partition("=")[0] for one in GOOD_SETTINGS} == {*REMEDIES}


# What a Python agent gives


class Spends:
    """Reports this as its usage."""

    def __init__(self, usage: object) -> None:
        self.usage = usage

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        desk.spend(self.usage)
        return "Hello."


class Breaks:
    """Breaks off with this cause and these words."""

    def __init__(self, cause: object, detail: object) -> None:
        self.failure = AgentFailure(cause, detail)  # type: ignore[arg-type]

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        raise self.failure


class Calls:
    """Calls a tool with these arguments."""

    def __init__(self, arguments: object) -> None:
        self.arguments = arguments

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        desk.call("find_order", self.arguments)  # type: ignore[arg-type]
        return "Hello."


class Wordless(Exception):
    """Has nothing to say, and fails at that."""

    def __str__(self) -> str:
        raise ValueError("no words")


def held(root: Path, make: AgentFactory) -> list[Transcript]:
    """One case type with this agent, as it is read back."""
    header = header_of(CASES, "tracking", "guest", ScriptedVoice(), 1, 0)
    with suppress(AgentStopped):  # Five alike stop it; what was said until then is on file.
        asyncio.run(run_agent(CASES, header, make, ScriptedVoice(), root, concurrency=2))
    return [filed.transcript for filed in read_transcripts(root / folder_name(header))]


NO_USAGE: tuple[object, ...] = (
    *(Usage("m", input=bad) for bad in (None, 12.5, "12", True, -1, float("nan"))),  # type: ignore[arg-type]
    *(Usage("m", cost=bad) for bad in ("1", -0.5, True)),  # type: ignore[arg-type]
    *(Usage(bad) for bad in ("\ud800", None, 7)),  # type: ignore[arg-type]
    Usage("m", role="boss"),  # type: ignore[arg-type]
    *(None, 12, Ellipsis),
)


@pytest.mark.parametrize("usage", NO_USAGE, ids=repr)
def test_usage_that_could_not_be_read_back_stops_the_agent_in_one_sentence(
    tmp_path: Path, usage: object
) -> None:
    with pytest.raises(Problem, match="the agent reported usage that cannot be stored") as told:
        held(tmp_path, lambda seed: Spends(usage))
    assert "\n" not in str(told.value)
    assert list(read_transcripts(tmp_path / "guest-1")) == []


@pytest.mark.parametrize("cost", [None, float("nan"), 0, 0.25])
def test_usage_that_can_be_told_is_kept(tmp_path: Path, cost: float | None) -> None:
    kept = held(tmp_path, lambda seed: Spends(Usage("m", input=12, cost=cost)))
    assert kept[0].turns[1].usage == (Usage("m", input=12, cost=None if cost != cost else cost, step=1),)


@pytest.mark.parametrize(
    ("cause", "detail", "told"),
    [
        ("weird", "said so", "weird: said so"),
        (None, None, "None: None"),
        (["agent_error"], 7, "['agent_error']: 7"),
        ("agent_error", "\ud800", "?"),
        ("agent_error", Wordless(), "(Wordless without words: ValueError)"),
        ("\ud800" * 9_999, "x" * 9_999, "?" * 500),
    ],
)
def test_a_cause_that_no_reader_knows_is_the_agents_error(
    tmp_path: Path, cause: object, detail: object, told: str
) -> None:
    for transcript in held(tmp_path, lambda seed: Breaks(cause, detail)):
        assert (transcript.ending.cause, transcript.ending.detail) == ("agent_error", told)


def nested(levels: int) -> dict[str, object]:
    found: dict[str, object] = {}
    for _ in range(levels):
        found = {"a": found}
    return found


@pytest.mark.parametrize(
    "arguments",
    [nested(60), nested(900), nested(100_000), {"a": float("nan")}, {"a": 2**80}, {"\ud800": 1}, {1: b"x"}],
    ids=["60 deep", "900 deep", "100,000 deep", "nan", "2**80", "surrogate", "bytes"],
)
def test_whatever_a_tool_is_called_with_can_be_read_back(tmp_path: Path, arguments: object) -> None:
    assert len(held(tmp_path, lambda seed: Calls(arguments))) == len(CASES.named("tracking"))


def test_what_nobody_could_read_back_is_never_filed_and_never_thrown_away(tmp_path: Path) -> None:
    talk = replace(solved(FEW[0]), run="one")
    with (
        pytest.raises(
            Problem,
            match=r"transcripts\.jsonl: cannot take a conversation, because it could not be read back",
        ),
        RunWriter(tmp_path, HEADER) as writer,
    ):
        writer.add(talk, started=0.0, seconds=0.0)
    assert (writer.folder / TRANSCRIPTS).read_bytes() == b""
    assert json.loads((writer.folder / f"{TRANSCRIPTS}.damaged").read_bytes())["transcript"]["run"] == "one"


# Damaged files


def byte_ff(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + b"\xff" + data[middle + 1 :]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "one byte 0xFF": byte_ff,
    "torn": lambda data: data[: len(data) // 2] + b"\n",
    "zeros": lambda data: bytes(len(data) - 1) + b"\n",
    "deep": lambda data: b'{"a":' * 100_000 + b"\n",
    "no JSON": lambda data: b"<html>\n",
    "another type": lambda data: b"[]\n",
}


def as_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def as_loop(path: Path) -> None:
    path.unlink()
    path.symlink_to(path)


def as_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


PLACES: dict[str, Callable[[Path], None]] = {"folder": as_folder, "link to itself": as_loop, "pipe": as_pipe}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run of four conversations, judged, with a neighbour of the same command."""
    for run in (2, 1):
        found = file_run(tmp_path / "runs", "steady", run, map(solved, FEW), two_judges)
    (found / BROKEN).write_bytes(lines_of(found / TRANSCRIPTS)[0])
    return found


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", [RUN_JSON, TRANSCRIPTS, JUDGEMENTS])
@pytest.mark.parametrize("command", ["board", "show", "grep", "judges"])
def test_a_damaged_file_is_told_by_file_and_line(folder: Path, name: str, damage: str, command: str) -> None:
    path = folder / name
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    words = {"show": (folder, FEW[-1]), "grep": ("zzz", folder)}.get(command, (folder,))
    done = sab(command, *words)
    if command == "grep" and name == JUDGEMENTS:
        assert done.returncode == 1  # It does not read them.
        return
    told_in_one_sentence(done, name, "" if damage == "another type" else f"{name}:", "`sab repair`")


@pytest.mark.parametrize("kind", PLACES)
@pytest.mark.parametrize("name", [RUN_JSON, TRANSCRIPTS, JUDGEMENTS])
def test_what_is_no_file_is_told(folder: Path, name: str, kind: str) -> None:
    PLACES[kind](folder / name)
    done = sab("board", folder)
    told_in_one_sentence(done, str(folder))


@pytest.mark.parametrize("name", [RUN_JSON, TRANSCRIPTS, JUDGEMENTS])
def test_an_empty_file_is_told_or_is_nothing(folder: Path, name: str) -> None:
    (folder / name).write_bytes(b"")
    done = sab("board", folder)
    assert "Traceback" not in done.stderr
    if name == RUN_JSON:
        told_in_one_sentence(done, "run.json:1: cannot be read")


def test_a_file_that_may_not_be_read_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(path: Path, *_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("supportagentbench.storage.file._opened", forbidden)
    told_in_one_sentence(sab("show", folder, FEW[0]), "cannot be read (Permission denied)")


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_events_are_passed_over(folder: Path, damage: str) -> None:
    (folder.parent / EVENTS).write_bytes(DAMAGES[damage](b'{"event":"stopping","at":1.0}\n'))
    assert EventReader(folder.parent).more() == []


# Repair


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", [TRANSCRIPTS, JUDGEMENTS])
def test_repair_keeps_every_good_line_and_sets_the_bad_one_aside(
    folder: Path, name: str, damage: str
) -> None:
    path = folder / name
    before = lines_of(path)
    bad = DAMAGES[damage](before[1])
    path.write_bytes(b"".join([before[0], bad, *before[2:]]))
    done = sab("repair", folder)
    assert done.returncode == 1
    assert f"steady-1/{name}:2: " in done.stdout
    assert "1 record could not be saved." in done.stdout
    assert lines_of(path) == [before[0], *before[2:]]
    assert path.with_name(f"{name}.damaged").read_bytes() == bad
    assert sab("board", folder).returncode == 0
    again = sab("repair", folder)
    assert (again.returncode, "nothing was changed" in again.stdout) == (0, True)


def test_a_sound_run_is_not_touched(folder: Path) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir() if path.name != "lock"}
    assert sab("repair", folder).returncode == 0
    assert {path: path.read_bytes() for path in folder.iterdir() if path.name != "lock"} == before


def test_a_line_that_lacks_only_its_end_is_kept(folder: Path) -> None:
    path = folder / TRANSCRIPTS
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    assert sab("repair", folder).returncode == 0
    assert path.read_bytes() == whole


def test_a_conversation_that_this_version_cannot_read_is_set_aside(folder: Path) -> None:
    path = folder / TRANSCRIPTS
    lines = lines_of(path)
    plain = json.loads(bytes(from_json(lines[1], ArchiveLine).transcript))
    plain["ending"] = {"kind": "broke", "cause": "weird", "detail": "said so"}
    body = to_json(plain)
    line = {"digest": digest(body), "started": 0.0, "seconds": 1.0}
    other = to_json(line)[:-1] + b',"transcript":' + body + b"}\n"
    path.write_bytes(b"".join([lines[0], other, *lines[2:]]))
    told_in_one_sentence(sab("board", folder), "transcripts.jsonl:2: cannot be read", "`sab repair`")
    assert sab("repair", folder).returncode == 1
    assert lines_of(path) == [lines[0], *lines[2:]]
    assert lines_of(path.with_name(f"{TRANSCRIPTS}.damaged")) == [other]


def test_what_comes_twice_was_changed_or_is_anothers_is_set_aside(folder: Path) -> None:
    path = folder / TRANSCRIPTS
    lines = lines_of(path)
    elsewhere = lines_of(folder.parent / "steady-2" / TRANSCRIPTS)[3]
    changed = lines[3].replace(b'"party":"agent"', b'"party":"agemt"', 1)
    path.write_bytes(b"".join([*lines[:3], lines[0], elsewhere, changed]))
    done = sab("repair", folder)
    assert done.returncode == 1
    told = " ".join(done.stdout.split())
    assert "a second time" in told and "does not belong here" in told and "was changed after" in told
    assert lines_of(path) == lines[:3]
    assert lines_of(path.with_name(f"{TRANSCRIPTS}.damaged")) == [lines[0], elsewhere, changed]


HEADERS: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "torn": lambda data: data[: len(data) // 2],
    "one byte 0xFF": byte_ff,
    "torn, then zeros": lambda data: data[:900] + bytes(len(data) - 900),
}


@pytest.mark.parametrize("damage", HEADERS)
def test_a_damaged_header_is_moved_away_and_never_guessed(folder: Path, damage: str) -> None:
    path = folder / RUN_JSON
    bad = HEADERS[damage](path.read_bytes())
    path.write_bytes(bad)
    done = sab("repair", folder)
    assert done.returncode == 1
    assert "The `sab run` command that began this run writes it again" in " ".join(done.stdout.split())
    assert not path.exists()
    assert (folder / f"{RUN_JSON}.damaged").read_bytes() == bad


def test_a_lost_header_is_written_again_by_the_same_command(tmp_path: Path) -> None:
    words = ("run", "oracle", "--set", "tracking", "-o", "runs", "--display", "none")
    assert sab(*words, cwd=tmp_path).returncode == 0
    folder = tmp_path / "runs" / "oracle-1"
    header, stored = (folder / RUN_JSON).read_bytes(), (folder / TRANSCRIPTS).read_bytes()
    (folder / RUN_JSON).write_bytes(header[:1000])
    told_in_one_sentence(sab(*words, cwd=tmp_path), "run.json:", "`sab repair`")
    assert sab("repair", "runs", cwd=tmp_path).returncode == 1
    assert sab(*words, cwd=tmp_path).returncode == 0
    assert (folder / RUN_JSON).read_bytes() == header
    assert (folder / TRANSCRIPTS).read_bytes() == stored


@pytest.mark.parametrize("name", [RUN_JSON, TRANSCRIPTS])
def test_repair_moves_a_folder_away_and_leaves_links_and_pipes(folder: Path, name: str) -> None:
    as_folder(folder / name)
    done = sab("repair", folder)
    assert "Traceback" not in done.stderr
    assert done.returncode == 1, done
    for put in (as_loop, as_pipe):
        (folder / name).unlink(missing_ok=True)
        (folder / name).touch()
        put(folder / name)
        told_in_one_sentence(sab("repair", folder), f"{name}: is ")


def test_repair_waits_for_nobody_and_hurts_nobody(folder: Path) -> None:
    with RunWriter(folder.parent, read_header(folder)):
        told_in_one_sentence(sab("repair", folder), "is being written by another process")


@pytest.mark.parametrize("words", [["nowhere"], ["."]])
def test_repair_of_what_is_no_run_is_told(tmp_path: Path, words: list[str]) -> None:
    told_in_one_sentence(sab("repair", *words, cwd=tmp_path), "runs")


# Sites and labels


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("built")
    file_run(root / "runs", "steady", 1, map(solved, FEW), two_judges)
    assert sab("site", "build", root / "runs", "-o", root / "site").returncode == 0
    return root / "site"


@pytest.mark.parametrize("damage", [*DAMAGES, *PLACES])
@pytest.mark.parametrize("name", ["data/manifest.json", "data/t/*/*.js"])
def test_a_damaged_site_is_told_by_file(built: Path, tmp_path: Path, name: str, damage: str) -> None:
    site = tmp_path / "site"
    shutil.copytree(built, site)
    path = sorted(site.glob(name))[0]
    if damage in PLACES:
        PLACES[damage](path)
    else:
        path.write_bytes(DAMAGES[damage](path.read_bytes()))
    told_in_one_sentence(sab("site", "verify", site), str(site))


SHEETS: dict[str, bytes] = {
    "one byte 0xFF": b"item,annotator,met\nq1,a,y\xffs\n",
    "empty": b"",
    "zeros": bytes(100),
    "one huge cell": b"item,annotator,met\nq1,a," + b"x" * 200_000 + b"\n",
}


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_damaged_sheet_is_told(folder: Path, sheet: str) -> None:
    path = folder.parent / "labels.csv"
    path.write_bytes(SHEETS[sheet])
    path.with_suffix(".key.json").write_bytes(b"{}")
    told_in_one_sentence(sab("labels", "read", path, folder), "labels.key.json")
    assert sab("labels", "write", folder, "-o", folder.parent / "good.csv", "--items", "4").returncode == 0
    done = sab("labels", "read", path, folder, "--key", folder.parent / "good.key.json")
    told_in_one_sentence(done, "labels.csv:")


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_recording_is_told_by_its_line(tmp_path: Path, damage: str) -> None:
    (tmp_path / "answers.jsonl").write_bytes(DAMAGES[damage](b'{"record":"recorded_answer/1","key":"a"}\n'))
    words = ("run", "openai:m", "--replay", "answers.jsonl", "--customer", "scripted", "--display", "none")
    told_in_one_sentence(sab(*words, cwd=tmp_path), "answers.jsonl:1: cannot be read")
