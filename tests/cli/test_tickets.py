"""The commands `sab import`, from an export to approved tickets, and `sab tickets`, on an import."""

import json
import stat
from pathlib import Path

import pytest

from commands import sab
from own_desk import HANDBOOK, MAP_FILE

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


LOG = [
    {"role": "system", "content": "You are the desk of a shop for hats."},
    {"role": "user", "content": "Hello, where is my order? Please tell me."},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c", "function": {"name": "find_order", "arguments": "{}"}}],
    },
    {
        "role": "tool",
        "tool_call_id": "c",
        "content": json.dumps({"total": 39.9, "at": "2026-03-02T09:00:00Z"}),
    },
    {"role": "assistant", "content": "<think>The total.</think> It cost $12, and I've cancelled it."},
]


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An imported log of an agent, with a map and a handbook beside it."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "log.jsonl").write_text(json.dumps({"id": "1", "messages": LOG}) + "\n")
    (tmp_path / "map.yaml").write_text(MAP_FILE)
    (tmp_path / "handbook.md").write_text(HANDBOOK)
    assert sab("import", "openai-chat", "log.jsonl", "-o", "log", cwd=tmp_path).returncode == 0
    return tmp_path


def test_an_agents_log_is_scored(log: Path) -> None:
    words = ("log", "--map", "map.yaml", "--policy", "handbook.md", "-o", "scored")
    done = sab("tickets", "score", *words, cwd=log)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Bots: 1 of 1") and "Made-up amounts" in done.stdout
    path = log / "scored" / "score.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    found = {one["check"]: one["standing"] for one in json.loads(path.read_text())["findings"]}
    assert found == {
        "ungrounded_amount": "counted",
        "leaked_reasoning": "counted",
        "phantom_action": "to_check",
    }
    plain = sab("tickets", "score", *words, "--json", cwd=log)
    assert json.loads(plain.stdout) == json.loads(path.read_text())


def test_without_a_map_and_a_policy_it_says_what_it_cannot_see(log: Path) -> None:
    done = sab("tickets", "score", "log", cwd=log)
    told = " ".join(done.stdout.split())
    assert done.returncode == 0 and "no map says which acts change something; add --map (bots)" in told
    assert "no policy was given; add --policy" in told and not (log / "scored").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("none",), "no such file"),
        (("log", "--map", "none.yaml"), "no such file"),
        (("log", "--policy", "none.md"), "no such file"),
        (("log", "--world", "northline_ladder"), "add --map"),
        (("log", "--map", "map.yaml", "--world", "nowhere"), "nowhere"),
        (("log", "--map", "handbook.md"), "handbook.md"),
        (("log", "-o", "map.yaml"), "map.yaml"),
    ],
)
def test_a_score_that_was_asked_for_wrongly_is_one_sentence(
    log: Path, words: tuple[str, ...], told: str
) -> None:
    done = sab("tickets", "score", *words, cwd=log)
    assert done.returncode == 2 and told in done.stderr and "Traceback" not in done.stderr
