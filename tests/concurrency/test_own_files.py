from collections.abc import Callable
from pathlib import Path

import pytest

from supportagentbench.concurrency.import_guard import ImportGuard
from supportagentbench.concurrency.own_files import OwnFiles


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "package"
    (folder / "room" / "__pycache__").mkdir(parents=True)
    for name in ("one.py", "room/table.json", "room/__pycache__/old.pyc"):
        (folder / name).write_text("as it was")
    return folder


def rewritten(package: Path) -> None:
    (package / "one.py").write_text("as I want")


def put_back(package: Path) -> None:
    rewritten(package)
    (package / "one.py").write_text("as it was")


def added(package: Path) -> None:
    (package / "one.pyc").write_text("compiled")


def gone(package: Path) -> None:
    (package / "room" / "table.json").unlink()


@pytest.mark.parametrize(
    ("change", "place"),
    [(rewritten, "one.py"), (put_back, "one.py"), (added, "one.pyc"), (gone, "room/table.json")],
)
def test_every_change_is_named(package: Path, change: Callable[[Path], None], place: str) -> None:
    files = OwnFiles(package, ImportGuard([str(package)]))
    assert files.changed() is None
    change(package)
    assert files.changed() == package / place


def test_compiled_code_that_is_new_is_deleted(package: Path) -> None:
    files = OwnFiles(package, ImportGuard([str(package)]))
    (package / "room" / "__pycache__" / "new.pyc").write_text("forged")
    assert files.changed() is None
    assert [one.name for one in package.rglob("*.pyc")] == ["old.pyc"]
