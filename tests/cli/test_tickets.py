"""The command `sab import`, from an export to tickets that a person has approved."""

import json
from pathlib import Path

import pytest

from commands import sab

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
