"""The commands `sab tickets week`, from an export to a page, and `sab tickets page`."""

from pathlib import Path

import pytest

from commands import Done, sab
from supportagentbench import tickets

EXAMPLE = Path(tickets.__file__).parent / "example"
EXPORT = EXAMPLE / "zendesk.json"


@pytest.fixture(autouse=True)
def own_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def week_of(export: Path, cwd: Path) -> Done:
    agent = ("-a", "silent", "--map", EXAMPLE / "map.yaml", "-o", "out", "--customer", "scripted", "--yes")
    return sab("tickets", "week", "zendesk", export, *agent, "--display", "plain", cwd=cwd)


def test_one_command_leads_from_an_export_to_a_page(tmp_path: Path) -> None:
    done = week_of(EXPORT, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "30 tickets, pseudonymised" in done.stdout and "sab import --review out/tickets" in done.stdout
    assert {"tickets", "runs", "week.json", "week.html"} <= {one.name for one in (tmp_path / "out").iterdir()}
    again = week_of(EXPORT, tmp_path)
    assert again.returncode == 0 and "30 tickets, as imported on" in again.stdout


def test_another_export_does_not_take_the_place_of_the_first(tmp_path: Path) -> None:
    assert week_of(EXPORT, tmp_path).returncode == 0
    other = tmp_path / "other.json"
    other.write_bytes(EXPORT.read_bytes() + b"\n")
    done = week_of(other, tmp_path)
    assert done.returncode == 2 and "has the tickets of another export" in done.stderr


def test_a_page_is_written_again(tmp_path: Path) -> None:
    week_of(EXPORT, tmp_path)
    page = tmp_path / "out" / "week.html"
    before = page.read_bytes()
    page.unlink()
    done = sab("tickets", "page", "out", cwd=tmp_path)
    assert done.stdout == "out/week.html\n" and page.read_bytes() == before
