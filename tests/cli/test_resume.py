"""`sab tickets resume`: from an import and a desk map to people and agents side by side."""

import json
from pathlib import Path

import pytest

from commands import sab
from real_tickets import customer, desk, did, imported, map_file, ticket
from supportagentbench.storage.archive import begun_in

CANCEL = customer("Please cancel my order #4711.")
KNOWN = 't-1: {subject: "#4711", facts: {stage: unfulfilled}}'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with an import of two tickets, one of them about something else, and a map."""
    stops = ticket(desk("Hello!"), CANCEL, did("stop order"), desk("Done."))
    imported(tmp_path / "tickets", stops, ticket(CANCEL, id="t-2", kind="weather"))
    map_file(tmp_path / "map.yaml", KNOWN)
    return tmp_path


RESUME = ("tickets", "resume", "tickets", "oracle", "silent", "--map", "map.yaml", "-o", "out")


def test_what_was_done_is_counted_and_kept(folder: Path) -> None:
    done = sab(*RESUME, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "left out, 1 ×: the map does not say what its customer asks for" in done.stderr
    assert "1 ticket of 2 resumed" in done.stderr
    week = json.loads((folder / "out" / "week.json").read_text())
    (one,) = week["resumed"]
    assert (one["ticket"], one["judged"]["right"]) == ("t-1", True)
    assert [made["difference"] for made in one["tries"]] == ["same", "other"]
    assert len(begun_in(folder / "out" / "runs")) == 2


def test_the_same_command_again_plays_nothing_and_says_the_same(folder: Path) -> None:
    sab(*RESUME, cwd=folder)
    before = (folder / "out" / "week.json").read_bytes()
    again = sab(*RESUME, cwd=folder)
    assert again.returncode == 0, again.stderr
    assert (folder / "out" / "week.json").read_bytes() == before
    assert len(begun_in(folder / "out" / "runs")) == 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("nowhere", "oracle", "--map", "map.yaml"), "nowhere"),
        (("tickets", "oracle", "--map", "none.yaml"), "none.yaml: there is no such file"),
        (("tickets", "oracle"), "--map"),
        (("tickets", "orakel", "--map", "map.yaml"), "orakel"),
        (("tickets", "oracle", "--map", "map.yaml", "--world", "nowhere"), "nowhere"),
        (("tickets", "oracle", "--map", "map.yaml", "--runs", "0"), "runs"),
    ],
)
def test_what_is_typed_wrongly_is_one_sentence(folder: Path, words: tuple[str, ...], told: str) -> None:
    done = sab("tickets", "resume", *words, "-o", "out", cwd=folder)
    assert done.returncode == 2 and told in done.stderr and "Traceback" not in done.stderr
    assert not (folder / "out").exists()


def test_a_wrong_field_of_the_map_is_named_with_its_line(folder: Path) -> None:
    map_file(folder / "map.yaml", KNOWN.replace("unfulfilled", "unshipped"))
    done = sab(*RESUME, cwd=folder)
    assert done.returncode == 2
    assert " ".join(done.stderr.split()).startswith("sab: map.yaml:9: there is no value of stage 'unshipped'")


def test_runs_of_another_map_are_kept_and_not_counted(folder: Path) -> None:
    sab(*RESUME, cwd=folder)
    map_file(folder / "map.yaml", KNOWN.replace("unfulfilled", "shipped"))
    done = sab(*RESUME, cwd=folder)
    assert done.returncode == 0 and "other tickets or another map: oracle-1, silent-1" in " ".join(
        done.stderr.split()
    )
    (one,) = json.loads((folder / "out" / "week.json").read_text())["resumed"]
    assert [made["run"] for made in one["tries"]] == [2, 2]
    assert len(begun_in(folder / "out" / "runs")) == 4
