"""Parts of a job read as one run: the same board, the same site, and nothing that does not belong."""

import shutil
from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from commands import Done, sab
from supportagentbench.checks import score
from supportagentbench.jobs.merge import merge
from supportagentbench.records.agent_error import AgentError
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest, from_json, to_json
from supportagentbench.storage.archive import (
    HEADER,
    JUDGEMENTS,
    find_runs,
    header_bytes,
    lock_folder,
    read_header,
)
from supportagentbench.storage.in_flight import IN_FLIGHT
from supportagentbench.storage.set_aside import SET_ASIDE, read_set_aside
from supportagentbench.storage.transcripts import BROKEN, TRANSCRIPTS, ArchiveLine, read_transcripts

JOB = ("trusting", "by-the-book", "--set", "vip_skip,tracking,damaged_no_proof", "--runs", "2")


def run(*words: str | Path, out: Path) -> Done:
    return sab("run", *words, "--out", out, "--display", "none", cwd=out.parent)


def shards(root: Path, of: int, *job: str) -> list[Path]:
    """Every part of a job, each in a folder of its own."""
    folders = [root / f"part-{part}" for part in range(1, of + 1)]
    for part, folder in enumerate(folders, 1):
        assert run(*job, "--shard", f"{part}/{of}", out=folder).returncode == 0
    return folders


def without_clocks(root: Path) -> Path:
    """The same runs, with the clock readings of all conversations alike: no two runs have the same ones."""
    for path in root.glob(f"*/{TRANSCRIPTS}"):
        lines = [from_json(line, ArchiveLine) for line in path.read_bytes().splitlines()]
        path.write_bytes(
            b"".join(to_json(replace(one, started=1e9, seconds=1.0, clock=())) + b"\n" for one in lines)
        )
    return root


def pages(runs: Path, site: Path) -> dict[str, bytes]:
    assert sab("site", "build", runs, "--out", site, cwd=runs.parent).returncode == 0
    return {str(path.relative_to(site)): path.read_bytes() for path in site.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One job, run by one machine (`whole`) and by three."""
    root = tmp_path_factory.mktemp("job")
    assert run(*JOB, out=root / "whole").returncode == 0
    shards(root, 3, *JOB)
    return root


@pytest.fixture
def parts(job: Path, tmp_path: Path) -> list[Path]:
    """The three parts, to change."""
    return [shutil.copytree(job / f"part-{part}", tmp_path / f"part-{part}") for part in (1, 2, 3)]


def test_board_and_site_are_those_of_one_machine(job: Path, tmp_path: Path) -> None:
    merged, whole = tmp_path / "merged" / "runs", tmp_path / "whole" / "runs"
    assert not merge([job / f"part-{part}" for part in (3, 1, 2)], merged).missing
    shutil.copytree(job / "whole", whole)
    for root in (merged, whole):
        without_clocks(root)
    boards = [sab("board", "runs", "--json", cwd=root.parent).stdout for root in (merged, whole)]
    assert boards[0] == boards[1] and "trusting" in boards[0]
    one, other = (pages(root, root.parent / "site") for root in (merged, whole))
    assert one.keys() == other.keys()
    assert [name for name in one if one[name] != other[name]] == []


def test_a_part_says_what_it_is_a_part_of_and_is_no_board(job: Path) -> None:
    headers = [read_header(folder) for folder in find_runs([job / "part-2"])]
    assert {one.shard.shown for one in headers if one.shard} == {"part 2 of 3"}
    for command in (
        ("board", "part-2"),
        ("site", "build", "part-2"),
        ("compare", "trusting", "by-the-book", "part-1"),
    ):
        done = sab(*command, cwd=job)
        assert done.returncode == 2 and "sab merge" in done.stderr, command
    assert "part 2 of 3" in run(*JOB, "--shard", "2/3", "--display", "plain", out=job / "part-2").stderr
    [case, *_] = headers[0].cases
    assert sab("show", f"part-2/{headers[0].agent}-{headers[0].run}", case, cwd=job).returncode == 0


def test_a_part_is_resumed_as_the_part_it_is(job: Path, parts: list[Path]) -> None:
    assert run(*JOB, "--shard", "1/3", out=parts[0]).returncode == 0
    for other in (["--shard", "2/3"], [], ["--shard", "1/2"]):
        done = run(*JOB, *other, out=parts[0])
        assert done.returncode == 2 and "part 1 of 3" in done.stderr
    done = run(*JOB, "--runs", "3", "--shard", "1/3", out=parts[0])
    assert done.returncode == 2 and "another plan" in done.stderr


def test_what_is_missing_is_named_and_can_be_played_or_brought_later(
    parts: list[Path], tmp_path: Path
) -> None:
    out = tmp_path / "runs"
    done = sab("merge", parts[0], parts[2], "-o", out, cwd=tmp_path)
    assert done.returncode == 2 and "no run of part 2 of 3" in done.stdout
    lost = [case for folder in find_runs([parts[1]]) for case in read_header(folder).cases]
    assert all(f" {case}" in done.stdout for case in lost[:20])
    again = sab("merge", parts[1], "-o", out, cwd=tmp_path)
    assert again.returncode == 0, "what is there already counts as a part"
    assert sab("merge", *parts, "-o", out, cwd=tmp_path).returncode == 0, "and merging again changes nothing"
    played = tmp_path / "played"
    sab("merge", parts[0], "-o", played, cwd=tmp_path)
    assert run(*JOB, out=played).returncode == 0
    assert transcripts(played) == transcripts(out)


def transcripts(root: Path) -> dict[tuple[str, str], str]:
    return {
        (folder.name, one.transcript.case): one.digest
        for folder in find_runs([root])
        for one in read_transcripts(folder)
    }


def test_a_folder_of_parts_can_be_named(job: Path, parts: list[Path], tmp_path: Path) -> None:
    above = tmp_path / "all"
    for folder in parts:
        shutil.copytree(folder, above / folder.name)
    merge([above], tmp_path / "runs")
    assert transcripts(tmp_path / "runs") == transcripts(job / "whole")


@pytest.mark.parametrize(
    "changed",
    [
        {"world_digest": "0123456789abcdef"},
        {"package": "0.0.1"},
        {"seed": 7},
        {"customer": "another"},
        {"channel": "chat"},
        {"policy": "Another."},
    ],
)
def test_a_part_of_something_else_is_refused(
    parts: list[Path], tmp_path: Path, changed: dict[str, object]
) -> None:
    for folder in find_runs([parts[1]]):
        (folder / HEADER).write_bytes(header_bytes(replace(read_header(folder), **changed)))
    with pytest.raises(Problem) as found:
        merge(parts, tmp_path / "runs")
    assert found.value.place and parts[1] in Path(found.value.place).parents
    assert not (tmp_path / "runs").exists(), "nothing is written"


def test_a_part_of_another_job_is_refused(parts: list[Path], job: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    assert run(*JOB, "--runs", "1", "--shard", "2/3", out=other).returncode == 0
    with pytest.raises(Problem, match="of another job"):
        merge([parts[0], other, parts[2]], tmp_path / "runs")


def test_a_conversation_that_two_parts_tell_differently_is_refused(parts: list[Path], tmp_path: Path) -> None:
    [first, *_] = find_runs([parts[0]])
    twice = shutil.copytree(parts[0], tmp_path / "twice")
    assert merge([*parts, twice], tmp_path / "one").missing == [], "the same one twice counts once"
    path = twice / first.name / TRANSCRIPTS
    lines = [from_json(line, ArchiveLine) for line in path.read_bytes().splitlines()]
    talk = msgspec.json.decode(bytes(lines[0].transcript))
    talk["turns"][-1]["text"] += " Bye."
    body = msgspec.json.encode(talk)
    lines[0] = replace(lines[0], transcript=msgspec.Raw(body), digest=digest(body))
    path.write_bytes(b"".join(to_json(one) + b"\n" for one in lines))
    with pytest.raises(Problem, match="another conversation on"):
        merge([*parts, twice], tmp_path / "two")


def test_everything_else_of_a_run_is_kept(parts: list[Path], tmp_path: Path) -> None:
    """Attempts that were set aside and errors: nobody gets a better score by merging."""
    [first, *_] = find_runs([parts[0]])
    line = (first / TRANSCRIPTS).read_bytes().splitlines(keepends=True)[0]
    (first / BROKEN).write_bytes(line)
    case = from_json(bytes(from_json(line, ArchiveLine).transcript), Talk).case
    error = AgentError(case, 1, "agent_error", "ValueError", "no", "…")
    (first / "errors.jsonl").write_bytes(to_json(error) + b"\n")
    out = tmp_path / "runs"
    for _ in range(2):
        merge(parts, out)
        place = out / first.name
        assert (place / BROKEN).read_bytes() == line
        assert (place / "errors.jsonl").read_bytes().count(b"\n") == 1
        assert not (place / IN_FLIGHT).exists() and not (place / JUDGEMENTS).exists()


class Talk(msgspec.Struct):
    case: str


def test_what_a_log_saw_stored_and_is_gone_is_still_known(parts: list[Path], tmp_path: Path) -> None:
    [first, *_] = find_runs([parts[0]])
    kept = (first / TRANSCRIPTS).read_bytes().splitlines(keepends=True)
    lost = from_json(bytes(from_json(kept[0], ArchiveLine).transcript), Talk).case
    (first / TRANSCRIPTS).write_bytes(b"".join(kept[1:]))
    assert run(*JOB, "--shard", "1/3", out=parts[0]).returncode == 0, "played a second time"
    out = tmp_path / "runs"
    for _ in range(2):
        merge(parts, out)
        found = read_set_aside(
            out / first.name, [one for name, one in transcripts(out) if name == first.name]
        )
        assert [(one.case, one.why) for one in found] == [(lost, "gone")]
        assert (out / first.name / SET_ASIDE).read_bytes().count(b"\n") == 1


def test_a_part_with_damage_is_refused_by_file_and_line(parts: list[Path], tmp_path: Path) -> None:
    [first, *_] = find_runs([parts[0]])
    path = first / TRANSCRIPTS
    path.write_bytes(path.read_bytes().replace(b'"text":"', b'"text":"x', 1))
    with pytest.raises(Problem, match="does not match its digest"):
        merge(parts, tmp_path / "runs")
    assert not (tmp_path / "runs").exists()


def test_a_part_is_not_put_together_in_its_own_folder(parts: list[Path]) -> None:
    with pytest.raises(Problem, match="choose another folder"):
        merge(parts, parts[0])


def names(folders: Iterable[Path]) -> set[str]:
    return {folder.name for folder in folders}


def test_agents_of_one_job_may_have_been_run_apart(tmp_path: Path) -> None:
    """Whole runs of different agents are put together, too, if they are of one shop and seed."""
    for agent in ("oracle", "silent"):
        assert run(agent, "--set", "tracking", out=tmp_path / agent).returncode == 0
    merged = merge([tmp_path / "oracle", tmp_path / "silent"], tmp_path / "runs")
    assert names(find_runs([tmp_path / "runs"])) == {"oracle-1", "silent-1"} and not merged.missing


def test_a_part_in_which_an_agent_does_not_occur_is_missed_all_the_same(tmp_path: Path) -> None:
    """Each agent may be in one part only; the header knows how many conversations the whole job has."""
    job = ("oracle", "silent", "--set", "tracking-1")
    first, second = shards(tmp_path, 2, *job)
    done = sab("merge", first, "-o", tmp_path / "runs", cwd=tmp_path)
    assert done.returncode == 2 and "1 of 2 conversations" in done.stdout
    assert "no run of part 2 of 2" in done.stdout and "runs of which no part is named" in done.stdout
    assert sab("merge", first, second, "-o", tmp_path / "runs", cwd=tmp_path).returncode == 0


def test_a_place_without_a_run_is_named_and_the_rest_put_together(parts: list[Path], tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    done = sab("merge", *parts, empty, tmp_path / "nowhere", "-o", tmp_path / "runs", cwd=tmp_path)
    assert done.returncode == 2 and "no run in" in done.stdout and "nowhere" in done.stdout
    assert len(find_runs([tmp_path / "runs"])) == 4
    with pytest.raises(Problem, match="holds no runs"):
        merge([empty], tmp_path / "other")


def lines_of(path: Path) -> list[ArchiveLine]:
    return [from_json(line, ArchiveLine) for line in path.read_bytes().splitlines()] if path.exists() else []


def write_lines(path: Path, lines: Iterable[ArchiveLine]) -> None:
    path.write_bytes(b"".join(to_json(one) + b"\n" for one in lines))


def case_of(line: ArchiveLine) -> str:
    return from_json(bytes(line.transcript), Talk).case


@pytest.mark.parametrize("first", [0, 1])
def test_no_copy_of_a_part_makes_an_unsafe_act_forgotten(
    parts: list[Path], job: Path, tmp_path: Path, first: int
) -> None:
    """In one copy of a part it was carried out before a kill; in another one the case went well."""
    unsafe, run = next(
        (line, folder)
        for folder in find_runs(parts)
        for line, filed in zip(lines_of(folder / TRANSCRIPTS), read_transcripts(folder), strict=True)
        if score(filed, read_header(folder)).outcome.unsafe
    )
    kept, name = lines_of(run / TRANSCRIPTS), run.name.replace("trusting", "by-the-book")
    careful = {case_of(line): line for line in lines_of(job / "whole" / name / TRANSCRIPTS)}
    other = shutil.copytree(run.parent, tmp_path / "copy")
    write_lines(run / TRANSCRIPTS, [one for one in kept if one != unsafe])
    write_lines(run / IN_FLIGHT, [unsafe])
    better = [careful[case_of(one)] if one == unsafe else one for one in kept]
    write_lines(other / run.name / TRANSCRIPTS, better)
    both, rest = [run.parent, other], [one for one in parts if one != run.parent]
    out = tmp_path / "runs"
    for _ in range(2):
        assert merge([both[first], both[1 - first], *rest], out).is_whole
        stored = {case_of(one): one.digest for one in lines_of(out / run.name / TRANSCRIPTS)}
        assert stored[case_of(unsafe)] == unsafe.digest
        aside = [one.digest for one in lines_of(out / run.name / BROKEN)]
        assert aside == [careful[case_of(unsafe)].digest] and not lines_of(out / run.name / IN_FLIGHT)


def test_what_broke_off_outside_is_missing_and_can_be_finished(parts: list[Path], tmp_path: Path) -> None:
    """A part that ended early is merged, finished, and merged again."""
    [run] = [one for one in find_runs([parts[0]]) if one.name == "by-the-book-1"]
    whole, out = lines_of(run / TRANSCRIPTS), tmp_path / "runs"
    talk = msgspec.json.decode(bytes(whole[0].transcript))
    talk["turns"], talk["ending"] = (
        talk["turns"][:1],
        {"kind": "broke", "cause": "provider_error", "detail": "503"},
    )
    body = msgspec.json.encode(talk)
    failed = replace(whole[0], transcript=msgspec.Raw(body), digest=digest(body))
    write_lines(run / TRANSCRIPTS, [failed, *whole[1:]])
    done = sab("merge", *parts, "-o", out, cwd=tmp_path)
    assert done.returncode == 2 and f"missing: {run.name} {case_of(failed)}" in done.stdout
    write_lines(run / TRANSCRIPTS, whole)
    write_lines(run / BROKEN, [failed])
    for _ in range(2):
        assert merge(parts, out).is_whole
        assert [one.digest for one in lines_of(out / run.name / BROKEN)] == [failed.digest]


def test_starting_over_as_parts_does_not_hide_earlier_attempts(tmp_path: Path) -> None:
    out, job = tmp_path / "runs", ("trusting", "--set", "vip_skip")
    assert run(*job, out=out).returncode == 0
    assert run(*job, "--fresh", "--shard", "1/1", out=out).returncode == 0
    merge([out], tmp_path / "merged")
    place = tmp_path / "merged" / "trusting-1"
    stored = read_header(place).cases
    for _ in range(2):
        assert [one.why for one in read_set_aside(place, stored)] == ["fresh"] * len(stored)
        merge([tmp_path / "merged"], tmp_path / "merged")


def test_a_merge_in_the_folder_above_the_parts_is_refused(parts: list[Path], tmp_path: Path) -> None:
    with pytest.raises(Problem, match="choose another"):
        merge(parts, tmp_path)


def test_nobody_writes_to_the_result_meanwhile(parts: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "runs"
    merge(parts[:1], out)
    [place, *_] = find_runs([out])
    with lock_folder(place), pytest.raises(Problem, match="being written"):
        merge(parts, out)
    [part, *_] = find_runs([parts[1]])
    with lock_folder(part), pytest.raises(Problem, match="being written"):
        merge(parts, out)


def test_damage_in_any_file_is_found_before_anything_is_written(parts: list[Path], tmp_path: Path) -> None:
    (find_runs([parts[2]])[-1] / "errors.jsonl").write_bytes(b"{]\n")
    with pytest.raises(Problem):
        merge(parts, tmp_path / "runs")
    assert not (tmp_path / "runs").exists()
