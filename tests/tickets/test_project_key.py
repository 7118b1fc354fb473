"""Project key: made once, for this user only, and never in an import."""

import stat
from pathlib import Path

import pytest

from supportagentbench.records.problem import Problem
from supportagentbench.records.secrets import without_secrets
from supportagentbench.tickets.project_key import key_named, key_path, project_key


@pytest.fixture(autouse=True)
def own_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def test_a_project_keeps_its_key_and_others_have_their_own(tmp_path: Path) -> None:
    key = project_key("shop", tmp_path / "out")
    assert len(key) == 32 and project_key("shop") == key != project_key("other") != project_key("")
    assert stat.S_IMODE(key_path("shop").stat().st_mode) == 0o600
    assert stat.S_IMODE(key_path("shop").parent.stat().st_mode) == 0o700
    assert without_secrets(f"it is {key.hex()}") == "it is [key]"


def test_without_a_name_it_is_the_current_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = key_path("")
    monkeypatch.chdir(tmp_path)
    assert key_path("") != here


def test_a_key_that_others_can_read_or_that_is_none_is_refused() -> None:
    project_key("shop")
    key_path("shop").chmod(0o644)
    with pytest.raises(Problem, match="can be read by others; run `chmod 600`"):
        project_key("shop")
    key_path("shop").chmod(0o600)
    key_path("shop").write_bytes(b"short")
    with pytest.raises(Problem, match="is not a key"):
        project_key("shop")


def test_a_key_is_never_in_the_import(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="is in the folder of the import"):
        project_key("shop", tmp_path)
    assert not key_path("shop").exists()


def test_a_key_for_invented_tickets_is_the_same_for_everyone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = project_key("example", is_open=True)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "another"))
    assert project_key("example", is_open=True) == key and project_key("shop") != key


def test_an_imports_key_is_found_by_its_name_and_by_nothing_else() -> None:
    key = project_key("shop")
    assert key_named(key_path("shop").name) == key
    with pytest.raises(Problem, match="is not in your configuration"):
        key_named(key_path("other").name)
    for name in ("", "../../etc/passwd", key_path("shop").name.upper()):
        with pytest.raises(Problem, match="does not say which key"):
            key_named(name)
