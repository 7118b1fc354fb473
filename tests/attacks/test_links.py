"""Links, pipes and devices in a stranger's folder: nothing is written elsewhere, and nothing is waited for.

Attack → before → now:

- `transcripts.jsonl.damaged`, `….draft` or `run.draft` as a link (repair) → any file appended to or
  overwritten, exit code 0 → refused before anything is touched.
- `runs/gate/last.json` as a link (gate) → any file overwritten, exit code 0 → refused.
- A run, an attempt or `runs/gate` that is a link to a folder → written to → refused.
- A run that is a link to somebody's own runs (board, site build) → read, and published → refused.
- `labels.key.json` as a link to a name that is free (labels write) → written there → refused.
- A pipe as recording, baseline, sheet, key or published board → waited for → refused at once.
- A full disk (export, gate --save) → the old file is gone and a torn one left → the old one stays whole.
- A file of a run with a second name elsewhere (a hard link) → written to → refused.
- A conversation file of a site of 2 GB that takes no room → 4 GB of memory → refused.
- 160 kB of `{{quote ` in prose → 35 seconds → refused in a moment.
- `index.html` in a folder of runs (open) → shown in place of the runs → the pages of the runs.
- `baseline.json`, `gate.xml`, `table.csv`, `runs` or `site` as a link out of a cloned repository (gate,
  export, run, site build) → the user's file overwritten, another site replaced → refused.
- A picture whose first chunk has two bytes (site build) → traceback → refused.
"""

import os
import struct
import time
import webbrowser
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from commands import Done, sab
from filed import FEW, file_few, file_run, solved, two_judges
from full_disk import full_disk
from studies.published.load import read_published
from supportagentbench.records.problem import Problem
from supportagentbench.site.data.bundle import bundle_path

MINE = "not a line of yours"


def refused(done: Done, path: Path | str) -> None:
    """Exit code 2, and one sentence that names the path."""
    assert done.returncode == 2, done
    told = [line for line in done.stderr.splitlines() if line.startswith("sab: ")]
    assert "Traceback" not in done.stderr
    assert any(str(path) in line and " is " in line for line in told), done.stderr


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """The file that a stranger is after."""
    path = tmp_path / "mine.txt"
    path.write_text(MINE)
    return path


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run with one line that cannot be read, so that there is something to repair, and a neighbour."""
    for number in (2, 1):
        folder = file_run(tmp_path / "runs", "steady", number, map(solved, FEW), two_judges)
    path = folder / "transcripts.jsonl"
    path.write_bytes(b"touch PWNED #\n" + path.read_bytes())
    return folder


def link(path: Path, mine: Path) -> None:
    path.symlink_to(mine)


def pipe(path: Path, mine: Path) -> None:
    os.mkfifo(path)


def device(path: Path, mine: Path) -> None:
    path.symlink_to("/dev/zero")


PUT: tuple[Callable[[Path, Path], None], ...] = (link, pipe, device)

puts = pytest.mark.parametrize("put", PUT, ids=lambda put: put.__name__)


# Repair

REPAIRED = (
    *("run.json", "run.draft", "transcripts.jsonl", "transcripts.jsonl.draft", "transcripts.jsonl.damaged"),
    *(
        "judgements.jsonl",
        "judgements.jsonl.damaged",
        "answers.jsonl",
        "answers.jsonl.damaged",
        "broken.jsonl",
    ),
    "lock",
)


@puts
@pytest.mark.parametrize("name", REPAIRED)
def test_repair_writes_nowhere_else(
    run: Path, mine: Path, name: str, put: Callable[[Path, Path], None]
) -> None:
    (run / name).unlink(missing_ok=True)
    put(run / name, mine)
    before = sorted(run.iterdir())
    refused(sab("repair", run), run / name)
    assert mine.read_text() == MINE
    assert sorted(run.iterdir()) == before


def test_repair_leaves_a_run_that_is_a_link(run: Path, tmp_path: Path) -> None:
    (tmp_path / "given").mkdir()
    (tmp_path / "given" / "steady-1").symlink_to(run)
    before = (run / "transcripts.jsonl").read_bytes()
    refused(sab("repair", tmp_path / "given"), "steady-1")
    assert (run / "transcripts.jsonl").read_bytes() == before
    assert sab("repair", tmp_path / "given" / "steady-1").returncode == 1  # The user named this one.


# Run and judge

RESUMED = (
    *("run.json", "transcripts.jsonl", "broken.jsonl", "errors.jsonl", "answers.jsonl", "lock"),
    *("judgements.jsonl", "transcripts.jsonl.damaged"),
)


@puts
@pytest.mark.parametrize("name", RESUMED)
def test_a_run_is_not_resumed_through_a_link(
    tmp_path: Path, mine: Path, name: str, put: Callable[[Path, Path], None]
) -> None:
    words = ("run", "oracle", "--set", FEW[0], "-o", tmp_path / "runs")
    assert sab(*words).returncode == 0
    path = tmp_path / "runs" / "oracle-1" / name
    path.unlink(missing_ok=True)
    put(path, mine)
    refused(sab(*words), path.name)
    assert mine.read_text() == MINE


@pytest.mark.parametrize("inner", [False, True])
@pytest.mark.parametrize("words", [(), ("--fresh",)])
def test_no_run_is_written_through_a_linked_folder(tmp_path: Path, words: tuple[str], inner: bool) -> None:
    command = ("run", "oracle", "--set", FEW[0], "-o", tmp_path / "runs", *words)
    elsewhere = tmp_path / ("runs" if inner else "mine") / "real-1"
    assert sab("run", "oracle", "--set", FEW[0], "-o", elsewhere.parent).returncode == 0
    (elsewhere.parent / "oracle-1").rename(elsewhere)
    (tmp_path / "runs").mkdir(exist_ok=True)
    (tmp_path / "runs" / "oracle-1").symlink_to(elsewhere)
    before = sorted(elsewhere.iterdir())
    refused(sab(*command), "oracle-1")
    assert sorted(elsewhere.iterdir()) == before


def test_no_run_is_moved_aside_through_a_link(tmp_path: Path) -> None:
    command = ("run", "oracle", "--set", FEW[0], "-o", tmp_path / "runs")
    assert sab(*command).returncode == 0
    (tmp_path / "mine").mkdir()
    (tmp_path / "runs" / "aside").symlink_to(tmp_path / "mine")
    refused(sab(*command, "--fresh"), "aside")
    assert not list((tmp_path / "mine").iterdir())


def test_a_file_with_a_second_name_is_not_added_to(tmp_path: Path, mine: Path) -> None:
    command = ("run", "oracle", "--set", FEW[0], "-o", tmp_path / "runs")
    assert sab(*command).returncode == 0
    lock = tmp_path / "runs" / "oracle-1" / "lock"
    lock.unlink()
    lock.hardlink_to(mine)
    done = sab(*command)
    assert done.returncode == 2
    assert "lock: has a second name elsewhere" in done.stderr


@pytest.mark.parametrize("command", ["board", "export", "site", "judges"])
def test_runs_of_others_are_not_read_through_a_link(tmp_path: Path, command: str) -> None:
    file_few(tmp_path / "mine")
    (tmp_path / "given").mkdir()
    (tmp_path / "given" / "a-1").symlink_to(next((tmp_path / "mine").glob("*-1")))
    words = {"site": ("site", "build"), "export": ("export",)}.get(command, (command,))
    place = ("-o", tmp_path / "made.csv") if command in ("site", "export") else ()
    refused(sab(*words, tmp_path / "given", *place), "a-1")
    assert not (tmp_path / "made.csv").exists()


# Gate


@pytest.fixture
def gated(tmp_path: Path) -> Path:
    """A run and its baseline, in a folder of a stranger's."""
    runs = tmp_path / "runs"
    assert sab("run", "oracle", "--set", FEW[0], "-o", runs).returncode == 0
    assert sab("gate", runs / "oracle-1", "--save", tmp_path / "b.json").returncode == 0
    return tmp_path


@puts
@pytest.mark.parametrize("target", ["runs/oracle-1", "oracle"])
def test_a_gate_keeps_its_result_nowhere_else(
    gated: Path, mine: Path, target: str, put: Callable[[Path, Path], None]
) -> None:
    (gated / "runs" / "gate").mkdir()
    put(gated / "runs" / "gate" / "last.json", mine)
    refused(sab("gate", target, "--baseline", "b.json", cwd=gated), "runs/gate/last.json")
    assert mine.read_text() == MINE


@pytest.mark.parametrize("name", ["runs/gate", "runs/gate/0001"])
@pytest.mark.parametrize("target", ["runs/oracle-1", "oracle"])
def test_a_gate_is_not_led_away_by_a_folder(gated: Path, target: str, name: str) -> None:
    (gated / "mine").mkdir()
    (gated / "mine" / "last.json").write_text(MINE)
    (gated / name).parent.mkdir(exist_ok=True)
    (gated / name).symlink_to(gated / "mine")
    done = sab("gate", target, "--baseline", "b.json", cwd=gated)
    if target == "oracle" or name == "runs/gate":
        refused(done, name)
    assert [(path.name, path.read_text()) for path in (gated / "mine").iterdir()] == [("last.json", MINE)]


# Files that the user named


@pytest.mark.parametrize("name", ["labels.csv", "labels.txt", "labels.key.json"])
def test_a_sheet_is_not_written_through_a_link(tmp_path: Path, name: str) -> None:
    file_run(tmp_path / "runs", "steady", 1, map(solved, FEW), two_judges)
    (tmp_path / name).symlink_to(tmp_path / "free")
    done = sab("labels", "write", tmp_path / "runs", "-o", tmp_path / "labels.csv", "--items", "4")
    assert done.returncode == 2 and f"{name}: already exists" in done.stderr
    assert not (tmp_path / "free").exists()


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_table_goes_where_the_users_own_link_leads(tmp_path: Path, ending: str) -> None:
    file_few(tmp_path / "runs")
    (tmp_path / "kept").mkdir()
    (tmp_path / f"table.{ending}").symlink_to(tmp_path / "kept" / "table")
    assert sab("export", tmp_path / "runs", "-o", tmp_path / f"table.{ending}").returncode == 0
    assert (tmp_path / f"table.{ending}").is_symlink()
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["table"]


@pytest.mark.parametrize(
    "words",
    [
        ("export", "runs", "-o", "pipe.csv"),
        ("gate", "runs/steady-1", "--save", "pipe.csv"),
        ("gate", "oracle", "--baseline", "pipe.csv"),
        ("run", "oracle", "--replay", "pipe.csv"),
        ("run", "oracle", "--record", "pipe.csv"),
        ("labels", "read", "pipe.csv", "runs"),
        ("labels", "read", "runs/x.csv", "runs", "--key", "pipe.csv"),
        ("site", "build", "runs", "--about", "pipe.csv"),
        ("run", "oracle", "--replay", "/dev/zero"),
    ],
    ids=" ".join,
)
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path, words: tuple[str, ...]) -> None:
    file_few(tmp_path / "runs")
    os.mkfifo(tmp_path / "pipe.csv")
    refused(sab(*words, cwd=tmp_path), "/dev/zero" if "/dev/zero" in words else "pipe.csv")


def test_a_published_board_is_no_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "board.json")
    with pytest.raises(Problem, match="is a pipe or a device"):
        read_published(tmp_path / "board.json")


@pytest.mark.parametrize("words", [("export", "-o"), ("gate", "--save")], ids=" ".join)
def test_a_full_disk_leaves_the_old_file_whole(tmp_path: Path, words: tuple[str, ...]) -> None:
    file_few(tmp_path / "runs")
    (tmp_path / "kept.csv").write_text(MINE)
    (tmp_path / "kept.csv").chmod(0o600)
    with full_disk(100):
        done = sab(*words, "kept.csv", "runs/steady-1", cwd=tmp_path)
    assert done.returncode == 2
    assert "kept.csv: cannot be written (File too large)" in done.stderr
    assert (tmp_path / "kept.csv").read_text() == MINE
    assert not list(tmp_path.glob(".*"))
    assert (tmp_path / "kept.csv").stat().st_mode & 0o777 == 0o600


# Sites


@pytest.fixture
def site(tmp_path: Path) -> Path:
    file_few(tmp_path / "runs")
    assert sab("site", "build", tmp_path / "runs", "-o", tmp_path / "site").returncode == 0
    return tmp_path / "site"


def soon(done: Callable[[], Done], path: str, words: str) -> None:
    """Refused with these words about a file, in a moment."""
    clock = time.process_time()
    found = done()
    assert time.process_time() - clock < 10
    assert found.returncode == 2 and path in found.stderr and words in found.stderr, found


@pytest.mark.parametrize("name", [bundle_path(FEW[0], "steady"), "data/manifest.json"])
def test_a_huge_file_of_a_site_is_not_read(site: Path, name: str) -> None:
    with (site / name).open("r+b") as file:
        file.truncate(2_000_000_000)  # It takes no room on the disk.
    soon(lambda: sab("site", "verify", site), Path(name).name, "has more than")


@pytest.mark.parametrize("words", ["{{quote ", "{{", "{{a} ", "}}{{"])
def test_a_line_of_placeholders_is_read_once(tmp_path: Path, words: str) -> None:
    file_few(tmp_path / "runs")
    (tmp_path / "prose").mkdir()
    (tmp_path / "prose" / "steady.md").write_text(
        "By: me\n## Verdict\n\n" + words * (160_000 // len(words)) + "\n"
    )
    build = ("site", "build", tmp_path / "runs", "-o", tmp_path / "site", "--prose", tmp_path / "prose")
    soon(lambda: sab(*build), "steady.md", "")


def chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def test_a_picture_with_a_short_head_is_refused(tmp_path: Path) -> None:
    file_few(tmp_path / "runs")
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", b"\0\1") + chunk(b"IEND", b"")
    (tmp_path / "icon.png").write_bytes(data)
    (tmp_path / "site.toml").write_text('favicon = "icon.png"\n')
    refused(sab("site", "build", "runs", "--about", "site.toml", cwd=tmp_path), "icon.png")


def test_runs_are_shown_whatever_page_lies_next_to_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webbrowser, "open", lambda address: True)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    file_few(tmp_path / "runs")
    (tmp_path / "runs" / "index.html").write_text("<script>steal()</script>")
    done = sab("open", tmp_path / "runs")
    assert done.returncode == 0
    assert "/cache/" in done.stdout and "/runs/index.html" not in done.stdout


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("baseline.json", ("gate", "--save", "baseline.json", "given")),
        ("gate.xml", ("gate", "given", "--baseline", "saved.json", "--junit", "gate.xml")),
        ("table.csv", ("export", "given", "-o", "table.csv")),
        ("table.csv", ("export", "given", "-o", "./inner/../table.csv")),
        ("answers.jsonl", ("run", "oracle", "--set", FEW[0], "--record", "answers.jsonl")),
    ],
)
def test_no_file_outside_a_clone_is_overwritten_through_its_links(
    tmp_path: Path, mine: Path, name: str, words: tuple[str, ...]
) -> None:
    clone = tmp_path / "clone"
    (clone / "inner").mkdir(parents=True)
    file_run(clone / "given", "steady", 1, map(solved, FEW))
    assert sab("gate", "--save", "saved.json", "given", cwd=clone).returncode == 0
    (clone / name).symlink_to(Path("..") / mine.name)
    refused(sab(*words, cwd=clone), name)
    assert mine.read_text() == MINE


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("runs", ("run", "oracle", "--set", FEW[0])),
        ("runs", ("gate", "oracle", "--baseline", "saved.json", "-k", FEW[0])),
        ("site", ("site", "build", "given")),
    ],
)
def test_no_folder_outside_a_clone_is_written_to_through_its_links(
    tmp_path: Path, name: str, words: tuple[str, ...]
) -> None:
    clone, home = tmp_path / "clone", tmp_path / "home"
    home.mkdir()
    file_run(clone / "given", "steady", 1, map(solved, FEW))
    assert sab("gate", "--save", "saved.json", "given", cwd=clone).returncode == 0
    (clone / name).symlink_to(Path("..") / "home")
    done = sab(*words, cwd=clone)
    refused(done, name)
    assert f"give the place that it leads to: {home}" in done.stderr and not list(home.iterdir())


def test_a_link_that_stays_in_the_current_folder_is_followed(tmp_path: Path) -> None:
    file_few(tmp_path / "given")
    (tmp_path / "disk").mkdir()
    (tmp_path / "table.csv").symlink_to("disk/table.csv")
    assert sab("export", "given", "-o", "table.csv", cwd=tmp_path).returncode == 0
    assert (tmp_path / "disk/table.csv").exists()
