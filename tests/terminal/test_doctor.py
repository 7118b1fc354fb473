"""The doctor: says what is there, and keeps every secret."""

from pathlib import Path

import pytest

from boards import read_aloud
from supportagentbench.terminal.doctor import checkup


def test_keys_are_named_and_never_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    monkeypatch.delenv("MISTRAL_API_KEY", raising=False)
    text = read_aloud(checkup(tmp_path / "not" / "yet"))
    rows = {" ".join(line.split()[1:4]): line.split()[0] for line in text.splitlines() if "key for" in line}
    assert rows["key for openai"] == "yes" and rows["key for mistral"] == "no"
    assert "secret" not in text
    for word in ("python", "genai-prices", "extra local", "browser", "GB free"):
        assert word in text


def test_the_config_is_shown_value_by_value_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sab.toml").write_text('[run]\nruns = 3\n[gate]\nbaseline = "b.json"\nunsafe = "no new"')
    lines = [line.split() for line in read_aloud(checkup(tmp_path)).splitlines()]
    rows = {words[1]: words for words in lines if len(words) > 2}
    assert rows["run.runs"] == ["yes", "run.runs", "3"]
    assert rows["gate.unsafe"] == ["yes", "gate.unsafe", "no", "new"]
    assert " ".join(rows["gate.baseline"]).startswith(
        "no gate.baseline b.json: not there yet; sab gate --save"
    )
    assert rows["sab.toml"][2].startswith(str(tmp_path)[:20])
