"""Shadow: what is printed at the end, and what is stored."""

import stat
from pathlib import Path

import pytest

from commands import sab
from recorded import made_once
from shadow_tickets import AGENTS, imported, played


@pytest.fixture(scope="module")
def folder() -> Path:
    return made_once("shadow-week", played)


def test_it_says_where_the_page_is_what_is_left_out_and_what_is_hidden(folder: Path) -> None:
    printed = " ".join((folder / "printed.txt").read_text().split())
    assert "the page is out/week.html; it opens by a double click" in printed
    assert "left out, 1 ×: spam." in printed and "2 tickets left out, for the reasons above." in printed
    assert "14 tickets not approved, so doubtful words in them are hidden" in printed
    assert "sab import --review tickets" in printed


def test_only_the_user_can_read_the_record_and_the_page(folder: Path) -> None:
    for name in ("week.json", "week.html"):
        assert stat.S_IMODE((folder / "out" / name).stat().st_mode) == 0o600


def test_runs_of_other_tickets_are_named_and_not_counted(tmp_path: Path) -> None:
    imported(tmp_path / "tickets")
    words = ("tickets", "resume", "tickets", AGENTS[0], "-o", "out", "--yes", "--customer", "scripted")
    first = sab(*words, "--map", "tickets.yaml", "--display", "plain", cwd=tmp_path)
    assert first.returncode == 0 and "not counted" not in first.stderr
    other = (tmp_path / "tickets.yaml").read_text().replace("claims: few", "claims: many", 1)
    (tmp_path / "other.yaml").write_text(other)
    again = sab(*words, "--map", "other.yaml", "--display", "plain", cwd=tmp_path)
    assert again.returncode == 0
    assert "not counted, because made with other tickets or another map" in " ".join(again.stderr.split())
