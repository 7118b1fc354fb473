"""Names and folders from strangers: no way out, nobody's folder deleted, no exit code that lies.

Attack → before → now:

- A case id such as `../../outside` in a run folder (site build, live page) → pages written outside the
  folder → refused when the header is read.
- The same in a conversation file of a site (site verify) → a file written outside the scratch folder →
  refused when the file is read.
- A case id of 300 characters (site build) → "free some space" → refused when the header is read.
- A case id with a zero byte (site build) → traceback → refused when the header is read.
- An agent's name of 900 characters (run, site build, site verify) → "File name too long" → shortened,
  with a digest.
- Two agents whose folders have one name (site verify) → traceback → verified.
- A file of a run that is a link (run, score --judge), a link or a pipe in a site (site verify) →
  written or read through, or waited for → refused.
- Somebody's own `runs/live/`, `site.draft/`, `site.old/` → deleted (`site.old/`: not used) → refused,
  untouched.
- Runs kept inside the site that is built from them → deleted with the old pages → refused.
- `kill -9` at any step of the swap of a site → half a site that refused to be rebuilt → the next build
  repairs it.
- A run folder copied next to itself → counted twice (board), refused (site) → counted once, with a
  sentence.
- Part of such a copy → counted twice → refused.
- A conversation of another case, run or seed in a run folder → counted → refused by file and line.
- `sab run` into a folder with another job's run → that job's board, exit code 0 → refused before it
  begins, 2.
- A judge that does not answer, or whose budget is spent → exit code 0 → 4, 3.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from commands import Done, alone, fake_provider, sab
from filed import FEW, file_run, solved
from supportagentbench.live.follow import Follower
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest, to_json
from supportagentbench.site.data.bundle import CALL, as_script, read_bundle
from warm import run_code

OUTSIDE = ("../../outside", "../../../../outside", "..", ".", "a/b", "/outside", "", ".hidden", "-x")
ODD = ("a\\b", "a\x00b", "a\nb", "a\n", "x" * 300, "é-1", "a b")
EVIL = (*OUTSIDE, *ODD)
"""What a stranger may call a case."""

Edit = Callable[[Any], None]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def forge(folder: Path, header: Edit | None = None, transcript: Edit | None = None) -> Path:
    """Edit the header of a run and its first conversation, with a digest that fits."""
    path = folder / "run.json"
    content = json.loads(path.read_bytes())
    if header:
        header(content)
    path.write_text(json.dumps(content))
    lines = (folder / "transcripts.jsonl").read_bytes().splitlines()
    first = json.loads(lines[0])
    if transcript:
        transcript(first["transcript"])
    body = json.dumps(first["transcript"], separators=(",", ":"), ensure_ascii=False).encode()
    rest = json.dumps({"digest": digest(body), "started": first["started"], "seconds": first["seconds"]})
    lines[0] = rest.encode()[:-1] + b',"transcript":' + body + b"}"
    (folder / "transcripts.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    return folder


def rename_first(name: str) -> tuple[Edit, Edit]:
    """Call the first case of a run by this name, in its header and in its conversation."""

    def in_header(content: Any) -> None:
        content["cases"][0] = name

    def in_transcript(content: Any) -> None:
        content["case"] = name

    return in_header, in_transcript


def refused(done: Done, *words: str) -> None:
    """One sentence, and an exit code that says so."""
    assert done.returncode == 2, done
    assert done.stderr.startswith("sab: ") and done.stderr.count("\n") == 1, done.stderr
    for word in words:
        assert word in done.stderr


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Two runs in a folder deep enough that a way out of it ends in the test's own."""
    root = tmp_path / "a" / "b" / "c" / "runs"
    for agent in ("steady", "second"):
        file_run(root, agent, 1, map(solved, FEW))
    return root


COMMANDS = (
    ("site", "build", "RUNS", "-o", "OUT/site"),
    ("board", "RUNS"),
    ("show", "RUNS", FEW[1], "--model", "steady"),
    ("grep", "order", "RUNS"),
    ("score", "RUNS"),
    ("export", "RUNS", "-o", "OUT/table.csv"),
    ("labels", "write", "RUNS", "-o", "OUT/labels.csv"),
    ("judges", "RUNS"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda words: " ".join(words[:2]))
def test_a_case_called_by_a_way_out_is_refused_by_every_command(
    tmp_path: Path, runs: Path, command: tuple[str, ...]
) -> None:
    forge(runs / "steady-1", *rename_first("../../outside"))
    before = contents(tmp_path)
    words = [word.replace("RUNS", str(runs)).replace("OUT", str(runs.parent / "out")) for word in command]
    refused(sab(*words), "run.json: cannot be read", "$.cases[0]")
    assert contents(tmp_path) == before


@pytest.mark.parametrize("name", EVIL, ids=ascii)
def test_no_name_of_a_case_leaves_the_folder_of_pages(tmp_path: Path, runs: Path, name: str) -> None:
    forge(runs / "steady-1", *rename_first(name))
    before = contents(tmp_path)
    refused(sab("site", "build", runs / "steady-1", "-o", runs.parent / "site"), "run.json: cannot be read")
    with pytest.raises(Problem, match="cannot be read"):
        Follower(runs)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("field", ["case", "family", "twin_of"])
def test_nor_does_any_other_name_in_a_conversation(tmp_path: Path, runs: Path, field: str) -> None:
    forge(runs / "steady-1", None, lambda content: content.update({field: "../../outside"}))
    before = contents(tmp_path)
    done = sab("site", "build", runs / "steady-1", "-o", runs.parent / "site")
    refused(done, "transcripts.jsonl:1: cannot be read")
    assert contents(tmp_path) == before


# Sites of strangers


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of one agent."""
    root = tmp_path_factory.mktemp("built")
    file_run(root / "runs", "steady", 1, map(solved, FEW))
    assert sab("site", "build", root / "runs", "-o", root / "site").returncode == 0
    return root / "site"


@pytest.fixture
def site(built: Path, runs: Path) -> Path:
    """A copy of them next to the runs."""
    return Path(shutil.copytree(built, runs.parent / "site"))


def rename_bundled(site: Path, case: str, name: str) -> None:
    """Call a case by this name in a file of conversations, with digests that fit."""
    path = site / "data" / "t" / case / "steady.js"
    bundle = read_bundle(path)
    talks = [(one, replace(one.transcript, case=name)) for one in bundle.runs]
    runs = tuple(replace(one, transcript=talk, digest=digest(talk)) for one, talk in talks)
    path.write_bytes(as_script(CALL, to_json(replace(bundle, case=name, runs=runs))))


def forge_manifest(site: Path, edit: Edit) -> None:
    path = site / "data" / "manifest.json"
    content = json.loads(path.read_bytes())
    edit(content)
    path.write_text(json.dumps(content))


def verified(site: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch) -> Done:
    """Verify with a scratch folder that the test can see into."""
    scratch.mkdir(parents=True)
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    return sab("site", "verify", site)


@pytest.mark.parametrize("name", EVIL, ids=ascii)
def test_a_site_whose_case_is_called_by_a_way_out_is_refused(
    tmp_path: Path, site: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def in_manifest(content: Any) -> None:
        content["shared"]["cases"][0] = name

    rename_bundled(site, FEW[0], name)
    before = contents(tmp_path)
    done = verified(site, tmp_path / "s" / "s" / "scratch", monkeypatch)
    assert contents(tmp_path) == before
    refused(done, "steady.js: cannot be read")
    forge_manifest(site, in_manifest)
    before = contents(tmp_path)
    refused(sab("site", "verify", site), "manifest.json: cannot be read")
    assert contents(tmp_path) == before


def test_a_site_that_leads_elsewhere_by_a_link_is_refused(tmp_path: Path, site: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("mine")
    (site / "data" / "prose").mkdir()
    (site / "data" / "prose" / "steady.md").symlink_to(secret)
    refused(sab("site", "verify", site), "steady.md: is a link")


def test_a_site_with_a_pipe_in_it_is_refused_and_not_waited_for(site: Path) -> None:
    os.mkfifo(site / "data" / "t" / FEW[0] / "pipe.js")
    refused(sab("site", "verify", site), "pipe.js: is neither a file nor a folder")


# Long names


LONG = "openai:" + "long-" * 180
"""A name of 907 characters, which no file system takes."""


def test_long_names_of_agents_are_shortened_and_kept_apart(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    for agent in (f"{LONG}a", f"{LONG}b"):
        file_run(root, agent, 1, map(solved, FEW))
    assert len(list(root.iterdir())) == 2
    assert sab("site", "build", root, "-o", tmp_path / "site").returncode == 0
    assert len(list((tmp_path / "site" / "agents").glob("*.html"))) == 2
    assert sab("site", "verify", tmp_path / "site").returncode == 0


def test_two_agents_whose_folders_have_one_name_are_verified(tmp_path: Path) -> None:
    file_run(tmp_path / "one", "shop:Agent", 1, map(solved, FEW))
    file_run(tmp_path / "two", "shop_Agent", 1, map(solved, FEW))
    assert sab("site", "build", tmp_path / "one", tmp_path / "two", "-o", tmp_path / "site").returncode == 0
    assert sab("site", "verify", tmp_path / "site").returncode == 0


@pytest.mark.parametrize("name", ["a\x1b[2Jb", "a\nb", "", "x" * 2000], ids=ascii)
def test_an_agent_that_cannot_be_printed_is_refused(runs: Path, name: str) -> None:
    forge(runs / "steady-1", lambda content: content.update(agent=name))
    refused(sab("board", runs), "run.json: cannot be read", "$.agent")


@pytest.mark.parametrize("run", [-1, 10**30])
def test_a_run_without_a_sensible_number_is_refused(runs: Path, run: int) -> None:
    forge(runs / "steady-1", lambda content: content.update(run=run))
    refused(sab("board", runs), "run.json: cannot be read", "$.run")


# Links in the runs of strangers


@pytest.mark.parametrize("name", ["judgements.jsonl", "lock", "transcripts.jsonl.draft", "run.draft"])
def test_no_file_of_a_run_leads_elsewhere(tmp_path: Path, name: str) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("not a line of yours")
    assert sab("run", "oracle", "--set", FEW[0], "-o", tmp_path / "runs").returncode == 0
    folder = tmp_path / "runs" / "oracle-1"
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(mine)
    again = sab("run", "oracle", "--set", FEW[0], "-o", tmp_path / "runs")
    assert again.returncode == 2
    assert f"{name}: is a link" in again.stderr
    judged = sab("score", folder, "--judge", "openai:gpt-5", "-y", OPENAI_API_KEY="sk-none")
    assert judged.returncode == 2
    assert f"{name}: is a link" in judged.stderr
    assert mine.read_text() == "not a line of yours"


def test_a_run_folder_that_is_a_link_to_elsewhere_is_not_written_to(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "oracle-1").symlink_to(tmp_path / "mine")
    done = sab("run", "oracle", "--set", FEW[0], "-o", tmp_path / "runs")
    assert done.returncode == 2
    assert "oracle-1: is a link" in done.stderr
    assert contents(tmp_path / "mine") == {}


# Folders of others


@pytest.mark.parametrize("name", ["site", "site.draft", "site.old"])
def test_a_folder_in_the_way_of_a_site_is_refused_and_stays(tmp_path: Path, runs: Path, name: str) -> None:
    (runs.parent / name).mkdir()
    (runs.parent / name / "letter.txt").write_text("Dear Sir")
    before = contents(tmp_path)
    refused(sab("site", "build", runs, "-o", runs.parent / "site"), f"{name}: ")
    assert contents(tmp_path) == before


def test_a_live_folder_of_somebody_else_stays(tmp_path: Path) -> None:
    live = tmp_path / "runs" / "live"
    live.mkdir(parents=True)
    (live / "letter.txt").write_text("Dear Sir")
    quiet = sab("run", "oracle", "--set", FEW[0], "-o", tmp_path / "runs")
    assert quiet.returncode == 0, quiet.stderr
    done = sab("run", "oracle", "--set", FEW[0], "-o", tmp_path / "runs", "--live", "--port", "0")
    assert done.returncode == 2
    assert "live: was not made by sab" in done.stderr
    assert contents(live) == {"letter.txt": b"Dear Sir"}


def test_runs_inside_the_site_that_is_built_from_them_stay(site: Path, runs: Path) -> None:
    inside = Path(shutil.copytree(runs, site / "runs"))
    before = contents(site)
    refused(sab("site", "build", inside, "-o", site), "is inside")
    assert contents(site) == before


def test_what_cannot_be_replaced_as_a_whole_is_no_place_for_a_site(runs: Path, site: Path) -> None:
    refused(sab("site", "build", runs, "-o", ".", cwd=site), "contains the current folder")
    refused(sab("site", "build", runs, "-o", runs / "steady-1" / "run.json"), "is not a folder")


KILLED = """
import os, sys
from pathlib import Path
from supportagentbench.cli.main import main
last, steps = int(sys.argv.pop(1)), []
def counted(name):
    real = getattr(Path, name)
    def step(self, *rest, **named):
        if ".draft" in str(self) or ".old" in str(self) or name == "rename":
            if len(steps) == last:
                os.kill(os.getpid(), 9)
            steps.append(name)
        return real(self, *rest, **named)
    setattr(Path, name, step)
for name in ("rename", "unlink", "rmdir", "mkdir", "touch"):
    counted(name)
try:
    main()
finally:
    print(*steps, file=sys.stderr)
"""
"""Kills itself at one of the steps that make, move and delete folders, or prints them."""


def test_a_kill_at_a_turning_point_of_a_build_leaves_whole_pages_or_a_build_that_repairs_them(
    tmp_path: Path, runs: Path
) -> None:
    one, site = runs / "steady-1", tmp_path / "site"
    build = ("site", "build", one, "-o", site, "--transcripts", "none")
    assert sab(*build).returncode == 0
    whole = contents(site)

    def killed_at(step: int) -> subprocess.CompletedProcess[str]:
        return run_code(KILLED, str(step), *build, cwd=tmp_path, env=os.environ)

    steps = killed_at(-1).stderr.splitlines()[-1].split()
    turns = {place + after for place, name in enumerate(steps) if name == "rename" for after in (0, 1)}
    assert len(turns) > 1
    for step in sorted(turns | {0, len(steps) // 2, len(steps) - 1}):
        assert killed_at(step).returncode == -9
        places = [contents(place) for place in (site, site.with_name("site.old")) if place.exists()]
        assert whole in places, step
        again = sab(*build)
        assert again.returncode == 0, (step, again.stderr)
        assert contents(site) == whole
        assert {path.name for path in tmp_path.glob("site*")} == {"site"}


# Exit codes, copies, and conversations of others


def test_a_copied_run_counts_once_with_a_sentence(tmp_path: Path, runs: Path) -> None:
    board = sab("board", runs, "--json")
    shutil.copytree(runs / "steady-1", runs / "steady-1 (copy)")
    again = sab("board", runs, "--json")
    assert (again.returncode, again.stdout) == (0, board.stdout)
    assert "steady-1 (copy): is a copy of" in again.stderr and "counts once" in again.stderr
    built = sab("site", "build", runs, "-o", tmp_path / "site")
    assert built.returncode == 0
    assert "is a copy of" in built.stderr
    hits = sab("grep", "order", runs, "--json").stdout.splitlines()
    assert len(hits) == len(set(hits))
    assert Follower(runs).view().total == 2 * len(FEW)


def test_a_part_of_a_copy_is_refused(runs: Path) -> None:
    copy = Path(shutil.copytree(runs / "steady-1", runs / "steady-1b"))
    path = copy / "transcripts.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:2]))
    refused(sab("board", runs), "has conversations of run 1 of steady that are also in")


@pytest.mark.parametrize(
    "edit", [{"case": "tracking-2"}, {"run": 2}, {"seed": 7}], ids=["case", "run", "seed"]
)
@pytest.mark.parametrize("command", COMMANDS[:5], ids=lambda words: " ".join(words[:2]))
def test_a_conversation_that_is_not_of_this_run_is_refused(
    runs: Path, edit: dict[str, Any], command: tuple[str, ...]
) -> None:
    forge(runs / "steady-1", None, lambda content: content.update(edit))
    words = [word.replace("RUNS", str(runs)).replace("OUT", str(runs.parent / "out")) for word in command]
    refused(sab(*words), "transcripts.jsonl:1: ", "does not belong to this run")


def test_the_run_of_another_job_is_neither_continued_nor_printed(tmp_path: Path) -> None:
    assert sab("run", "oracle", "--set", FEW[0], "-o", tmp_path / "runs").returncode == 0
    other = sab("run", "oracle", "complies", "--set", FEW[0], "--seed", "7", "-o", tmp_path / "runs")
    assert other.returncode == 2
    assert "holds a run made with another seed" in other.stderr
    assert "See `sab board" not in other.stderr
    assert not (tmp_path / "runs" / "complies-1").exists()


@pytest.fixture(scope="module")
def provider() -> Iterator[str]:
    """A provider that knows some models, in a process of its own."""
    with fake_provider() as url:
        yield f"{url}/v1"


def test_what_is_left_to_judge_is_in_the_exit_code(tmp_path: Path, runs: Path, provider: str) -> None:
    def asked(*words: str | Path) -> Done:
        return sab(*words, "-y", OPENAI_API_KEY="sk-test", cwd=tmp_path)

    gone, there = (f"openai:{name},base_url={provider}" for name in ("unknown-model", "gpt-5"))
    assert asked("score", runs, "--judge", gone).returncode == 4
    spent = asked("score", runs, "--judge", there, "--budget", "0.0000001", "-j", "1")
    assert spent.returncode == 3, spent.stderr
    assert "judging is paused" in spent.stderr
    assert asked("score", runs, "--judge", there).returncode == 0


def test_the_command_itself_ends_with_these_codes(tmp_path: Path, runs: Path) -> None:
    forge(runs / "steady-1", *rename_first("../../outside"))
    done = alone("site", "build", runs, "-o", tmp_path / "site", cwd=tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_few_runs_as_everybody_makes_them_pass(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    assert sab("run", "oracle", "--set", "tracking", "--out", root, "--display", "none").returncode == 0
    assert sab("site", "build", root, "-o", tmp_path / "site").returncode == 0
    assert sab("site", "verify", tmp_path / "site").returncode == 0
