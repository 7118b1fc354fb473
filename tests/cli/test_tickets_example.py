"""The commands on tickets as docs/tickets.md prints them, on the shipped example."""

import json
from collections import Counter
from pathlib import Path

import pytest

from commands import Done, sab
from supportagentbench.world.family import read_family
from supportagentbench.world.folder import read_world


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the example and its keys."""
    folder = tmp_path_factory.mktemp("own")
    done = sab("tickets", "example", "example", cwd=folder, XDG_CONFIG_HOME=str(folder / "config"))
    assert done.returncode == 0, done.stderr
    return folder


def on(home: Path, *words: str, map_file: str = "example/map.yaml") -> Done:
    return sab(*words, "--map", map_file, cwd=home, XDG_CONFIG_HOME=str(home / "config"))


def test_an_import_of_ones_own_is_resumed_by_the_desks_own_numbers(home: Path) -> None:
    """Also without approval: then hidden words are said to be hidden."""
    made = sab(
        "import", "zendesk", "example/zendesk.json", "-o", "mine", cwd=home, XDG_CONFIG_HOME=str(home / "c")
    )
    assert made.returncode == 0 and "30 tickets, pseudonymised" in made.stdout
    words = ("tickets", "resume", "mine", "oracle", "--map", "example/map.yaml", "-o", "mine-week")
    done = sab(*words, cwd=home, XDG_CONFIG_HOME=str(home / "c"))
    assert done.returncode == 0, done.stderr
    assert "27 tickets of 30 resumed" in done.stderr and "27 tickets not approved" in done.stderr
    assert "left out, 1 ×: spam." in done.stderr


def test_the_perfect_colleague_is_wrong_in_none_of_them(home: Path) -> None:
    done = on(home, "tickets", "resume", "example/tickets", "oracle", "-o", "week")
    assert done.returncode == 0 and "not approved" not in done.stderr
    week = json.loads((home / "week" / "week.json").read_text())
    agents = Counter(one["judged"].get("right") for ticket in week["resumed"] for one in ticket["tries"])
    people = Counter(ticket["judged"].get("right") for ticket in week["resumed"])
    assert agents == {True: 26, None: 1}
    assert people == {True: 12, False: 12, None: 3}


def test_the_mix_is_printed_with_counts_and_becomes_that_of_the_board(home: Path) -> None:
    done = on(home, "tickets", "mix", "example/tickets")
    assert done.returncode == 0, done.stderr
    assert "27 tickets with a case type" in done.stdout and "no case type, 1 ×: spam" in done.stdout
    assert json.loads((home / "mix.json").read_text())["title"] == "Your tickets (27 of 30)"
    assert (
        sab("run", "oracle", "--set", "damaged_no_proof,tracking", "--out", "runs", cwd=home).returncode == 0
    )
    (home / "sab.toml").write_text('[desk]\nmix = "mix.json"\n')
    board = sab("board", "runs", cwd=home)
    assert board.returncode == 0, board.stderr
    (home / "sab.toml").unlink()
    assert sab("board", "runs", "--at-desk", "mix=mix.json", cwd=home).stdout == board.stdout
    assert sab("board", "runs", cwd=home).stdout != board.stdout


def test_an_incident_is_replayed_and_kept(home: Path) -> None:
    words = ("tickets", "incident", "example/tickets", "50430", "stale", "-o", "incident", "--replays", "4")
    done = on(home, *words)
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stderr.split())
    assert "what went wrong then: not handed over, which the policy requires." in said
    assert "stale did it again in" in said and "of 4 replays" in said
    assert "a case for a human, proved in 21 draws, with a twin in which age=open." in said
    (path,) = (home / "incident").glob("*.yaml")
    assert read_family(path, read_world("northline").policy).bucket == "must_escalate"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("mix", "example/none"), "no such file"),
        (("incident", "example/tickets", "7", "oracle", "-o", "x"), "no ticket of the import is called '7'"),
        (
            ("incident", "example/tickets", "50411", "oracle", "-o", "x"),
            "the policy finds nothing wrong in t-",
        ),
        (("incident", "example/tickets", "50439", "oracle", "-o", "x"), "cannot be resumed: spam"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(home: Path, words: tuple[str, ...], told: str) -> None:
    done = on(home, "tickets", *words)
    assert done.returncode == 2 and told in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr and not (home / "x").exists()


def test_words_that_nobody_has_read_are_not_put_into_a_case(home: Path) -> None:
    config = str(home / "unread")
    sab("import", "zendesk", "example/zendesk.json", "-o", "unread-import", cwd=home, XDG_CONFIG_HOME=config)
    words = (
        "tickets",
        "incident",
        "unread-import",
        "50424",
        "hasty",
        "--map",
        "example/map.yaml",
        "-o",
        "unread",
    )
    done = sab(*words, cwd=home, XDG_CONFIG_HOME=config)
    assert done.returncode == 2
    assert "has hidden words; approve it first: sab import --review unread-import" in " ".join(
        done.stderr.split()
    )
