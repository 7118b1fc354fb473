"""The audit as a command of the repository: printed, as JSON, as pages; a wrong file is a sentence."""

import json
import runpy
import sys
from pathlib import Path

import pytest

from studies.published import SHIPPED


def audited(*words: str | Path, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sys, "argv", ["audit", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("studies.published", run_name="__main__")
    return int(ended.value.code or 0)


def test_the_shipped_board_is_audited(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert audited("--json", monkeypatch=monkeypatch) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["record"], found["rows"], len(found["claims"])) == ("audit/2", 24, 36)


def test_its_pages_need_no_runs_and_lead_to_no_conversation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert audited(SHIPPED, "--site", tmp_path / "site", monkeypatch=monkeypatch) == 0
    assert (tmp_path / "site" / "audit.html").is_file()
    page = (tmp_path / "site" / "index.html").read_text()
    assert "Adelante" in page
    assert "reader.html" not in page


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "there is no such file"), ("no", "is not valid JSON"), ("[]", "docs/audit.md")],
)
def test_a_wrong_file_is_a_sentence(
    content: str | None,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "board\x1b[31m.json"
    if content is not None:
        path.write_text(content)
    assert audited(path, monkeypatch=monkeypatch) == 2
    said = capsys.readouterr().err
    assert words in said and len(said.splitlines()) == 1 and "\x1b" not in said
