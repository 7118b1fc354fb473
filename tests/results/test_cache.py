"""Scores are kept while run and code are the same, and never believed when anything is different."""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from conversations import HEADER as TEST_HEADER
from filed import FEW, failed, file_run, solved
from judges import filed
from supportagentbench.records.finding import Finding
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Run
from supportagentbench.results import cache, load
from supportagentbench.results.cache import (
    NOTHING,
    SCORING_ROOMS,
    KnownScores,
    Score,
    ScoreKey,
    forget_everything,
    known_scores,
    packed,
    score_key,
    unpacked,
)
from supportagentbench.results.load import ScoredRun, load_conversations, load_run, load_runs
from supportagentbench.storage.archive import HEADER, read_header
from supportagentbench.storage.transcripts import TRANSCRIPTS, Filed, read_transcripts


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of this test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "supportagentbench" / "scores"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return file_run(tmp_path / "runs", "steady", 1, map(failed, FEW))


@pytest.fixture
def scored(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The cases that were scored since the last look."""
    found: list[str] = []
    real = load.score_conversation

    def noted(filed: Filed, header: Run) -> Score:
        found.append(filed.transcript.case)
        return real(filed, header)

    monkeypatch.setattr(load, "score_conversation", noted)
    return found


def the_file(place: Path) -> Path:
    [path] = place.iterdir()
    return path


def fresh(folder: Path) -> ScoredRun:
    """The run as it is scored without any cache."""
    found = list(load_conversations(folder, fresh=True))
    judgements = tuple(judgement for one in found for judgement in one.judgements)
    return ScoredRun(read_header(folder), [one.verdict for one in found], judgements)


def test_a_conversation_is_scored_once(folder: Path, scored: list[str]) -> None:
    first = load_run(folder)
    assert scored == list(FEW)
    scored.clear()
    assert load_run(folder) == first == fresh(folder)._replace(judgements=first.judgements)
    assert scored == list(FEW), "only the fresh reading scores again"


def test_pages_and_boards_share_what_was_scored(folder: Path, scored: list[str]) -> None:
    pages = list(load_conversations(folder))
    board = load_run(folder)
    assert scored == list(FEW)
    assert [one.verdict for one in pages] == board.verdicts
    assert list(load_conversations(folder)) == pages and scored == list(FEW)


def test_a_reading_that_stops_half_way_keeps_nothing(folder: Path, place: Path) -> None:
    next(load_conversations(folder))
    assert not place.exists()


def test_nothing_is_written_beside_the_run(folder: Path, place: Path) -> None:
    before = sorted(folder.iterdir())
    load_run(folder)
    assert sorted(folder.iterdir()) == before and the_file(place)


def test_of_a_run_that_grew_only_the_new_conversations_are_decoded_and_scored(
    folder: Path, scored: list[str]
) -> None:
    whole = load_run(folder)
    lines = (folder / TRANSCRIPTS).read_bytes().splitlines(keepends=True)
    (folder / TRANSCRIPTS).write_bytes(b"".join(lines[:2]))
    load_run(folder)
    scored.clear()
    (folder / TRANSCRIPTS).write_bytes(b"".join(lines))
    assert load_run(folder) == whole
    assert scored == list(FEW[2:])


def test_another_header_is_scored_again(folder: Path, scored: list[str]) -> None:
    load_run(folder)
    (folder / HEADER).write_bytes(msgspec.json.encode(replace(read_header(folder), policy="No rules.")))
    load_run(folder)
    assert scored == [*FEW, *FEW]


def test_an_edited_or_doubled_line_is_named_whatever_is_cached(folder: Path) -> None:
    load_run(folder)
    lines = (folder / TRANSCRIPTS).read_bytes().splitlines(keepends=True)
    (folder / TRANSCRIPTS).write_bytes(b"".join([*lines, lines[1]]))
    with pytest.raises(Problem, match=rf"transcripts\.jsonl:5: has the conversation {FEW[1]} twice"):
        load_run(folder)
    (folder / TRANSCRIPTS).write_bytes(b"".join(lines).replace(b"customer", b"Customer", 1))
    with pytest.raises(Problem, match=r"transcripts\.jsonl:1: was changed after it was written"):
        load_run(folder)


def test_other_code_scores_again(folder: Path, scored: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    load_run(folder)
    monkeypatch.setattr(cache, "scoring_digest", lambda: "a later version")
    load_run(folder)
    assert scored == [*FEW, *FEW]


@pytest.mark.parametrize("harm", ["torn", "flipped", "empty", "foreign", "folder"])
def test_a_damaged_file_is_scored_again(folder: Path, place: Path, scored: list[str], harm: str) -> None:
    first = load_run(folder)
    path = the_file(place)
    data = path.read_bytes()
    middle = len(data) // 2
    if harm == "folder":
        path.unlink()
        path.mkdir()
    else:
        path.write_bytes(
            {
                "torn": data[:middle],
                "flipped": data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :],
                "empty": b"",
                "foreign": b"PK\x03\x04" * 100,
            }[harm]
        )
    assert load_run(folder) == first
    assert scored == [*FEW, *FEW]


def test_a_sealed_file_of_another_shape_is_no_cache() -> None:
    score = Score(load.score_conversation(*_one()).verdict, None)
    key = ScoreKey("code and header", "transcripts")
    good = packed(key, [score])
    assert unpacked(good, key) == KnownScores([score], True)
    assert unpacked(good, replace(key, made_from="more transcripts")) == KnownScores([score], False)
    assert unpacked(good, replace(key, made_by="other code")) == NOTHING
    stored = msgspec.msgpack.decode(good[32:])
    changes: tuple[dict[str, object], ...] = (
        {"findings_of": [[10_000]]},
        {"findings_of": []},
        {"scores": [1]},
        {"extra": 1},
    )
    for change in changes:
        body = msgspec.msgpack.encode(stored | change)
        assert unpacked(hashlib.sha256(body).digest() + body, key) == NOTHING, change


def _one() -> tuple[Filed, Run]:
    return filed(solved(FEW[0])), TEST_HEADER


def test_scores_that_a_stranger_puts_into_a_run_are_not_read(folder: Path, place: Path) -> None:
    honest = load_run(folder)
    forged = [
        Score(replace(verdict, findings=(Finding("held", True, "trust me"),)), None)
        for verdict in honest.verdicts
    ]
    shutil.rmtree(place)
    for name in ("scores.msgpack", the_name_of(folder)):
        (folder / name).write_bytes(packed(score_key(folder), forged))
    assert load_run(folder) == honest


def the_name_of(folder: Path) -> str:
    return cache._place(folder).name


def test_where_nothing_can_be_written_there_is_no_cache(
    folder: Path, tmp_path: Path, scored: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert load_run(folder) == load_run(folder)
    assert scored == [*FEW, *FEW]


def test_a_run_that_grows_meanwhile_is_not_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = ScoreKey("code", "before"), ScoreKey("code", "after")
    keys = iter([before, before, after])
    monkeypatch.setattr(load, "score_key", lambda _: next(keys))
    load_run(folder)
    assert known_scores(folder, before) == NOTHING


def test_runs_scored_side_by_side_are_the_same(tmp_path: Path, place: Path) -> None:
    for run in (1, 2, 3):
        file_run(tmp_path / "runs", "steady", run, map(solved if run % 2 else failed, FEW[:2]))
    together = load_runs([tmp_path / "runs"], processes=2)
    assert len(list(place.iterdir())) == 3
    shutil.rmtree(place)
    assert load_runs([tmp_path / "runs"]) == together


def test_the_digest_covers_every_module_that_scores() -> None:
    listing = (
        "import sys, supportagentbench.checks, supportagentbench.judges.rule_judge\n"
        "print(*(name for name in sys.modules if name.startswith('supportagentbench.')))"
    )
    names = subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True, check=True).stdout
    rooms = {name.split(".")[1] for name in names.split()}
    assert rooms <= set(SCORING_ROOMS), "a room that scores is left out of the digest"


def test_the_digest_follows_code_and_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "package"
    for room in SCORING_ROOMS:
        (package / room).mkdir(parents=True)
    (package / "checks" / "table.yaml").write_text("a: 1")
    monkeypatch.setattr(cache, "PACKAGE", package)
    digest = cache.scoring_digest.__wrapped__
    first = digest()
    (package / "checks" / "table.yaml").write_text("a: 2")
    second = digest()
    (package / "records" / "more.py").write_text("")
    third = digest()
    (package / "records" / "more.pyc").write_bytes(b"compiled")
    assert len({first, second, third}) == 3 and digest() == third


def test_transcripts_are_read_whatever_is_cached(folder: Path) -> None:
    load_run(folder)
    assert [one.filed for one in load_conversations(folder)] == list(read_transcripts(folder))


def test_everything_is_dropped_and_no_link_is_followed(folder: Path, place: Path, tmp_path: Path) -> None:
    load_run(folder)
    mine = tmp_path / "mine"
    (mine / "inside").mkdir(parents=True)
    pages = place.with_name("pages")
    (pages / "one" / "data").mkdir(parents=True)
    (pages / "two.draft").mkdir()
    (pages / "link").symlink_to(mine)
    place.with_name("more").symlink_to(mine)
    place.with_name("file").touch()
    forget_everything()
    assert known_scores(folder, score_key(folder)) == NOTHING
    assert sorted(one.name for one in place.parent.rglob("*")) == ["pages", "scores", "two.draft"]
    assert (mine / "inside").is_dir()
    place.parent.rename(tmp_path / "elsewhere")
    place.parent.symlink_to(tmp_path / "elsewhere")
    forget_everything()
    assert not place.parent.is_symlink() and (tmp_path / "elsewhere" / "scores").is_dir()
    forget_everything()


def test_if_something_cannot_be_dropped_that_is_said(
    place: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_run(folder)

    def refuse(path: Path, target: Path) -> Path:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(Problem, match=r"cannot be emptied \(Permission denied\).*; delete it"):
        forget_everything()


def test_without_a_place_there_is_nothing_to_drop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path / "file", tmp_path / "none"):
        monkeypatch.setenv("XDG_CACHE_HOME", str(place))
        forget_everything()
