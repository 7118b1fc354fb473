"""The commands on exports and imports: `sab import`, and `sab tickets week` from an export to a page."""

import json
from pathlib import Path

import pytest

from commands import Done, sab
from supportagentbench import tickets

ROWS = (
    {
        "no": "77120",
        "who": "customer",
        "text": "I am Zebulon Quillford, of 77120",
        "name": "Zebulon Quillford",
    },
    {"no": "77120", "who": "human", "text": "Hello Zebulon, ask for Marguerite."},
)


@pytest.fixture
def export(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    path = tmp_path / "export.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


MAP = "--columns=ticket=no,who=who,text=text,name=name,customer=customer,human=human"


def test_an_export_is_pseudonymised_and_counted(export: Path, tmp_path: Path) -> None:
    done = sab("import", "jsonl", export, MAP, "-o", "out", "--rights", "ours", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (
        "out: 1 ticket, pseudonymised (2 message)" in done.stdout and "sab import --review out" in done.stdout
    )
    assert "anonym" not in done.stdout
    stored = (tmp_path / "out" / "tickets.jsonl").read_text()
    assert "Zebulon" not in stored and "77120" not in stored and "Quillford" not in stored
    assert json.loads((tmp_path / "out" / "import.json").read_text())["rights"] == "ours"
    again = sab("import", "jsonl", export, MAP, "-o", "out", cwd=tmp_path)
    assert again.returncode == 2 and "is not empty" in again.stderr


def test_the_check_writes_nothing_and_fails_if_something_is_left(export: Path, tmp_path: Path) -> None:
    done = sab("import", "jsonl", export, MAP, "--check", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Names in fields of people: all caught." in done.stdout and not (tmp_path / "out").exists()
    sab("import", "jsonl", export, MAP, "-o", "out", cwd=tmp_path)
    assert sab("import", "jsonl", export, MAP, "--check", "-o", "out", cwd=tmp_path).returncode == 0
    path = tmp_path / "out" / "tickets.jsonl"
    path.write_text(path.read_text().replace("I am ", "I am Zebulon Quillford, jo@web.de, "))
    done = sab("import", "jsonl", export, MAP, "--check", "-o", "out", cwd=tmp_path)
    assert done.returncode == 1 and "1 × e-mail address" in done.stdout and "1 × value" in done.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "give a format and the files"),
        (("jsonl",), "give a format and the files"),
        (("jsonl", "export.jsonl"), "give a new folder"),
        (("zendsk", "export.jsonl", "-o", "out"), "zendesk"),
        (("--review", "none"), "no such file"),
        (("jsonl", "export.jsonl", "--review", "none"), "and nothing else"),
    ],
)
def test_what_is_typed_wrongly_is_one_sentence(
    export: Path, tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    done = sab("import", *words, cwd=tmp_path)
    assert done.returncode == 2 and told in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


def test_there_is_no_way_to_approve_all_at_once(export: Path, tmp_path: Path) -> None:
    assert sab("import", "--review", "out", "--approve-all", cwd=tmp_path).returncode == 2


EXAMPLE = Path(tickets.__file__).parent / "example"


def week_of(*words: str | Path, cwd: Path) -> Done:
    agent = ("-a", "silent", "--map", EXAMPLE / "map.yaml", "-o", "out", "--customer", "scripted", "--yes")
    return sab("tickets", "week", *words, *agent, "--display", "plain", cwd=cwd)


def test_one_command_leads_from_an_export_to_a_page(export: Path, tmp_path: Path) -> None:
    done = week_of("zendesk", EXAMPLE / "zendesk.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "30 tickets, pseudonymised" in done.stdout and "sab import --review out/tickets" in done.stdout
    assert {"tickets", "runs", "week.json", "week.html"} <= {one.name for one in (tmp_path / "out").iterdir()}
    again = week_of("zendesk", EXAMPLE / "zendesk.json", cwd=tmp_path)
    assert again.returncode == 0 and "30 tickets, as imported on" in again.stdout


def test_another_export_does_not_take_the_place_of_the_first(export: Path, tmp_path: Path) -> None:
    assert week_of("zendesk", EXAMPLE / "zendesk.json", cwd=tmp_path).returncode == 0
    other = tmp_path / "other.json"
    other.write_bytes((EXAMPLE / "zendesk.json").read_bytes() + b"\n")
    done = week_of("zendesk", other, cwd=tmp_path)
    assert done.returncode == 2 and "has the tickets of another export" in done.stderr


def test_a_page_is_written_again(export: Path, tmp_path: Path) -> None:
    week_of("zendesk", EXAMPLE / "zendesk.json", cwd=tmp_path)
    page = tmp_path / "out" / "week.html"
    before = page.read_bytes()
    page.unlink()
    done = sab("tickets", "page", "out", cwd=tmp_path)
    assert done.stdout == "out/week.html\n" and page.read_bytes() == before
